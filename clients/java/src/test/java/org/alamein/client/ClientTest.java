package org.alamein.client;

import static org.alamein.client.Examples.counter;
import static org.alamein.client.Examples.deir;
import static org.alamein.client.Examples.map;
import static org.alamein.client.Examples.shot;
import static org.alamein.client.Examples.squad;
import static org.alamein.client.Positions.hexes;
import static org.alamein.client.Positions.hexsides;
import static org.alamein.client.Positions.knownTo;
import static org.alamein.client.Positions.layer;
import static org.alamein.client.Positions.moveTo;
import static org.alamein.client.Positions.on;
import static org.alamein.client.Positions.onKept;
import static org.alamein.client.Positions.onKeptMap;
import static org.alamein.client.Positions.onMap;
import static org.alamein.client.Positions.place;
import static org.alamein.client.Positions.remove;
import static org.alamein.client.Questions.atHex;
import static org.alamein.client.Questions.fireLane;
import static org.alamein.client.Questions.lineOfSight;
import static org.alamein.client.Questions.step;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.stream.IntStream;
import org.alamein.v1.CounterClass;
import org.alamein.v1.ErrorReason;
import org.alamein.v1.GetGameRequest;
import org.alamein.v1.LaneMover;
import org.alamein.v1.Map;
import org.alamein.v1.Mover;
import org.alamein.v1.Question;
import org.alamein.v1.SetUpQuestion;
import org.alamein.v1.SetUpUnit;
import org.alamein.v1.View;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ClientTest {
  private static Service service;
  private static AlameinClient client;

  @BeforeAll
  static void start() {
    service = Service.start();
    client = service.client();
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      client.close();
      service.close();
    }
  }

  @Test
  void theRulingIsTheSameByEveryWayIn() {
    var infantry = Mover.newBuilder().setClass_(CounterClass.COUNTER_CLASS_SQUAD).build();
    var gun = SetUpUnit.newBuilder().setClass_(CounterClass.COUNTER_CLASS_GUN);
    var setUp = SetUpQuestion.newBuilder().setHex("P6").setUnit(gun);
    List<Question> questions =
        List.of(
            shot("fire"),
            lineOfSight(atHex("P3"), atHex("P5")),
            fireLane(atHex("P3"), "P6", "P5", LaneMover.LANE_MOVER_INFANTRY),
            step(infantry, "P5", "P6"),
            Question.newBuilder().setSetUp(setUp).build());
    List<Answer> together = client.adjudicateAll(on(deir()), questions, Ask.DEFAULT);
    String kept = client.createPosition(deir());
    for (int at = 0; at < questions.size(); at++) {
      var alone = client.adjudicate(onKept(kept), questions.get(at));
      assertNotEquals("", alone.getRulingId());
      assertEquals(alone.getRulingId(), together.get(at).ruling().getRulingId());
    }
    var fire = together.get(0).ruling();
    assertEquals(1, fire.getVerdict().getLineOfFire().getTem());
    assertTrue(
        fire.getFindingsList().stream()
            .anyMatch(it -> it.getStanding() && it.getRule().getNumber().equals("F4.5")));
  }

  @Test
  void asksForASideAndByARuleset() {
    var hidden =
        counter("hip", CounterClass.COUNTER_CLASS_TANK, "P5", "axis").addKnownTo("axis").build();
    var position = deir().toBuilder().addCounters(hidden).build();
    Ask asAllied = Ask.DEFAULT.withSide("allied").withView(View.VIEW_EXPLAIN);
    var seen = client.adjudicate(on(position), shot(""), asAllied);
    assertTrue(seen.getHiddenMatters());
    assertFalse(seen.toString().contains("hip"), seen.toString());
    assertEquals(View.VIEW_EXPLAIN, seen.getView());
    Ask unknown = Ask.DEFAULT.withRuleset("no-such");
    refused(ErrorReason.ERROR_REASON_RULESET_NOT_FOUND, on(deir()), shot(""), unknown);
    Ask others = Ask.DEFAULT.withRulesFingerprint("0".repeat(64));
    refused(ErrorReason.ERROR_REASON_RULESET_NOT_AVAILABLE, on(deir()), shot(""), others);
  }

  private static AlameinException refused(
      ErrorReason reason, org.alamein.v1.Subject subject, Question question, Ask ask) {
    var error =
        assertThrows(AlameinException.class, () -> client.adjudicate(subject, question, ask));
    assertEquals(reason, error.reason(), error.toString());
    return error;
  }

  @Test
  void errorsNameReasonAndField() {
    var wrong = on(onMap(map(), squad("7P")));
    var error = refused(ErrorReason.ERROR_REASON_UNKNOWN_HEX, wrong, shot(""), Ask.DEFAULT);
    assertEquals(Status.Code.INVALID_ARGUMENT, error.code());
    assertTrue(error.is(ErrorReason.ERROR_REASON_UNKNOWN_HEX));
    assertEquals("UNKNOWN_HEX", error.reasonName());
    assertEquals("7P", error.metadata().get("value"));
    assertEquals(1, error.fields().size());
    assertEquals("subject.position.counters[0].hex", error.fields().get(0).path());
    assertNotEquals("", error.fields().get(0).description());
    assertFalse(error.isTransient());
    assertTrue(error.getMessage().contains("UNKNOWN_HEX"), error.getMessage());
    refused(
        ErrorReason.ERROR_REASON_MISSING_FIELD,
        on(deir()),
        Question.getDefaultInstance(),
        Ask.DEFAULT);
  }

  @Test
  void errorsOfStubsCanBeReadToo() {
    var request = GetGameRequest.newBuilder().setGameId("none").build();
    var called =
        assertThrows(AlameinException.class, () -> client.call(client.games()::getGame, request));
    assertEquals(ErrorReason.ERROR_REASON_GAME_NOT_FOUND, called.reason());
    var stub = client.games();
    var thrown = assertThrows(StatusRuntimeException.class, () -> stub.getGame(request));
    assertTrue(AlameinException.of(thrown).is(ErrorReason.ERROR_REASON_GAME_NOT_FOUND));
  }

  @Test
  void anErrorOfOneQuestionIsItsAnswer() {
    var off = lineOfSight(atHex("P3"), atHex("ZZ99"));
    var answers = client.adjudicateAll(on(deir()), List.of(shot("a"), off, shot("b")), Ask.DEFAULT);
    assertTrue(answers.get(0).found().isPresent());
    assertEquals("b", answers.get(2).tag());
    var error = answers.get(1).error().orElseThrow();
    assertEquals("line_of_sight.to.hex", error.fields().get(0).path());
    assertThrows(AlameinException.class, () -> answers.get(1).ruling());
  }

  @Test
  void veryManyQuestionsAreAskedInTurns() {
    var questions = IntStream.range(0, 150).mapToObj(at -> shot(Integer.toString(at)));
    var answers =
        client.adjudicateEach(
            on(deir()), questions.iterator(), Ask.DEFAULT.withView(View.VIEW_VERDICT));
    for (int at = 0; at < 150; at++) {
      Answer answer = answers.next();
      assertEquals(Integer.toString(at), answer.tag());
      assertTrue(answer.ruling().getVerdict().hasLineOfFire());
    }
    assertFalse(answers.hasNext());
    var lost =
        client.adjudicateEach(onKept("0".repeat(64)), List.of(shot("")).iterator(), Ask.DEFAULT);
    var error = assertThrows(AlameinException.class, lost::next);
    assertEquals(ErrorReason.ERROR_REASON_POSITION_NOT_FOUND, error.reason());
  }

  @Test
  void mapsAndPositionsAreKept() {
    String here = client.createPosition(onKeptMap(client.createMap(map()), squad("P6")));
    assertEquals(here, client.createPosition(deir()));
    var tank = counter("t", CounterClass.COUNTER_CLASS_TANK, "P3", "allied").build();
    var changed =
        client.applyChanges(onKept(here), moveTo("sq", "P7"), place(tank), knownTo("t", "allied"));
    assertEquals(here, changed.getPreviousPositionId());
    assertEquals(2, changed.getDifferencesCount());
    var back =
        client.applyChanges(
            onKept(changed.getPositionId()), moveTo("sq", "P6"), knownTo("t"), remove("t"));
    assertEquals(here, back.getPositionId());
    var lips = layer("deir", hexes("hexes", "P6"), hexsides("lip_hexsides", "P5|P6"));
    client.createPosition(onMap(Map.newBuilder().addLayers(lips).build(), tank));
  }
}
