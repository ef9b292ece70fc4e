package org.alamein.client;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.alamein.v1.GameEntry;
import org.alamein.v1.WatchGameRequest;
import org.alamein.v1.WatchGameResponse;

/**
 * The entries of a game, as they come. {@link #hasNext} waits for the next one. It throws an {@link
 * AlameinException} where there will be no more for a reason that does not pass, such as {@code
 * GAME_NOT_FOUND} when the game is deleted.
 *
 * <p>One thread reads it; {@link #close} may be called by any.
 */
public final class GameWatch implements Iterator<GameEntry>, AutoCloseable {
  private final AlameinClient client;
  private final String gameId;
  private final String asSide;
  private final Object lock = new Object();

  private long last;
  private String newest = "";
  private GameEntry next;
  private int tries;
  private Iterator<WatchGameResponse> stream;
  // Both are read and written under the lock.
  private Context.CancellableContext context;
  private boolean closed;

  GameWatch(AlameinClient client, String gameId, long after, String asSide) {
    this.client = client;
    this.gameId = gameId;
    this.asSide = asSide;
    last = after;
  }

  /**
   * Waits for the next entry.
   *
   * @return whether there is one: false when this is closed
   */
  @Override
  public boolean hasNext() {
    while (next == null) {
      if (!open()) {
        return false;
      }
      AlameinException error;
      try {
        // A stream that the service, or something between, ends in order is opened again too.
        if (stream.hasNext()) {
          take(stream.next().getEntry());
          continue;
        }
        error = AlameinException.here(Status.Code.UNAVAILABLE, "the stream ended", null);
      } catch (StatusRuntimeException thrown) {
        error = AlameinException.of(thrown);
      }
      stream = null;
      if (isClosed()) {
        return false;
      }
      if (!error.isTransient()) {
        throw error;
      }
      tries++;
      waitFor(client.waitAfter(Math.min(tries, 20), error.retryDelay()).toMillis());
    }
    return true;
  }

  @Override
  public GameEntry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the watch is closed");
    }
    GameEntry entry = next;
    next = null;
    return entry;
  }

  /** Ends it: who waits for an entry waits no more. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
      if (context != null) {
        context.cancel(/* cause= */ null);
      }
    }
  }

  private void take(GameEntry entry) {
    if (entry.getNumber() != last + 1) {
      String what = "entry " + entry.getNumber() + " came after " + last;
      throw AlameinException.ofAnswer(what);
    }
    // Entries are chained by their ids: a game that was begun anew under the name goes on with
    // another.
    String parent = entry.getParentId();
    if (!newest.isEmpty() && !parent.isEmpty() && !parent.equals(newest)) {
      String what = "entry " + entry.getNumber() + " does not follow the last one";
      throw AlameinException.ofAnswer(what + ": there is another game of this name now");
    }
    newest = entry.getEntryId();
    last++;
    tries = 0;
    next = entry;
  }

  /** Opens a stream if there is none, and says whether there is one now. */
  private boolean open() {
    Context.CancellableContext opened;
    synchronized (lock) {
      if (closed) {
        return false;
      }
      if (stream != null) {
        return true;
      }
      if (context != null) {
        context.cancel(/* cause= */ null);
      }
      context = Context.current().withCancellation();
      opened = context;
    }
    var request = WatchGameRequest.newBuilder().setGameId(gameId).setAsSide(asSide);
    Context before = opened.attach();
    try {
      stream = client.games().watchGame(request.setAfterNumber(last).build());
    } finally {
      opened.detach(before);
    }
    return true;
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  /** Waits, unless this is closed meanwhile. */
  private void waitFor(long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    synchronized (lock) {
      try {
        for (long left = millis; left > 0 && !closed; ) {
          lock.wait(left);
          left = (until - System.nanoTime()) / 1_000_000;
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw AlameinException.here(Status.Code.CANCELLED, "interrupted", interrupted);
      }
    }
    client.pause(java.time.Duration.ZERO);
  }

  /**
   * The number of the last entry that was given.
   *
   * @return the number; where it began, if none was
   */
  public long lastNumber() {
    return next == null ? last : last - 1;
  }
}
