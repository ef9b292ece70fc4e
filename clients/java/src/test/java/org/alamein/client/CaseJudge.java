package org.alamein.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.alamein.client.CaseFile.Asked;
import org.alamein.v1.ErrorReason;
import org.alamein.v1.GrazingPolicy;
import org.alamein.v1.Ruling;

/** Says what becomes of a question of a case, as {@code alamein check} does. */
final class CaseJudge {
  private final Known known;

  CaseJudge(Known known) {
    this.known = known;
  }

  /** What became of a question. */
  record Outcome(String outcome, String why) {
    static Outcome skipped(String why) {
      return new Outcome("skipped", why);
    }
  }

  /** What becomes of a question whatever is answered, if that is so. */
  static Optional<Outcome> decided(Asked asked) {
    if (asked.contested()) {
      return Optional.of(Outcome.skipped("the rules leave it open"));
    }
    if (asked.question() == null) {
      return Optional.of(
          Outcome.skipped("nothing answers questions of the kind `" + asked.kind() + "`"));
    }
    if (asked.expect() == null) {
      return Optional.of(Outcome.skipped("the file expects nothing of it"));
    }
    return Optional.empty();
  }

  /** Compares an answer with what the file expects. */
  Outcome judge(Asked asked, Answer answer) {
    if (answer.error().isPresent()) {
      AlameinException error = answer.error().get();
      if (error.is(ErrorReason.ERROR_REASON_RULE_NOT_IMPLEMENTED)) {
        String plugin = error.metadata().get("plugin");
        String rule = error.metadata().get("rule");
        return Outcome.skipped("plugin " + plugin + " does not implement its rule " + rule);
      }
      return new Outcome("failed", "there is no ruling: " + error.getMessage());
    }
    Ruling ruling = answer.ruling();
    for (var layer : ruling.getIgnoredLayersList()) {
      if (layer.getMet()) {
        return Outcome.skipped(
            "it meets the layer `" + layer.getLayer() + "`, which no loaded plugin owns");
      }
    }
    List<Ruling> rulings = new ArrayList<>(List.of(ruling));
    if (!asked.others().isEmpty()) {
      ruling.getOtherPoliciesList().forEach(other -> rulings.add(other.getRuling()));
    }
    List<String> differences = new ArrayList<>();
    Set<GrazingPolicy> ruled = new HashSet<>();
    for (Ruling it : rulings) {
      ruled.add(it.getGrazingPolicy());
      JsonObject expect = asked.others().getOrDefault(it.getGrazingPolicy(), asked.expect());
      Optional<String> unreported = compare(expect, it, differences);
      if (unreported.isPresent()) {
        return Outcome.skipped("no loaded plugin reports `" + unreported.get() + "`");
      }
    }
    // Of a line that does not graze there are no rulings by other policies: they are the same.
    if (!ruling.getTrace().getGrazing()) {
      asked
          .others()
          .forEach(
              (policy, expect) -> {
                if (!ruled.contains(policy)) {
                  compare(expect, ruling, differences);
                }
              });
    }
    return differences.isEmpty()
        ? new Outcome("passed", "")
        : new Outcome("failed", differences.toString());
  }

  /** Compares what is expected, and only that. Gives a key of which nothing says anything. */
  private Optional<String> compare(JsonObject expect, Ruling ruling, List<String> differences) {
    JsonObject answer = CaseAnswer.of(ruling, known);
    for (String key : expect.keySet().stream().sorted().toList()) {
      JsonElement expected = expect.get(key);
      if (expected.isJsonNull() && !CaseAnswer.isBlocked(ruling)) {
        continue;
      }
      JsonElement ruled = ruled(key, expected, answer);
      if (ruled == null) {
        if (!isNeutral(expected)) {
          return Optional.of(key);
        }
      } else if (!agrees(key, expected, ruled)) {
        differences.add(key + ": " + expected + " expected, " + ruled + " ruled");
      }
    }
    return Optional.empty();
  }

  /** What the ruling says of a key; null if nothing that is loaded ever would. */
  private static JsonElement ruled(String key, JsonElement expected, JsonObject answer) {
    switch (key) {
      case "result_in":
        return answer.get("result");
      case "hinders":
        if (!answer.has("hindering")) {
          return null;
        }
        JsonObject hinders = new JsonObject();
        for (String counter : expected.getAsJsonObject().keySet()) {
          boolean does = answer.getAsJsonArray("hindering").contains(new JsonPrimitive(counter));
          hinders.addProperty(counter, does);
        }
        return hinders;
      case "items":
        if (!answer.has(key)) {
          return null;
        }
        JsonArray alike = new JsonArray();
        answer
            .getAsJsonArray(key)
            .forEach(item -> alike.add(like(item.getAsJsonObject(), expected.getAsJsonArray())));
        return alike;
      default:
        return answer.get(key);
    }
  }

  /** An item with only those fields that some expected item has. */
  private static JsonObject like(JsonObject item, JsonArray expected) {
    if (expected.isEmpty()) {
      return item;
    }
    JsonObject kept = new JsonObject();
    for (var field : item.entrySet()) {
      for (JsonElement wanted : expected) {
        if (wanted.getAsJsonObject().has(field.getKey())) {
          kept.add(field.getKey(), field.getValue());
        }
      }
    }
    return kept;
  }

  private static boolean agrees(String key, JsonElement expected, JsonElement ruled) {
    if (expected.isJsonArray()) {
      if (key.equals("result_in")) {
        return expected.getAsJsonArray().contains(ruled);
      }
      return ruled.isJsonArray() && sorted(expected).equals(sorted(ruled));
    }
    if (expected.isJsonObject()) {
      return expected.getAsJsonObject().entrySet().stream()
          .allMatch(
              field -> {
                JsonElement said =
                    ruled.isJsonObject() ? ruled.getAsJsonObject().get(field.getKey()) : null;
                return said != null && agrees(field.getKey(), field.getValue(), said);
              });
    }
    return expected.equals(ruled);
  }

  private static List<String> sorted(JsonElement items) {
    List<String> all = new ArrayList<>();
    items.getAsJsonArray().forEach(item -> all.add(canonical(item).toString()));
    all.sort(null);
    return all;
  }

  /** The same, with fields in the order of their names. */
  private static JsonElement canonical(JsonElement item) {
    if (!item.isJsonObject()) {
      return item;
    }
    JsonObject sorted = new JsonObject();
    JsonObject fields = item.getAsJsonObject();
    fields.keySet().stream().sorted().forEach(key -> sorted.add(key, fields.get(key)));
    return sorted;
  }

  /** Whether a value says that there is nothing to say. */
  private static boolean isNeutral(JsonElement value) {
    if (value.isJsonObject()) {
      return value.getAsJsonObject().asMap().values().stream().allMatch(CaseJudge::isNeutral);
    }
    if (value.isJsonArray()) {
      return value.getAsJsonArray().isEmpty();
    }
    return value.equals(JsonNull.INSTANCE)
        || value.equals(new JsonPrimitive(false))
        || value.equals(new JsonPrimitive(0));
  }
}
