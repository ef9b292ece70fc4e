package org.alamein.client;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.alamein.v1.PackedFieldOfView;
import org.alamein.v1.Sight;

/** What somebody sees: the hexes in range by name, in the map's order. */
public final class FieldOfView {
  private final PackedFieldOfView packed;
  private final Map<String, Seen> hexes;

  /**
   * Reads a packed field of view.
   *
   * @param packed the message
   */
  public FieldOfView(PackedFieldOfView packed) {
    this.packed = packed;
    var head = packed.getHead();
    var bytes = packed.getSights();
    Map<String, Seen> hexes = new LinkedHashMap<>();
    int at = 0;
    for (int column = 0; column < head.getColumns(); column++) {
      var letters = String.valueOf((char) ('A' + column % 26)).repeat(column / 26 + 1);
      for (int row = (column + 1) % 2; row <= head.getRows(); row++) {
        if (at == bytes.size()) {
          throw AlameinException.ofAnswer(at + " bytes for more hexes");
        }
        var name = letters + row;
        unpack(bytes.byteAt(at++)).ifPresent(seen -> hexes.put(name, seen));
      }
    }
    this.hexes = Collections.unmodifiableMap(hexes);
  }

  /**
   * The message that it is made of: whose view it is, by which rules, and what is known of all
   * hexes.
   *
   * @return the message
   */
  public PackedFieldOfView packed() {
    return packed;
  }

  /**
   * The hexes in range, by name.
   *
   * @return what comes of the LOS to each, in the map's order
   */
  public Map<String, Seen> hexes() {
    return hexes;
  }

  /**
   * What a byte of a packed field of view means.
   *
   * @param it the byte
   * @return what it means; empty for a hex that is out of range
   */
  public static Optional<Seen> unpack(byte it) {
    int number = Byte.toUnsignedInt(it);
    if (number == 0) {
      return Optional.empty();
    }
    if (number == 1) {
      return Optional.of(new Seen(Sight.SIGHT_CLEAR, Optional.of(0)));
    }
    if (number == 2) {
      return Optional.of(new Seen(Sight.SIGHT_BLOCKED_BY_TERRAIN, Optional.empty()));
    }
    if (number >= 128) {
      return Optional.of(new Seen(Sight.SIGHT_BLOCKED_BY_HINDRANCES, Optional.of(number - 128)));
    }
    if (number >= 65) {
      return Optional.of(new Seen(Sight.SIGHT_HINDERED, Optional.of(number - 64)));
    }
    // A byte that is not known says that nobody can say.
    return Optional.of(new Seen(Sight.SIGHT_NOT_IMPLEMENTED, Optional.empty()));
  }

  /**
   * What comes of the LOS to a hex.
   *
   * @param sight whether there is one
   * @param hindrance the sum of the LOS Hindrance DRM; empty where terrain blocks, and where nobody
   *     can say
   */
  public record Seen(Sight sight, Optional<Integer> hindrance) {
    /**
     * Whether there is a LOS.
     *
     * @return whether there is
     */
    public boolean isSeen() {
      return sight == Sight.SIGHT_CLEAR || sight == Sight.SIGHT_HINDERED;
    }
  }
}
