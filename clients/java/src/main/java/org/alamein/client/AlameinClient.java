package org.alamein.client;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.alamein.v1.AdjudicationServiceGrpc;
import org.alamein.v1.AdjudicationServiceGrpc.AdjudicationServiceBlockingStub;
import org.alamein.v1.AdvanceGameRequest;
import org.alamein.v1.ApplyChangesRequest;
import org.alamein.v1.ApplyChangesResponse;
import org.alamein.v1.Change;
import org.alamein.v1.ChangeList;
import org.alamein.v1.CreateGameRequest;
import org.alamein.v1.CreateMapRequest;
import org.alamein.v1.CreatePositionRequest;
import org.alamein.v1.FieldOfViewQuestion;
import org.alamein.v1.FieldOfViewRequest;
import org.alamein.v1.Game;
import org.alamein.v1.GameServiceGrpc;
import org.alamein.v1.GameServiceGrpc.GameServiceBlockingStub;
import org.alamein.v1.GetGameRequest;
import org.alamein.v1.Map;
import org.alamein.v1.MapServiceGrpc;
import org.alamein.v1.MapServiceGrpc.MapServiceBlockingStub;
import org.alamein.v1.PackedFieldOfViewRequest;
import org.alamein.v1.PluginAdminServiceGrpc;
import org.alamein.v1.PluginAdminServiceGrpc.PluginAdminServiceBlockingStub;
import org.alamein.v1.Position;
import org.alamein.v1.PositionServiceGrpc;
import org.alamein.v1.PositionServiceGrpc.PositionServiceBlockingStub;
import org.alamein.v1.Question;
import org.alamein.v1.RulesetServiceGrpc;
import org.alamein.v1.RulesetServiceGrpc.RulesetServiceBlockingStub;
import org.alamein.v1.Ruling;
import org.alamein.v1.SightedHex;
import org.alamein.v1.Subject;

/**
 * A connection to a service. Any number of threads may share it.
 *
 * <p>It connects when it is first used, and again whenever the connection is lost. Each call has a
 * deadline, is tried again where that is safe and may help, and fails with an {@link
 * AlameinException}. What has no method here is asked of the stubs, by {@link #call}.
 */
public final class AlameinClient implements AutoCloseable {
  private final ManagedChannel managed;
  private final Channel channel;
  private final Duration timeout;
  private final Retry retry;
  private final Budget budget;

  AlameinClient(ManagedChannel managed, AlameinClientBuilder settings) {
    this.managed = managed;
    timeout = settings.timeout;
    retry = settings.retry;
    budget = new Budget(retry);
    List<ClientInterceptor> interceptors = new ArrayList<>();
    interceptors.add(new Deadlines(timeout));
    if (!settings.token.isEmpty()) {
      Metadata headers = new Metadata();
      var name = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
      headers.put(name, "Bearer " + settings.token);
      interceptors.add(MetadataUtils.newAttachHeadersInterceptor(headers));
    }
    channel = io.grpc.ClientInterceptors.intercept(managed, interceptors);
  }

  /**
   * Begins a client of the service at an address: {@code localhost:50051}, or {@code
   * https://rules.example.org}.
   *
   * @param address the address
   * @return what sets the rest
   */
  public static AlameinClientBuilder builder(String address) {
    return new AlameinClientBuilder(address);
  }

  /**
   * A client with the usual settings.
   *
   * @param address the service's address
   * @return the client
   */
  public static AlameinClient connect(String address) {
    return builder(address).build();
  }

  /**
   * Asks one question about a position.
   *
   * @param subject the position
   * @param question the question
   * @return the ruling, with all its findings
   */
  public Ruling adjudicate(Subject subject, Question question) {
    return adjudicate(subject, question, Ask.DEFAULT);
  }

  /**
   * Asks one question about a position.
   *
   * @param subject the position
   * @param question the question
   * @param ask how to ask
   * @return the ruling
   */
  public Ruling adjudicate(Subject subject, Question question, Ask ask) {
    return new Asking(this, subject, ask).one(question);
  }

  /**
   * Asks any number of questions about a position, all by the same rules.
   *
   * @param subject the position
   * @param questions the questions
   * @param ask how to ask
   * @return the answers, in the questions' order; an error in one question is that question's
   *     answer
   */
  public List<Answer> adjudicateAll(Subject subject, List<Question> questions, Ask ask) {
    List<Answer> answers = new ArrayList<>(questions.size());
    adjudicateEach(subject, questions.iterator(), ask).forEachRemaining(answers::add);
    return answers;
  }

  /**
   * Asks questions as they come, and gives the answers in their order as they come: of very many
   * questions it holds a few at a time. All are judged by the same rules.
   *
   * @param subject the position
   * @param questions the questions
   * @param ask how to ask
   * @return the answers; what fails as a whole is thrown by the iterator
   */
  public Iterator<Answer> adjudicateEach(Subject subject, Iterator<Question> questions, Ask ask) {
    return new Asking(this, subject, ask).each(questions);
  }

  /**
   * Asks what somebody sees, in one message.
   *
   * @param subject the position
   * @param question who looks, and how far
   * @param ask how to ask; its view means nothing here
   * @return the hexes in range
   */
  public FieldOfView fieldOfView(Subject subject, FieldOfViewQuestion question, Ask ask) {
    var request = PackedFieldOfViewRequest.newBuilder().setSubject(subject).setQuestion(question);
    request.setRuleset(ask.ruleset()).setRulesFingerprint(ask.rulesFingerprint());
    request.setAsSide(ask.asSide());
    var answer = call(adjudication()::packedFieldOfView, request.build());
    return new FieldOfView(answer.getField());
  }

  /**
   * Asks what somebody sees, and gives the hexes as the service judges them. It is not tried again
   * once it has begun.
   *
   * @param subject the position
   * @param question who looks, and how far
   * @param ask how to ask; its view means nothing here
   * @return the hexes, in the map's order; what fails is thrown by the iterator
   */
  public Iterator<SightedHex> look(Subject subject, FieldOfViewQuestion question, Ask ask) {
    var request = FieldOfViewRequest.newBuilder().setSubject(subject).setQuestion(question);
    request.setRuleset(ask.ruleset()).setRulesFingerprint(ask.rulesFingerprint());
    request.setAsSide(ask.asSide());
    return new Sighted(adjudication().fieldOfView(request.build()));
  }

  /**
   * Has the service keep a map.
   *
   * @param map the map
   * @return its id: the same map always has the same
   */
  public String createMap(Map map) {
    return call(maps()::createMap, CreateMapRequest.newBuilder().setMap(map).build()).getMapId();
  }

  /**
   * Has the service keep a position.
   *
   * @param position the position
   * @return its id, for {@link Positions#onKept}: the same position always has the same
   */
  public String createPosition(Position position) {
    var request = CreatePositionRequest.newBuilder().setPosition(position).build();
    return call(positions()::createPosition, request).getPositionId();
  }

  /**
   * Makes changes of a position, all of them or none, and has the service keep what comes of it.
   * The position that was changed stays as it is.
   *
   * @param subject the position
   * @param changes the changes
   * @return what came of it
   */
  public ApplyChangesResponse applyChanges(Subject subject, Change... changes) {
    var request = ApplyChangesRequest.newBuilder().setSubject(subject);
    return call(positions()::applyChanges, request.addAllChanges(List.of(changes)).build());
  }

  /**
   * Begins a game. A request without a {@code request_id} gets one, so that it is begun once
   * however often it is tried.
   *
   * @param request what to begin
   * @return the game
   */
  public Game createGame(CreateGameRequest request) {
    return call(games()::createGame, Repeats.withId(request)).getGame();
  }

  /**
   * Gives a game.
   *
   * @param gameId its id
   * @param asSide the side that it is to be seen by; empty means that everything is told
   * @return the game
   */
  public Game getGame(String gameId, String asSide) {
    var request = GetGameRequest.newBuilder().setGameId(gameId).setAsSide(asSide).build();
    return call(games()::getGame, request).getGame();
  }

  /**
   * Makes changes of the position of a game. It fails with the reason {@code ETAG_STALE} where the
   * game has moved on since it was as it is given here: get it again, and see whether the changes
   * still make sense.
   *
   * @param game the game as it is known
   * @param by who does it; may be empty
   * @param note what to say of it in the game's history; may be empty
   * @param changes the changes
   * @return the game as it then is
   */
  public Game advanceGame(Game game, String by, String note, Change... changes) {
    var request = AdvanceGameRequest.newBuilder();
    request.setGameId(game.getGameId()).setEtag(game.getEtag()).setBy(by).setNote(note);
    return advanceGame(
        request.setChanges(ChangeList.newBuilder().addAllChanges(List.of(changes))).build());
  }

  /**
   * Advances a game by a request of any kind. One without a {@code request_id} gets one, so that
   * the game is advanced once however often it is tried.
   *
   * @param request what to advance, and how
   * @return the game as it then is
   */
  public Game advanceGame(AdvanceGameRequest request) {
    return call(games()::advanceGame, Repeats.withId(request)).getGame();
  }

  /**
   * Follows a game: its entries after a number, and each further one as soon as it is there, in
   * order, each once and without gaps. Where the connection is lost or the service is started
   * again, it goes on after the last entry that it gave, for as long as it takes.
   *
   * @param gameId the game's id
   * @param after the number of the last entry that is known; 0 if none is
   * @param asSide the side that the entries are to be seen by; empty means that everything is told
   * @return the entries; close it to end it
   */
  public GameWatch watchGame(String gameId, long after, String asSide) {
    return new GameWatch(this, gameId, after, asSide);
  }

  /**
   * Asks the service whether it is ready to judge.
   *
   * @return whether it is
   */
  public boolean isServing() {
    var health = HealthGrpc.newBlockingStub(channel);
    var answer = call(health::check, HealthCheckRequest.getDefaultInstance());
    return answer.getStatus() == ServingStatus.SERVING;
  }

  /**
   * Makes a call of a stub, with this client's deadline, retries and errors: {@code
   * client.call(client.rulesets()::getRuleset, request)}. A deadline of the current {@link Context}
   * that is nearer holds too. A call that might do a thing twice is never tried again.
   *
   * @param method the stub's method
   * @param request what to send
   * @param <Q> the request's type
   * @param <A> the answer's type
   * @return the answer
   * @throws AlameinException if there is none
   */
  public <Q extends Message, A> A call(Function<Q, A> method, Q request) {
    Deadline deadline = Deadline.after(timeout.toNanos(), TimeUnit.NANOSECONDS);
    Deadline outer = Context.current().getDeadline();
    if (outer != null) {
      deadline = deadline.minimum(outer);
    }
    budget.add();
    for (int made = 1; ; made++) {
      AlameinException error;
      Context context = Deadlines.within(deadline);
      Context before = context.attach();
      try {
        return method.apply(request);
      } catch (StatusRuntimeException thrown) {
        error = AlameinException.of(thrown);
      } finally {
        context.detach(before);
      }
      if (made >= retry.tries() || !error.isTransient() || !Repeats.mayRepeat(request)) {
        throw error;
      }
      Duration wait = retry.wait(made, error.retryDelay());
      // What cannot end in time is not begun.
      if (deadline.timeRemaining(TimeUnit.NANOSECONDS) <= wait.toNanos() || !budget.take()) {
        throw error;
      }
      pause(wait);
    }
  }

  /** Waits, then has the channel try at once to connect, if it is not connected. */
  void pause(Duration wait) {
    try {
      TimeUnit.NANOSECONDS.sleep(wait.toNanos());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw AlameinException.here(Status.Code.CANCELLED, "interrupted", interrupted);
    }
    managed.resetConnectBackoff();
  }

  /** How long to wait after so many tries. */
  Duration waitAfter(int tries, Optional<Duration> asked) {
    return retry.wait(tries, asked);
  }

  /**
   * The channel, for stubs of any kind. Calls on it have this client's token and, where they have
   * no other, its deadline.
   *
   * @return the channel
   */
  public Channel channel() {
    return channel;
  }

  /**
   * The stub of the service that judges questions.
   *
   * @return the stub, without retries: see {@link #call}
   */
  public AdjudicationServiceBlockingStub adjudication() {
    return AdjudicationServiceGrpc.newBlockingStub(channel);
  }

  /**
   * The stub of the service that keeps games.
   *
   * @return the stub, without retries: see {@link #call}
   */
  public GameServiceBlockingStub games() {
    return GameServiceGrpc.newBlockingStub(channel);
  }

  /**
   * The stub of the service that keeps, composes and draws maps.
   *
   * @return the stub, without retries: see {@link #call}
   */
  public MapServiceBlockingStub maps() {
    return MapServiceGrpc.newBlockingStub(channel);
  }

  /**
   * The stub of the service that keeps positions.
   *
   * @return the stub, without retries: see {@link #call}
   */
  public PositionServiceBlockingStub positions() {
    return PositionServiceGrpc.newBlockingStub(channel);
  }

  /**
   * The stub of the service that tells of the rules and makes rulesets.
   *
   * @return the stub, without retries: see {@link #call}
   */
  public RulesetServiceBlockingStub rulesets() {
    return RulesetServiceGrpc.newBlockingStub(channel);
  }

  /**
   * The stub of the service that loads and replaces plugins. It answers at the listener for
   * administration alone.
   *
   * @return the stub, without retries: see {@link #call}
   */
  public PluginAdminServiceBlockingStub pluginAdmin() {
    return PluginAdminServiceGrpc.newBlockingStub(channel);
  }

  /** Ends the connection and what is open on it. */
  @Override
  public void close() {
    managed.shutdownNow();
    try {
      // Its threads end soon, and who runs in a container is not asked about them.
      managed.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives calls a deadline that have none. */
  private record Deadlines(Duration timeout) implements ClientInterceptor {
    private static final Context.Key<Deadline> OWN = Context.key("alamein-deadline");

    /** A context in which calls have this deadline. */
    static Context within(Deadline deadline) {
      // Not the context's own deadline: that needs a scheduler, and something to cancel.
      return Context.current().withValue(OWN, deadline);
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      // How long a stream lasts is for who reads it to say.
      if (options.getDeadline() == null && method.getType() == MethodDescriptor.MethodType.UNARY) {
        Deadline own = OWN.get();
        options =
            own != null
                ? options.withDeadline(own)
                : options.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
      }
      return next.newCall(method, options);
    }
  }

  /** Makes a channel. */
  static ManagedChannel channelTo(
      String target, io.grpc.ChannelCredentials credentials, int longestAnswer) {
    return Grpc.newChannelBuilder(target, credentials)
        .maxInboundMessageSize(longestAnswer)
        .userAgent("alamein-java")
        // A service that is gone without a word is noticed, also by who only watches.
        .keepAliveTime(30, TimeUnit.SECONDS)
        .keepAliveTimeout(10, TimeUnit.SECONDS)
        .build();
  }
}
