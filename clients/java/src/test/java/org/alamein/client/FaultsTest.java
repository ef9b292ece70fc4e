package org.alamein.client;

import static org.alamein.client.Examples.deir;
import static org.alamein.client.Examples.shot;
import static org.alamein.client.Positions.moveTo;
import static org.alamein.client.Positions.on;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.alamein.v1.CreateGameRequest;
import org.alamein.v1.DeleteGameRequest;
import org.alamein.v1.ErrorReason;
import org.alamein.v1.Game;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class FaultsTest {
  /** For services that are started again: that takes longer than one that has a hiccup. */
  private static final Retry STEADFAST =
      new Retry(300, Duration.ofMillis(20), Duration.ofMillis(500), 100);

  /** A client that outlasts restarts. A disk may let a service wait for long that keeps a game. */
  private static AlameinClientBuilder lasting(String address) {
    return AlameinClient.builder(address).retry(STEADFAST).timeout(Duration.ofMinutes(2));
  }

  @Test
  void aServiceThatSaysNothingIsNotWaitedForLong() throws Exception {
    Duration brief = Duration.ofMillis(300);
    try (Service service = Service.start();
        AlameinClient usual = service.client();
        AlameinClient hasty =
            service.ready(AlameinClient.builder(service.address()).timeout(brief))) {
      service.signal("STOP");
      long began = System.nanoTime();
      var error =
          assertThrows(AlameinException.class, () -> hasty.adjudicate(on(deir()), shot("")));
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      assertEquals(Status.Code.DEADLINE_EXCEEDED, error.code(), error.toString());
      assertTrue(took.compareTo(brief) >= 0 && took.compareTo(brief.multipliedBy(20)) < 0);
      // A stub's call has the client's deadline too, and a context may have a nearer one.
      var stub = hasty.rulesets();
      var request = org.alamein.v1.ListRulesetsRequest.getDefaultInstance();
      assertThrows(io.grpc.StatusRuntimeException.class, () -> stub.listRulesets(request));
      var timer = Executors.newSingleThreadScheduledExecutor();
      try (var nearer = Context.current().withDeadlineAfter(200, TimeUnit.MILLISECONDS, timer)) {
        var late =
            assertThrows(
                AlameinException.class,
                () -> nearer.call(() -> usual.adjudicate(on(deir()), shot(""))));
        assertEquals(Status.Code.DEADLINE_EXCEEDED, late.code());
      }
      timer.shutdownNow();
      service.signal("CONT");
    }
  }

  @Test
  void aCallOutlastsARestart() throws Exception {
    Service first = Service.start();
    String address = first.address();
    try (AlameinClient steadfast = first.ready(lasting(address));
        AlameinClient usual = first.client()) {
      first.kill();
      var error =
          assertThrows(AlameinException.class, () -> usual.adjudicate(on(deir()), shot("")));
      assertEquals(Status.Code.UNAVAILABLE, error.code(), error.toString());
      assertTrue(error.isTransient());
      // What may not be done twice is not tried again.
      long began = System.nanoTime();
      var delete = DeleteGameRequest.newBuilder().setGameId("g").setEtag("e").build();
      assertThrows(
          AlameinException.class, () -> steadfast.call(steadfast.games()::deleteGame, delete));
      assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(5));
      var answer = CompletableFuture.supplyAsync(() -> steadfast.adjudicate(on(deir()), shot("")));
      Service.pause(200);
      Service second = Service.start("--listen", address);
      assertTrue(answer.get(120, TimeUnit.SECONDS).getVerdict().hasLineOfFire());
      second.kill();
    }
  }

  @Test
  void whoWaitsCanBeInterrupted() {
    Service service = Service.start();
    Retry slow = new Retry(9, Duration.ofSeconds(8), Duration.ofSeconds(8), 100);
    try (AlameinClient client =
        service.ready(AlameinClient.builder(service.address()).retry(slow))) {
      service.kill();
      Thread.currentThread().interrupt();
      var error =
          assertThrows(AlameinException.class, () -> client.adjudicate(on(deir()), shot("")));
      assertEquals(Status.Code.CANCELLED, error.code());
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void aGameAndWhoWatchesItOutlastRestarts(@TempDir Path store) throws Exception {
    String folder = store.toString();
    Service service = Service.start("--store", folder);
    String address = service.address();
    try (AlameinClient client = service.ready(lasting(address))) {
      var begin = CreateGameRequest.newBuilder().setGameId("el-alamein").setOwner("club");
      Game begun = client.createGame(begin.setPosition(deir()).build());
      var twice = assertThrows(AlameinException.class, () -> client.createGame(begin.build()));
      assertEquals(ErrorReason.ERROR_REASON_GAME_EXISTS, twice.reason());

      GameWatch watch = client.watchGame("el-alamein", 0, "");
      assertEquals(1, watch.next().getNumber());
      Game game = client.advanceGame(begun, "axis", "into the deir", moveTo("sq", "P7"));
      assertEquals("into the deir", watch.next().getNote());
      var stale =
          assertThrows(
              AlameinException.class,
              () -> client.advanceGame(begun, "allied", "late", moveTo("sq", "P5")));
      assertEquals(ErrorReason.ERROR_REASON_ETAG_STALE, stale.reason());
      assertEquals(game.getEtag(), stale.metadata().get("etag"));

      service.kill();
      Game before = game;
      var moved =
          CompletableFuture.supplyAsync(
              () -> client.advanceGame(before, "axis", "over the break", moveTo("sq", "Q7")));
      service = Service.start("--store", folder, "--listen", address);
      game = moved.get(240, TimeUnit.SECONDS);
      assertEquals("over the break", watch.next().getNote());
      assertEquals(3, watch.lastNumber());
      assertEquals(game, client.getGame("el-alamein", ""));

      // A service that stops in order ends its streams, and the watch goes on at the next.
      service.signal("TERM");
      service.await();
      service = Service.start("--store", folder, "--listen", address);
      game = client.advanceGame(game, "axis", "back", moveTo("sq", "P7"));
      assertEquals(4, watch.next().getNumber());

      var waiting = CompletableFuture.supplyAsync(watch::hasNext);
      Service.pause(100);
      watch.close();
      assertFalse(waiting.get(60, TimeUnit.SECONDS));

      var delete = DeleteGameRequest.newBuilder().setGameId("el-alamein").setEtag(game.getEtag());
      client.call(client.games()::deleteGame, delete.build());
      try (GameWatch gone = client.watchGame("el-alamein", 0, "")) {
        var error = assertThrows(AlameinException.class, gone::hasNext);
        assertEquals(ErrorReason.ERROR_REASON_GAME_NOT_FOUND, error.reason());
      }
    } finally {
      service.kill();
    }
  }
}
