package org.alamein.client;

import static org.alamein.client.CaseFile.condition;
import static org.alamein.client.CaseFile.number;
import static org.alamein.client.CaseFile.text;
import static org.alamein.client.CaseFile.unitClass;
import static org.alamein.client.CaseFile.word;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Arrays;
import java.util.function.Function;
import org.alamein.v1.AttackKind;
import org.alamein.v1.Concealment;
import org.alamein.v1.End;
import org.alamein.v1.Entry;
import org.alamein.v1.Fortification;
import org.alamein.v1.GroundPressure;
import org.alamein.v1.LaneMover;
import org.alamein.v1.LineOfFireQuestion;
import org.alamein.v1.MovementQuestion;
import org.alamein.v1.Mover;
import org.alamein.v1.Munition;
import org.alamein.v1.Question;
import org.alamein.v1.SetUpQuestion;
import org.alamein.v1.SetUpUnit;
import org.alamein.v1.VcaChange;
import org.alamein.v1.Way;

/** The questions of case files, turned into messages. */
final class CaseQuestions {
  private CaseQuestions() {}

  /** Reads what a question asks; null if nothing answers such a question. */
  static Question.Builder read(JsonObject file, Function<JsonElement, End> end) {
    return switch (text(file, "kind")) {
      case "line_of_sight" ->
          Questions.lineOfSight(end.apply(file.get("from")), end.apply(file.get("to"))).toBuilder();
      case "line_of_fire" -> {
        var asked = LineOfFireQuestion.newBuilder().setFrom(end.apply(file.get("from")));
        asked.setTo(end.apply(file.get("to"))).setAttack(attack(text(file, "attack")));
        String munition = text(file, "munition");
        if (!munition.equals("other")) {
          asked.setMunition(word(Munition.class, "MUNITION_", munition));
        }
        yield Question.newBuilder().setLineOfFire(asked);
      }
      case "fire_lane" ->
          Questions.fireLane(
              end.apply(file.get("mg")),
              text(file, "counter_hex"),
              text(file, "mover_hex"),
              word(LaneMover.class, "LANE_MOVER_", text(file, "mover")))
              .toBuilder();
      case "movement" -> {
        var entry = Entry.newBuilder().setFromHex(text(file, "from")).setToHex(text(file, "to"));
        yield Question.newBuilder().setMovement(moving(file).setEntry(entry.setWay(way(file))));
      }
      case "vca_change" -> {
        var turn = VcaChange.newBuilder().setHex(text(file, "hex")).setWay(way(file));
        turn.setEnteredFrom(text(file, "entered_from")).setHexsides(number(file, "hexsides"));
        yield Question.newBuilder().setMovement(moving(file).setVcaChange(turn));
      }
      case "setup" -> Question.newBuilder().setSetUp(setUp(file));
      default -> null;
    };
  }

  private static AttackKind attack(String word) {
    return switch (word) {
      case "", "direct" -> AttackKind.ATTACK_KIND_DIRECT;
      case "indirect", "mortar" -> AttackKind.ATTACK_KIND_MORTAR;
      case "oba" -> AttackKind.ATTACK_KIND_OBA;
      default -> throw new IllegalArgumentException(word);
    };
  }

  private static MovementQuestion.Builder moving(JsonObject file) {
    JsonObject mover = file.getAsJsonObject("mover");
    var it = Mover.newBuilder().setClass_(unitClass(text(mover, "class")));
    String pressure = text(mover, "ground_pressure");
    it.setGroundPressure(word(GroundPressure.class, "GROUND_PRESSURE_", pressure));
    it.setBritishBuilt(mover.has("british_built") && mover.get("british_built").getAsBoolean());
    if (mover.has("weight_tons")) {
      it.setWeightTons(mover.get("weight_tons").getAsDouble());
    }
    return MovementQuestion.newBuilder().setMover(it).setEc(condition(file));
  }

  private static Way way(JsonObject file) {
    return word(Way.class, "WAY_", text(file, "along"));
  }

  private static SetUpQuestion.Builder setUp(JsonObject file) {
    var asked = SetUpQuestion.newBuilder().setHex(text(file, "hex"));
    String what = "FORTIFICATION_" + text(file, "what").toUpperCase();
    if (Arrays.stream(Fortification.values()).anyMatch(it -> it.name().equals(what))) {
      return asked.setFortification(Fortification.valueOf(what));
    }
    var unit = SetUpUnit.newBuilder().setClass_(unitClass(text(file, "what")));
    String concealment = text(file, "concealment");
    if (!concealment.equals("unconcealed")) {
      unit.setConcealment(word(Concealment.class, "CONCEALMENT_", concealment));
    }
    unit.setBeneath(word(Fortification.class, "FORTIFICATION_", text(file, "beneath")));
    return asked.setUnit(unit);
  }
}
