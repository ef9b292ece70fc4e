package org.alamein.client;

import java.util.List;
import org.alamein.v1.Change;
import org.alamein.v1.Counter;
import org.alamein.v1.HexSet;
import org.alamein.v1.HexsideSet;
import org.alamein.v1.KnownToChange;
import org.alamein.v1.Layer;
import org.alamein.v1.LayerField;
import org.alamein.v1.Map;
import org.alamein.v1.MoveChange;
import org.alamein.v1.PlaceChange;
import org.alamein.v1.Position;
import org.alamein.v1.RemoveChange;
import org.alamein.v1.Subject;

/** Makes positions and the changes that are made of them most. */
public final class Positions {
  private Positions() {}

  /**
   * What a question is about: a position that the request carries.
   *
   * @param position the position
   * @return the subject
   */
  public static Subject on(Position position) {
    return Subject.newBuilder().setPosition(position).build();
  }

  /**
   * What a question is about: a position that the service keeps.
   *
   * @param positionId its id
   * @return the subject
   */
  public static Subject onKept(String positionId) {
    return Subject.newBuilder().setPositionId(positionId).build();
  }

  /**
   * A position on a map that it carries.
   *
   * @param map the map
   * @param counters what stands on it
   * @return the position
   */
  public static Position onMap(Map map, Counter... counters) {
    return Position.newBuilder().setMap(map).addAllCounters(List.of(counters)).build();
  }

  /**
   * A position on a map that the service keeps.
   *
   * @param mapId the map's id
   * @param counters what stands on it
   * @return the position
   */
  public static Position onKeptMap(String mapId, Counter... counters) {
    return Position.newBuilder().setMapId(mapId).addAllCounters(List.of(counters)).build();
  }

  /**
   * A layer of a map: the terrain of one plugin.
   *
   * @param name its name, such as {@code deir}
   * @param fields its fields
   * @return the layer
   */
  public static Layer layer(String name, LayerField... fields) {
    return Layer.newBuilder().setName(name).addAllFields(List.of(fields)).build();
  }

  /**
   * A field of a layer: hexes that have the feature.
   *
   * @param name the field's name
   * @param hexes the hexes, such as {@code P6}
   * @return the field
   */
  public static LayerField hexes(String name, String... hexes) {
    var set = HexSet.newBuilder().addAllHexes(List.of(hexes));
    return LayerField.newBuilder().setName(name).setHexes(set).build();
  }

  /**
   * A field of a layer: hexsides that have the feature.
   *
   * @param name the field's name
   * @param hexsides the hexsides, such as {@code P6|P7}
   * @return the field
   */
  public static LayerField hexsides(String name, String... hexsides) {
    var set = HexsideSet.newBuilder().addAllHexsides(List.of(hexsides));
    return LayerField.newBuilder().setName(name).setHexsides(set).build();
  }

  /**
   * A change: a counter stands elsewhere.
   *
   * @param counterId its id
   * @param hex the hex in which it then is
   * @return the change
   */
  public static Change moveTo(String counterId, String hex) {
    var move = MoveChange.newBuilder().setCounterId(counterId).setHex(hex);
    return Change.newBuilder().setMove(move).build();
  }

  /**
   * A change: a counter comes onto the map.
   *
   * @param counter the counter
   * @return the change
   */
  public static Change place(Counter counter) {
    return Change.newBuilder().setPlace(PlaceChange.newBuilder().setCounter(counter)).build();
  }

  /**
   * A change: a counter leaves the map.
   *
   * @param counterId its id
   * @return the change
   */
  public static Change remove(String counterId) {
    var remove = RemoveChange.newBuilder().setCounterId(counterId);
    return Change.newBuilder().setRemove(remove).build();
  }

  /**
   * A change: beside its own side only these then know of a counter.
   *
   * @param counterId its id
   * @param sides the sides; none means that everybody knows of it
   * @return the change
   */
  public static Change knownTo(String counterId, String... sides) {
    var known = KnownToChange.newBuilder().setCounterId(counterId).addAllSides(List.of(sides));
    return Change.newBuilder().setKnownTo(known).build();
  }
}
