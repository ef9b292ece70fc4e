package org.alamein.client;

import static org.alamein.client.Positions.hexes;
import static org.alamein.client.Positions.layer;
import static org.alamein.client.Positions.onMap;
import static org.alamein.client.Questions.atCounter;
import static org.alamein.client.Questions.atHex;
import static org.alamein.client.Questions.lineOfFire;

import org.alamein.v1.Counter;
import org.alamein.v1.CounterClass;
import org.alamein.v1.Map;
import org.alamein.v1.Position;
import org.alamein.v1.Question;

/** What many tests ask about. */
final class Examples {
  private Examples() {}

  /** A squad in a deir. */
  static Position deir() {
    return onMap(map(), squad("P6"));
  }

  static Map map() {
    return Map.newBuilder().addLayers(layer("deir", hexes("hexes", "P6", "P7", "Q7"))).build();
  }

  static Counter squad(String hex) {
    return counter("sq", CounterClass.COUNTER_CLASS_SQUAD, hex, "axis").build();
  }

  static Counter.Builder counter(String id, CounterClass kind, String hex, String side) {
    return Counter.newBuilder().setId(id).setClass_(kind).setHex(hex).setSide(side);
  }

  /** A question that any position with that squad answers. */
  static Question shot(String tag) {
    return lineOfFire(atHex("P3"), atCounter("sq")).toBuilder().setTag(tag).build();
  }
}
