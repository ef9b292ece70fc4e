package org.alamein.client;

import io.grpc.StatusRuntimeException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.alamein.v1.FieldOfViewResponse;
import org.alamein.v1.SightedHex;

/** The hexes of a field of view, out of the parts in which they come. */
final class Sighted implements Iterator<SightedHex> {
  private final Iterator<FieldOfViewResponse> parts;
  private Iterator<SightedHex> hexes = Collections.emptyIterator();

  Sighted(Iterator<FieldOfViewResponse> parts) {
    this.parts = parts;
  }

  @Override
  public boolean hasNext() {
    try {
      while (!hexes.hasNext() && parts.hasNext()) {
        hexes = parts.next().getHexes().getHexesList().iterator();
      }
    } catch (StatusRuntimeException error) {
      throw AlameinException.of(error);
    }
    return hexes.hasNext();
  }

  @Override
  public SightedHex next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return hexes.next();
  }
}
