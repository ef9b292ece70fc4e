package org.alamein.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and after which waits a call is tried again. It is tried again where the service cannot
 * be reached, or is at its limits and says when to come back; never where a second call might do a
 * thing twice, and never beyond its deadline.
 *
 * @param tries how often a call is tried at most; 1 is never again
 * @param first the wait before the second try, about; each wait after is twice as long
 * @param longest the longest wait, unless the service asks for a longer one
 * @param perHundred how many calls of a hundred are tried again, all calls of a client together, so
 *     that a service in trouble is not asked several times as much; ten are always in reserve
 */
public record Retry(int tries, Duration first, Duration longest, int perHundred) {
  /** What a client does unless told otherwise. */
  public static final Retry DEFAULT =
      new Retry(4, Duration.ofMillis(100), Duration.ofSeconds(2), 20);

  /**
   * Checks that it makes sense.
   *
   * @param tries how often a call is tried at most
   * @param first the wait before the second try
   * @param longest the longest wait
   * @param perHundred how many calls of a hundred are tried again
   * @throws IllegalArgumentException if it does not
   */
  public Retry {
    if (tries < 1
        || first.isNegative()
        || first.isZero()
        || longest.compareTo(first) < 0
        || perHundred < 0) {
      throw new IllegalArgumentException(
          "retry: it needs a try, a first wait, and a longest that is no shorter");
    }
  }

  /**
   * How long to wait after so many tries. Clients that were turned away together should not come
   * back together.
   */
  Duration wait(int made, Optional<Duration> asked) {
    int doublings = Math.min(made - 1, 20);
    long most = Math.min(longest.toNanos(), first.toNanos() << doublings);
    if (most <= 0) {
      most = longest.toNanos();
    }
    long wait = most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
    if (asked.isEmpty()) {
      return Duration.ofNanos(wait);
    }
    long delay = asked.get().toNanos();
    return Duration.ofNanos(delay + Math.min(wait, delay));
  }
}
