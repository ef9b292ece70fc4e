package org.alamein.client;

/** The retries that may yet be made, in hundredths. Each call adds a part of one. */
final class Budget {
  private static final int RETRY = 100;
  private static final int RESERVE = 10;

  private final int most;
  private final int each;
  private int left;

  Budget(Retry retry) {
    // One call alone always has all of its tries.
    most = RETRY * Math.max(RESERVE, retry.tries());
    each = retry.perHundred();
    left = most;
  }

  /** A call was made. */
  synchronized void add() {
    left = Math.min(left + each, most);
  }

  /** Takes a retry, and says whether there was one. */
  synchronized boolean take() {
    if (left < RETRY) {
      return false;
    }
    left -= RETRY;
    return true;
  }
}
