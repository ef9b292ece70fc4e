package org.alamein.client;

import static org.alamein.client.Questions.atCounter;
import static org.alamein.client.Questions.atHex;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alamein.v1.Attribute;
import org.alamein.v1.Board;
import org.alamein.v1.Counter;
import org.alamein.v1.CounterClass;
import org.alamein.v1.CounterFlag;
import org.alamein.v1.End;
import org.alamein.v1.Environment;
import org.alamein.v1.EnvironmentCondition;
import org.alamein.v1.GrazingPolicy;
import org.alamein.v1.HexLevel;
import org.alamein.v1.HexValue;
import org.alamein.v1.HexValues;
import org.alamein.v1.HexsideValue;
import org.alamein.v1.HexsideValues;
import org.alamein.v1.Layer;
import org.alamein.v1.LayerField;
import org.alamein.v1.LayerFieldKind;
import org.alamein.v1.LayerFieldSchema;
import org.alamein.v1.PlacedFireLane;
import org.alamein.v1.Position;
import org.alamein.v1.Question;
import org.alamein.v1.QuestionOptions;

/**
 * A case file, turned into messages. What is wrong with one is thrown: the files are this
 * repository's own.
 */
final class CaseFile {
  final Position position;
  final JsonObject options;
  final List<Asked> questions = new ArrayList<>();

  private final Known known;
  private final Set<String> counters = new HashSet<>();
  private final List<String> unowned = new ArrayList<>();

  /**
   * A question of a case.
   *
   * @param question what it asks; null if nothing answers such a question
   * @param expect what is expected; null if nothing is
   * @param others what is expected under other grazing policies
   */
  record Asked(
      String id,
      String kind,
      Question question,
      JsonObject expect,
      Map<GrazingPolicy, JsonObject> others,
      boolean contested) {}

  CaseFile(Path path, Known known) throws IOException {
    this.known = known;
    JsonObject file = JsonParser.parseString(Files.readString(path)).getAsJsonObject();
    JsonObject settings = object(file, "alamein");
    options = object(settings, "options");
    position = position(file);
    for (Layer layer : position.getMap().getLayersList()) {
      if (!known.layers.containsKey(layer.getName())) {
        unowned.add(layer.getName());
      }
    }
    for (JsonElement question : list(file, "questions")) {
      questions.add(asked(question.getAsJsonObject()));
    }
  }

  private Position position(JsonObject file) {
    Position.Builder it = Position.newBuilder().setMap(map(file.getAsJsonObject("map")));
    for (JsonElement counter : list(file, "counters")) {
      Counter read = counter(counter.getAsJsonObject());
      counters.add(read.getId());
      it.addCounters(read);
    }
    EnvironmentCondition ec = condition(file);
    if (ec != EnvironmentCondition.ENVIRONMENT_CONDITION_UNSPECIFIED) {
      it.setEnvironment(Environment.newBuilder().setEc(ec));
    }
    for (JsonElement lane : list(file, "fire_lanes")) {
      JsonObject placed = lane.getAsJsonObject();
      it.addFireLanes(
          PlacedFireLane.newBuilder().setCounterId(text(placed, "mg")).setHex(text(placed, "hex")));
    }
    return it.build();
  }

  private org.alamein.v1.Map map(JsonObject file) {
    var it = org.alamein.v1.Map.newBuilder().setBaseLevel(number(file, "base_level"));
    JsonElement board = file.get("board");
    if (board != null && board.isJsonObject()) {
      JsonObject size = board.getAsJsonObject();
      it.setBoard(
          Board.newBuilder().setColumns(number(size, "columns")).setRows(number(size, "rows")));
    } else if (board != null) {
      String[] size = board.getAsString().split("\\s+")[0].split("x");
      it.setBoard(
          Board.newBuilder()
              .setColumns(Integer.parseInt(size[0]))
              .setRows(Integer.parseInt(size[1])));
    }
    for (var level : object(file, "levels").entrySet()) {
      it.addLevels(
          HexLevel.newBuilder().setHex(level.getKey()).setLevel(level.getValue().getAsInt()));
    }
    for (var layer : object(file, "layers").entrySet()) {
      it.addLayers(layer(layer.getKey(), layer.getValue()));
    }
    return it.build();
  }

  private Layer layer(String name, JsonElement content) {
    Layer.Builder layer = Layer.newBuilder().setName(name);
    List<LayerFieldSchema> schema =
        known.layers.containsKey(name) ? known.layers.get(name).getFieldsList() : List.of();
    if (content.isJsonArray()) {
      LayerFieldKind kind = looksLike(content);
      String field = kind == LayerFieldKind.LAYER_FIELD_KIND_HEXSIDES ? "hexsides" : "hexes";
      if (!schema.isEmpty()) {
        field = schema.get(0).getName();
        kind = schema.get(0).getKind();
      }
      return layer.addFields(field(field, kind, content)).build();
    }
    for (var entry : content.getAsJsonObject().entrySet()) {
      JsonElement value = entry.getValue();
      LayerFieldKind kind = looksLike(value);
      if (value.isJsonObject() && value.getAsJsonObject().has("values")) {
        kind =
            word(LayerFieldKind.class, "LAYER_FIELD_KIND_", text(value.getAsJsonObject(), "kind"));
        value = value.getAsJsonObject().get("values");
      }
      for (LayerFieldSchema described : schema) {
        if (described.getName().equals(entry.getKey())) {
          kind = described.getKind();
        }
      }
      layer.addFields(field(entry.getKey(), kind, value));
    }
    return layer.build();
  }

  /** The kind of a field of which no plugin says it. */
  private static LayerFieldKind looksLike(JsonElement value) {
    if (value.isJsonObject()) {
      boolean hexsides =
          value.getAsJsonObject().keySet().stream().anyMatch(name -> name.contains("|"));
      return hexsides
          ? LayerFieldKind.LAYER_FIELD_KIND_HEXSIDE_VALUES
          : LayerFieldKind.LAYER_FIELD_KIND_HEX_VALUES;
    }
    List<String> items = texts(value);
    return !items.isEmpty() && items.get(0).contains("|")
        ? LayerFieldKind.LAYER_FIELD_KIND_HEXSIDES
        : LayerFieldKind.LAYER_FIELD_KIND_HEXES;
  }

  private static LayerField field(String name, LayerFieldKind kind, JsonElement value) {
    return switch (kind) {
      case LAYER_FIELD_KIND_HEXES -> Positions.hexes(name, texts(value).toArray(String[]::new));
      case LAYER_FIELD_KIND_HEXSIDES ->
          Positions.hexsides(name, texts(value).toArray(String[]::new));
      case LAYER_FIELD_KIND_HEX_VALUES -> {
        HexValues.Builder values = HexValues.newBuilder();
        for (var it : value.getAsJsonObject().entrySet()) {
          values.addValues(
              HexValue.newBuilder().setHex(it.getKey()).setValue(it.getValue().getAsLong()));
        }
        yield LayerField.newBuilder().setName(name).setHexValues(values).build();
      }
      case LAYER_FIELD_KIND_HEXSIDE_VALUES -> {
        HexsideValues.Builder values = HexsideValues.newBuilder();
        for (var it : value.getAsJsonObject().entrySet()) {
          values.addValues(
              HexsideValue.newBuilder()
                  .setHexside(it.getKey())
                  .setValue(it.getValue().getAsLong()));
        }
        yield LayerField.newBuilder().setName(name).setHexsideValues(values).build();
      }
      default -> throw new IllegalArgumentException(name + ": " + kind);
    };
  }

  private static Counter counter(JsonObject file) {
    Counter.Builder it = Counter.newBuilder().setId(text(file, "id")).setHex(text(file, "hex"));
    it.setClass_(unitClass(text(file, "class"))).setSide(text(file, "side"));
    it.setAboard(text(file, "aboard")).setHeightHalfLevels(number(file, "height"));
    for (CounterFlag flag : CounterFlag.values()) {
      JsonElement set = file.get(flag.name().replace("COUNTER_FLAG_", "").toLowerCase());
      if (set != null && set.getAsBoolean()) {
        it.addFlags(flag);
      }
    }
    for (var attribute : object(file, "attributes").entrySet()) {
      it.addAttributes(
          Attribute.newBuilder()
              .setName(attribute.getKey())
              .setIntValue(attribute.getValue().getAsLong()));
    }
    if (file.has("facing")) {
      it.setFacing(number(file, "facing"));
    }
    if (file.has("known_to")) {
      it.addAllKnownTo(texts(file.get("known_to")));
    }
    return it.build();
  }

  private Asked asked(JsonObject file) {
    Map<GrazingPolicy, JsonObject> others = new EnumMap<>(GrazingPolicy.class);
    for (var other : object(file, "expect_other_policies").entrySet()) {
      GrazingPolicy policy = word(GrazingPolicy.class, "GRAZING_POLICY_", other.getKey());
      others.put(policy, other.getValue().getAsJsonObject());
    }
    QuestionOptions.Builder options = QuestionOptions.newBuilder().addAllIgnoreLayers(unowned);
    // A probe may be an end of the line.
    Set<String> ids = new HashSet<>(counters);
    for (JsonElement probe : list(file, "probes")) {
      Counter read = counter(probe.getAsJsonObject());
      ids.add(read.getId());
      options.addProbes(read);
    }
    for (JsonElement layer : list(file, "ignore_layers")) {
      String name = layer.getAsString();
      if (!known.layers.containsKey(name) && !unowned.contains(name)) {
        options.addIgnoreLayers(name);
      }
    }
    options.setGrazingPolicy(word(GrazingPolicy.class, "GRAZING_POLICY_", text(file, "policy")));
    String id = text(file, "id");
    Question.Builder question = CaseQuestions.read(file, end -> end(end, ids));
    if (question != null) {
      question.setTag(id).setOptions(options);
    }
    return new Asked(
        id,
        text(file, "kind"),
        question == null ? null : question.build(),
        file.has("expect") ? file.getAsJsonObject("expect") : null,
        others,
        file.has("contested") && file.get("contested").getAsBoolean());
  }

  /** An end: a counter's id, or else a hex; or an object that says which, and a corner. */
  private static End end(JsonElement value, Set<String> ids) {
    if (!value.isJsonObject()) {
      String name = value.getAsString();
      return ids.contains(name) ? atCounter(name) : atHex(name);
    }
    JsonObject file = value.getAsJsonObject();
    End end = file.has("counter") ? atCounter(text(file, "counter")) : atHex(text(file, "hex"));
    return file.has("corner") ? end.toBuilder().setCorner(number(file, "corner")).build() : end;
  }

  /** The class of a counter or mover. `infantry` is an ordinary squad. */
  static CounterClass unitClass(String word) {
    return word.equals("infantry")
        ? CounterClass.COUNTER_CLASS_SQUAD
        : word(CounterClass.class, "COUNTER_CLASS_", word);
  }

  static EnvironmentCondition condition(JsonObject file) {
    return word(EnvironmentCondition.class, "ENVIRONMENT_CONDITION_", text(file, "ec"));
  }

  /** The value of a word; the unspecified one if there is no word. */
  static <E extends Enum<E>> E word(Class<E> type, String prefix, String word) {
    return Enum.valueOf(type, prefix + (word.isEmpty() ? "UNSPECIFIED" : word.toUpperCase()));
  }

  static String text(JsonObject file, String name) {
    JsonElement it = file.get(name);
    return it == null || it.isJsonNull() ? "" : it.getAsString();
  }

  static int number(JsonObject file, String name) {
    JsonElement it = file.get(name);
    return it == null || it.isJsonNull() ? 0 : it.getAsInt();
  }

  private static JsonObject object(JsonObject file, String name) {
    JsonElement it = file.get(name);
    return it == null || it.isJsonNull() ? new JsonObject() : it.getAsJsonObject();
  }

  private static JsonArray list(JsonObject file, String name) {
    JsonElement it = file.get(name);
    return it == null || it.isJsonNull() ? new JsonArray() : it.getAsJsonArray();
  }

  private static List<String> texts(JsonElement items) {
    List<String> all = new ArrayList<>();
    items.getAsJsonArray().forEach(item -> all.add(item.getAsString()));
    return all;
  }
}
