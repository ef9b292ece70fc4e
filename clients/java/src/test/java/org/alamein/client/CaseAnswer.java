package org.alamein.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.alamein.v1.Citation;
import org.alamein.v1.Emplacement;
import org.alamein.v1.Finding;
import org.alamein.v1.LineOfSightResult;
import org.alamein.v1.LineOfSightVerdict;
import org.alamein.v1.MovementVerdict;
import org.alamein.v1.Place;
import org.alamein.v1.ReportValue;
import org.alamein.v1.RuleReport;
import org.alamein.v1.Ruling;
import org.alamein.v1.SetUpVerdict;

/** What a ruling answers, in the words of case files. */
final class CaseAnswer {
  private final Ruling ruling;
  private final Known known;
  private final JsonObject answer = new JsonObject();

  private CaseAnswer(Ruling ruling, Known known) {
    this.ruling = ruling;
    this.known = known;
  }

  static JsonObject of(Ruling ruling, Known known) {
    CaseAnswer it = new CaseAnswer(ruling, known);
    known.keys.forEach((key, hows) -> it.answer.add(key, it.reported(key, hows)));
    // What a verdict says goes before what rules report under the same key.
    it.verdict();
    return it.answer;
  }

  static boolean isBlocked(Ruling ruling) {
    return line(ruling).getResult() == LineOfSightResult.LINE_OF_SIGHT_RESULT_BLOCKED;
  }

  private static LineOfSightVerdict line(Ruling ruling) {
    var verdict = ruling.getVerdict();
    return switch (verdict.getVerdictCase()) {
      case LINE_OF_SIGHT -> verdict.getLineOfSight();
      case LINE_OF_FIRE -> verdict.getLineOfFire().getLine();
      case FIRE_LANE -> verdict.getFireLane().getLine();
      default -> LineOfSightVerdict.getDefaultInstance();
    };
  }

  private void verdict() {
    var verdict = ruling.getVerdict();
    switch (verdict.getVerdictCase()) {
      case LINE_OF_SIGHT -> los();
      case LINE_OF_FIRE -> {
        los();
        var fire = verdict.getLineOfFire();
        put("hull_down", fire.hasHullDown() ? fire.getHullDown() : null);
        put("open_ground", fire.hasOpenGround() ? fire.getOpenGround() : null);
        put("total_drm", fire.hasTotalDrm() ? fire.getTotalDrm() : null);
        put("halved", fire.hasHalved() ? fire.getHalved() : null);
        put("morale_drm", fire.hasMoraleDrm() ? fire.getMoraleDrm() : null);
      }
      case FIRE_LANE -> {
        los();
        var lane = verdict.getFireLane();
        put("on_lane", lane.getOnLane());
        put("immune", lane.getImmune());
        put("attacked", lane.getAttacked());
        answer.add("lane_hindering", answer.get("hindering"));
      }
      case MOVEMENT -> movement(verdict.getMovement());
      case SET_UP -> setUp(verdict.getSetUp());
      default -> throw new IllegalArgumentException("no verdict");
    }
  }

  private void los() {
    LineOfSightVerdict line = line(ruling);
    put("result", lower(line.getResult(), "LINE_OF_SIGHT_RESULT_"));
    put("hindrance", line.hasHindrance() ? line.getHindrance() : null);
    answer.add("hindering", texts(line.getHinderingCounterIdsList()));
    answer.add("blocked_by", texts(line.getBlockedByList()));
    put("grazing", line.getGrazing());
    put("range", line.getRange());
  }

  private void movement(MovementVerdict step) {
    JsonArray items = new JsonArray();
    for (var item : step.getItemsList()) {
      if (item.getAmount() != 0) {
        JsonObject told = new JsonObject();
        told.addProperty("what", item.getWhat());
        told.addProperty("amount", item.getAmount());
        told.addProperty("spent_in", place(item.getSpentIn()));
        items.add(told);
      }
    }
    put("total", step.hasTotal() ? step.getTotal() : null);
    put("unit", step.getUnit().name().replace("MOVEMENT_UNIT_", ""));
    answer.add("items", items);
    answer.add("prohibited_by", numbers(step.getProhibitedByList()));
  }

  private void setUp(SetUpVerdict verdict) {
    put("allowed", verdict.hasAllowed() ? verdict.getAllowed() : null);
    answer.add("prohibited_by", numbers(verdict.getProhibitedByList()));
    boolean told = verdict.getEmplacement() != Emplacement.EMPLACEMENT_UNSPECIFIED;
    put("emplacement", told ? lower(verdict.getEmplacement(), "EMPLACEMENT_") : null);
    answer.add("emplacement_by", numbers(verdict.getEmplacementByList()));
  }

  /** The value of a key that rules report. There is none where the LOS is blocked. */
  private JsonElement reported(String key, Set<ReportValue> hows) {
    if (hows.contains(ReportValue.REPORT_VALUE_CHECK)) {
      return check(key);
    }
    if (isBlocked(ruling)) {
      return JsonNull.INSTANCE;
    }
    boolean found = false;
    Integer best = null;
    for (Finding finding : ruling.getFindingsList()) {
      if (!finding.getStanding()) {
        continue;
      }
      for (RuleReport report : known.reports(finding.getPluginId(), finding.getRule().getId())) {
        if (!report.getKey().equals(key)) {
          continue;
        }
        switch (report.getValue()) {
          case REPORT_VALUE_UNKNOWN -> {
            return JsonNull.INSTANCE;
          }
          case REPORT_VALUE_FLAG -> found = true;
          case REPORT_VALUE_BEST -> {
            if (finding.hasValue() && (best == null || finding.getValue() > best)) {
              best = finding.getValue();
            }
          }
          default -> {}
        }
      }
    }
    if (hows.contains(ReportValue.REPORT_VALUE_BEST)) {
      return new JsonPrimitive(best == null ? 0 : best);
    }
    return new JsonPrimitive(found);
  }

  /** The check that a key holds, if the step owes one. */
  private JsonElement check(String key) {
    if (!ruling.getVerdict().hasMovement()) {
      return JsonNull.INSTANCE;
    }
    JsonObject fields = new JsonObject();
    for (var owed : ruling.getVerdict().getMovement().getChecksList()) {
      boolean holds =
          known.reports(owed.getPluginId(), owed.getRule().getId()).stream()
              .anyMatch(
                  report ->
                      report.getKey().equals(key)
                          && report.getValue() == ReportValue.REPORT_VALUE_CHECK);
      if (!holds) {
        continue;
      }
      fields.addProperty("required", true);
      fields.addProperty("drm", owed.hasDrm() ? owed.getDrm() : null);
      fields.addProperty("checks", owed.getTimes());
      if (owed.hasDrm()) {
        JsonArray items = new JsonArray();
        for (var modifier : owed.getModifiersList()) {
          JsonObject item = new JsonObject();
          item.addProperty("what", modifier.getWhat());
          item.addProperty("drm", modifier.getDrm());
          items.add(item);
        }
        fields.add("items", items);
        fields.addProperty(
            "bogs_on_original_dr",
            owed.hasFailsAtOriginalDr() ? owed.getFailsAtOriginalDr() : null);
      }
      return fields;
    }
    fields.addProperty("required", false);
    fields.add("drm", JsonNull.INSTANCE);
    return fields;
  }

  private void put(String key, Object value) {
    if (value == null) {
      answer.add(key, JsonNull.INSTANCE);
    } else if (value instanceof Boolean flag) {
      answer.addProperty(key, flag);
    } else if (value instanceof Number number) {
      answer.addProperty(key, number);
    } else {
      answer.addProperty(key, value.toString());
    }
  }

  private static String lower(Enum<?> value, String prefix) {
    return value.name().replace(prefix, "").toLowerCase();
  }

  private static String place(Place place) {
    return switch (place.getPlaceCase()) {
      case HEX -> place.getHex();
      case HEXSIDE -> place.getHexside();
      case PLACE_NOT_SET -> null;
    };
  }

  /** The numbers of rules, each once. */
  private static JsonArray numbers(List<Citation> rules) {
    Set<String> numbers = new TreeSet<>();
    rules.forEach(rule -> numbers.add(rule.getRule().getNumber()));
    return texts(numbers);
  }

  private static JsonArray texts(Collection<String> items) {
    JsonArray all = new JsonArray();
    items.forEach(all::add);
    return all;
  }
}
