package org.alamein.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.alamein.v1.AdjudicationServiceProto;
import org.alamein.v1.AdvanceGameRequest;
import org.alamein.v1.GameServiceProto;
import org.alamein.v1.MapServiceProto;
import org.alamein.v1.PluginAdminServiceProto;
import org.alamein.v1.PositionServiceProto;
import org.alamein.v1.RulesetServiceProto;
import org.junit.jupiter.api.Test;

class RetryTest {
  /** What must not be done twice. What is new in the API must be thought about. */
  private static final Set<String> NEVER =
      Set.of(
          "DeleteGame",
          "CreateRuleset",
          "TagRuleset",
          "LoadPlugin",
          "ReplacePlugin",
          "RetirePlugin");

  @Test
  void everyMethodIsThoughtAbout() {
    var files =
        List.of(
            AdjudicationServiceProto.getDescriptor(),
            GameServiceProto.getDescriptor(),
            MapServiceProto.getDescriptor(),
            PositionServiceProto.getDescriptor(),
            RulesetServiceProto.getDescriptor(),
            PluginAdminServiceProto.getDescriptor());
    int methods = 0;
    for (var file : files) {
      for (MethodDescriptor method : file.getServices().get(0).getMethods()) {
        if (method.isServerStreaming()) {
          continue;
        }
        methods++;
        var type = method.getInputType();
        assertEquals(method.getName() + "Request", type.getName());
        var empty = DynamicMessage.getDefaultInstance(type);
        var id = type.findFieldByName("request_id");
        if (id == null) {
          boolean never = NEVER.contains(method.getName());
          assertEquals(!never, Repeats.mayRepeat(empty), method.getName());
        } else {
          assertFalse(Repeats.mayRepeat(empty), method.getName());
          var named = empty.toBuilder().setField(id, "one").build();
          assertTrue(Repeats.mayRepeat(named), method.getName());
        }
      }
    }
    assertTrue(methods > 30);
  }

  @Test
  void aRequestGetsAnIdOfItsOwn() {
    var request = AdvanceGameRequest.newBuilder().setGameId("g").build();
    var first = Repeats.withId(request);
    assertEquals("g", first.getGameId());
    assertEquals(32, first.getRequestId().length());
    assertNotEquals(first.getRequestId(), Repeats.withId(request).getRequestId());
    assertSame(first, Repeats.withId(first));
  }

  @Test
  void anAnswerThatBreaksOffOnItsWayMayBeAskedForAgain() {
    // As gRPC and proxies say it where the service behind them is lost after its answer began.
    for (var code : List.of(Status.Code.INTERNAL, Status.Code.UNKNOWN, Status.Code.UNAVAILABLE)) {
      assertTrue(AlameinException.here(code, "broken", /* cause= */ null).isTransient());
    }
    for (var code : List.of(Status.Code.ABORTED, Status.Code.RESOURCE_EXHAUSTED)) {
      assertFalse(AlameinException.here(code, "told", /* cause= */ null).isTransient());
    }
  }

  @Test
  void waitsGrowToTheirBound() {
    Retry retry = Retry.DEFAULT;
    for (int made = 1; made < 60; made++) {
      long most = retry.longest().toMillis();
      if (made < 6) {
        most = Math.min(most, retry.first().toMillis() << (made - 1));
      }
      long wait = retry.wait(made, Optional.empty()).toMillis();
      assertTrue(most / 2 <= wait && wait <= most, made + ": " + wait);
    }
    Duration asked = Duration.ofMinutes(1);
    Duration wait = retry.wait(1, Optional.of(asked));
    assertTrue(wait.compareTo(asked) >= 0);
    assertTrue(wait.compareTo(asked.plus(retry.first())) <= 0);
    assertThrows(IllegalArgumentException.class, () -> new Retry(0, asked, asked, 0));
  }

  @Test
  void whatIsInReserveIsUsedUpAndEarnedAgain() {
    Budget budget = new Budget(Retry.DEFAULT);
    assertEquals(10, taken(budget));
    for (int call = 0; call < 20; call++) {
      budget.add();
    }
    assertEquals(4, taken(budget));
    for (int call = 0; call < 1000; call++) {
      budget.add();
    }
    assertEquals(10, taken(budget));
    Retry many = new Retry(30, Duration.ofMillis(1), Duration.ofMillis(1), 0);
    assertEquals(30, taken(new Budget(many)));
  }

  private static int taken(Budget budget) {
    int count = 0;
    while (budget.take()) {
      count++;
    }
    return count;
  }
}
