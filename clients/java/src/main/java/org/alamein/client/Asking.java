package org.alamein.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import org.alamein.v1.BatchAdjudicateRequest;
import org.alamein.v1.FireLaneRequest;
import org.alamein.v1.LineOfFireRequest;
import org.alamein.v1.LineOfSightRequest;
import org.alamein.v1.MovementRequest;
import org.alamein.v1.Question;
import org.alamein.v1.Ruling;
import org.alamein.v1.SetUpRequest;
import org.alamein.v1.Subject;

/** Questions about a position, asked in one way. */
final class Asking {
  /** How many questions go in one request, so that the answers fit into one message. */
  private static final int BATCH = 64;

  private final AlameinClient client;
  private final Subject subject;
  private Ask ask;

  Asking(AlameinClient client, Subject subject, Ask ask) {
    this.client = client;
    this.subject = subject;
    this.ask = ask;
  }

  /** Asks one question. */
  Ruling one(Question question) {
    var stub = client.adjudication();
    return switch (question.getQuestionCase()) {
      case LINE_OF_SIGHT -> {
        var request = LineOfSightRequest.newBuilder().setSubject(subject).setView(ask.view());
        request.setRuleset(ask.ruleset()).setRulesFingerprint(ask.rulesFingerprint());
        request.setQuestion(question.getLineOfSight()).setOptions(question.getOptions());
        request.setAsSide(ask.asSide());
        yield client.call(stub::lineOfSight, request.build()).getRuling();
      }
      case LINE_OF_FIRE -> {
        var request = LineOfFireRequest.newBuilder().setSubject(subject).setView(ask.view());
        request.setRuleset(ask.ruleset()).setRulesFingerprint(ask.rulesFingerprint());
        request.setQuestion(question.getLineOfFire()).setOptions(question.getOptions());
        request.setAsSide(ask.asSide());
        yield client.call(stub::lineOfFire, request.build()).getRuling();
      }
      case FIRE_LANE -> {
        var request = FireLaneRequest.newBuilder().setSubject(subject).setView(ask.view());
        request.setRuleset(ask.ruleset()).setRulesFingerprint(ask.rulesFingerprint());
        request.setQuestion(question.getFireLane()).setOptions(question.getOptions());
        request.setAsSide(ask.asSide());
        yield client.call(stub::fireLane, request.build()).getRuling();
      }
      case MOVEMENT -> {
        var request = MovementRequest.newBuilder().setSubject(subject).setView(ask.view());
        request.setRuleset(ask.ruleset()).setRulesFingerprint(ask.rulesFingerprint());
        request.setQuestion(question.getMovement()).setOptions(question.getOptions());
        request.setAsSide(ask.asSide());
        yield client.call(stub::movement, request.build()).getRuling();
      }
      case SET_UP -> {
        var request = SetUpRequest.newBuilder().setSubject(subject).setView(ask.view());
        request.setRuleset(ask.ruleset()).setRulesFingerprint(ask.rulesFingerprint());
        request.setQuestion(question.getSetUp()).setOptions(question.getOptions());
        request.setAsSide(ask.asSide());
        yield client.call(stub::setUp, request.build()).getRuling();
      }
      // The service says what is missing, in its own words.
      case QUESTION_NOT_SET -> batch(List.of(question)).get(0).ruling();
    };
  }

  /** Asks questions as they come. */
  Iterator<Answer> each(Iterator<Question> questions) {
    return new Iterator<>() {
      private final Queue<Answer> ready = new ArrayDeque<>();

      @Override
      public boolean hasNext() {
        if (ready.isEmpty()) {
          List<Question> next = new ArrayList<>(BATCH);
          while (next.size() < BATCH && questions.hasNext()) {
            next.add(questions.next());
          }
          if (!next.isEmpty()) {
            ready.addAll(batch(next));
          }
        }
        return !ready.isEmpty();
      }

      @Override
      public Answer next() {
        if (!hasNext()) {
          throw new NoSuchElementException("all questions are answered");
        }
        return ready.remove();
      }
    };
  }

  /** Asks one request's worth of questions, and has those that follow judged by the same rules. */
  private List<Answer> batch(List<Question> questions) {
    var request = BatchAdjudicateRequest.newBuilder().setSubject(subject).setView(ask.view());
    request.setRuleset(ask.ruleset()).setRulesFingerprint(ask.rulesFingerprint());
    request.setAsSide(ask.asSide()).addAllQuestions(questions);
    var said = client.call(client.adjudication()::batchAdjudicate, request.build());
    if (said.getAnswersCount() != questions.size()) {
      throw AlameinException.ofAnswer(
          said.getAnswersCount() + " answers to " + questions.size() + " questions");
    }
    // By the fingerprint alone: a name may come to stand for other rules between two requests.
    ask = ask.withRuleset("").withRulesFingerprint(said.getRulesFingerprint());
    List<Answer> answers = new ArrayList<>(questions.size());
    for (var it : said.getAnswersList()) {
      answers.add(
          switch (it.getAnswerCase()) {
            case RULING -> new Answer(it.getTag(), Optional.of(it.getRuling()), Optional.empty());
            case ERROR -> {
              var error = AlameinException.of(it.getError());
              yield new Answer(it.getTag(), Optional.empty(), Optional.of(error));
            }
            case ANSWER_NOT_SET ->
                throw AlameinException.ofAnswer("neither ruling nor error in it");
          });
    }
    return answers;
  }
}
