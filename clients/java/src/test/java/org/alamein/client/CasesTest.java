package org.alamein.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alamein.client.CaseFile.Asked;
import org.alamein.client.CaseJudge.Outcome;
import org.alamein.v1.GetRulesetRequest;
import org.alamein.v1.Question;
import org.alamein.v1.View;
import org.junit.jupiter.api.Test;

/**
 * Replays every case file of the repository by this client, and compares what becomes of each
 * question with what {@code alamein check} says of it.
 */
class CasesTest {
  private static final Path CASES = Path.of("../../tests/cases");

  @Test
  void whatBecomesOfEachQuestionIsTheSameHere() throws IOException {
    List<Path> files;
    try (var all = Files.list(CASES)) {
      files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    Map<String, Outcome> here = new TreeMap<>();
    Map<String, Outcome> there = new TreeMap<>();
    try (Service service = Service.start();
        AlameinClient client = service.client()) {
      var request = GetRulesetRequest.getDefaultInstance();
      Known known = new Known(client.call(client.rulesets()::getRuleset, request).getRuleset());
      for (Path file : files) {
        replay(client, file, known, here);
      }
      check(service, files, there);
    }
    assertEquals(there, here);
    assertEquals(0, count(here, "failed"));
    assertTrue(count(here, "passed") > 800);
    System.out.printf(
        "cases: %d passed, %d failed, %d skipped%n",
        count(here, "passed"), count(here, "failed"), count(here, "skipped"));
  }

  private static long count(Map<String, Outcome> all, String outcome) {
    return all.values().stream().filter(it -> it.outcome().equals(outcome)).count();
  }

  private static void replay(
      AlameinClient client, Path path, Known known, Map<String, Outcome> outcomes)
      throws IOException {
    CaseFile file = new CaseFile(path, known);
    List<Asked> open = new ArrayList<>();
    boolean others = !file.options.isEmpty() && !file.options.equals(known.options);
    for (Asked asked : file.questions) {
      var decided = CaseJudge.decided(asked);
      if (decided.isPresent()) {
        outcomes.put(path + " " + asked.id(), decided.get());
      } else if (others) {
        String why = "the service judges by other options than the file wants";
        outcomes.put(path + " " + asked.id(), Outcome.skipped(why));
      } else {
        open.add(asked);
      }
    }
    List<Question> questions = open.stream().map(Asked::question).toList();
    Ask ask = Ask.DEFAULT.withView(View.VIEW_EXPLAIN);
    List<Answer> answers = client.adjudicateAll(Positions.on(file.position), questions, ask);
    CaseJudge judge = new CaseJudge(known);
    for (int at = 0; at < open.size(); at++) {
      Asked asked = open.get(at);
      assertEquals(asked.id(), answers.get(at).tag());
      outcomes.put(path + " " + asked.id(), judge.judge(asked, answers.get(at)));
      notBlind(judge, asked, answers.get(at));
    }
  }

  /** Has the file expect something else, and the comparison notice it. */
  private static void notBlind(CaseJudge judge, Asked asked, Answer answer) {
    for (var expected : asked.expect().entrySet()) {
      JsonElement twisted = twisted(expected.getValue());
      if (twisted == null) {
        continue;
      }
      JsonObject expect = new JsonObject();
      expect.add(expected.getKey(), twisted);
      Asked other = new Asked(asked.id(), asked.kind(), asked.question(), expect, Map.of(), false);
      assertNotEquals("passed", judge.judge(other, answer).outcome(), asked.id() + ": " + expect);
    }
  }

  private static JsonElement twisted(JsonElement value) {
    if (!value.isJsonPrimitive()) {
      return null;
    }
    JsonPrimitive it = value.getAsJsonPrimitive();
    if (it.isBoolean()) {
      return new JsonPrimitive(!it.getAsBoolean());
    }
    return it.isNumber()
        ? new JsonPrimitive(it.getAsInt() + 1)
        : new JsonPrimitive(it.getAsString() + "?");
  }

  /** What {@code alamein check} makes of the files, by the same service. */
  private static void check(Service service, List<Path> files, Map<String, Outcome> outcomes) {
    List<String> command = new ArrayList<>(List.of(Service.binary(), "check", "--json"));
    command.addAll(List.of("--server", "http://" + service.address()));
    files.forEach(file -> command.add(file.toString()));
    String said = Service.run(Path.of("."), command.toArray(String[]::new));
    for (JsonElement it :
        JsonParser.parseString(said).getAsJsonObject().getAsJsonArray("questions")) {
      JsonObject told = it.getAsJsonObject();
      String why = told.has("why") ? told.get("why").getAsString() : "";
      String name = told.get("file").getAsString() + " " + told.get("id").getAsString();
      outcomes.put(name, new Outcome(told.get("outcome").getAsString(), why));
    }
  }
}
