package org.alamein.client;

import static org.alamein.client.Examples.deir;
import static org.alamein.client.Positions.on;
import static org.alamein.client.Questions.atCounter;
import static org.alamein.client.Questions.atHex;
import static org.alamein.client.Questions.lineOfSight;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.alamein.v1.ErrorReason;
import org.alamein.v1.FieldOfViewQuestion;
import org.alamein.v1.LineOfSightResult;
import org.alamein.v1.Question;
import org.alamein.v1.Sight;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SightTest {
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
  void aFieldOfViewSaysWhatEachLineDoes() {
    var sq = atCounter("sq");
    var asked = FieldOfViewQuestion.newBuilder().setFrom(sq).setRange(4).build();
    var field = client.fieldOfView(on(deir()), asked, Ask.DEFAULT);
    assertEquals("P6", field.packed().getHead().getViewerHex());
    assertEquals(61, field.hexes().size());
    assertFalse(field.hexes().containsKey("A1"));
    var names = List.copyOf(field.hexes().keySet());
    List<Question> questions = new ArrayList<>();
    names.forEach(name -> questions.add(lineOfSight(sq, atHex(name))));
    var answers = client.adjudicateAll(on(deir()), questions, Ask.DEFAULT);
    for (int at = 0; at < names.size(); at++) {
      var seen = field.hexes().get(names.get(at));
      var line = answers.get(at).ruling().getVerdict().getLineOfSight();
      var blocked = line.getResult() == LineOfSightResult.LINE_OF_SIGHT_RESULT_BLOCKED;
      assertEquals(!blocked, seen.isSeen(), names.get(at));
      var drm = line.hasHindrance() ? Optional.of(line.getHindrance()) : Optional.empty();
      assertEquals(drm, seen.hindrance(), names.get(at));
    }
    List<String> judged = new ArrayList<>();
    client
        .look(on(deir()), asked, Ask.DEFAULT)
        .forEachRemaining(
            hex -> {
              assertEquals(field.hexes().get(hex.getHex()).sight(), hex.getSight());
              judged.add(hex.getHex());
            });
    assertEquals(names, judged);
  }

  @Test
  void whatCannotBeAskedIsRefused() {
    var nobody = FieldOfViewQuestion.newBuilder().setFrom(atCounter("nobody")).build();
    var packed =
        assertThrows(
            AlameinException.class, () -> client.fieldOfView(on(deir()), nobody, Ask.DEFAULT));
    assertEquals(ErrorReason.ERROR_REASON_UNKNOWN_COUNTER, packed.reason());
    var parts = client.look(on(deir()), nobody, Ask.DEFAULT);
    var streamed = assertThrows(AlameinException.class, parts::hasNext);
    assertEquals(packed.reason(), streamed.reason());
  }

  @Test
  void aByteSaysWhatASightIs() {
    assertEquals(Optional.empty(), FieldOfView.unpack((byte) 0));
    var six = FieldOfView.unpack((byte) 134).orElseThrow();
    assertEquals(Sight.SIGHT_BLOCKED_BY_HINDRANCES, six.sight());
    assertEquals(Optional.of(6), six.hindrance());
    var two = FieldOfView.unpack((byte) 66).orElseThrow();
    assertEquals(Optional.of(2), two.hindrance());
    var later = FieldOfView.unpack((byte) 7).orElseThrow();
    assertEquals(Sight.SIGHT_NOT_IMPLEMENTED, later.sight());
  }
}
