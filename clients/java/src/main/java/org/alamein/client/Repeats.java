package org.alamein.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** Says which requests may be sent twice. */
final class Repeats {
  /** Those that read, and those that make what is named by its content. */
  private static final Set<String> ALWAYS =
      Set.of(
          "LineOfSight",
          "LineOfFire",
          "FireLane",
          "Movement",
          "SetUp",
          "PricePath",
          "Reachable",
          "PackedFieldOfView",
          "BatchAdjudicate",
          "ExportCase",
          "GetGame",
          "ListGames",
          "ListEntries",
          "CreateMap",
          "GetMap",
          "ListMaps",
          "ValidateMap",
          "ComposeMap",
          "RenderMap",
          "CreatePosition",
          "ApplyChanges",
          "GetPosition",
          "DiffPositions",
          "GetRuleset",
          "ListRulesets",
          "DiffRulesets",
          "ListConflicts",
          "ListPlugins",
          "HealthCheck");

  /** Those whose second the service knows for the first by its {@code request_id}. */
  private static final Set<String> WITH_ID =
      Set.of("CreateGame", "AdvanceGame", "UndoGame", "ForkGame", "ChangeGameRuleset");

  private static final SecureRandom RANDOM = new SecureRandom();

  private Repeats() {}

  /** Whether a request may be sent twice. */
  static boolean mayRepeat(Message request) {
    String name = request.getDescriptorForType().getName().replaceFirst("Request$", "");
    if (WITH_ID.contains(name)) {
      return !request.getField(requestId(request)).equals("");
    }
    return ALWAYS.contains(name);
  }

  /** The request with a {@code request_id}: its own, or a new one. */
  @SuppressWarnings("unchecked")
  static <Q extends Message> Q withId(Q request) {
    FieldDescriptor field = requestId(request);
    if (!request.getField(field).equals("")) {
      return request;
    }
    byte[] id = new byte[16];
    RANDOM.nextBytes(id);
    // A builder of a message builds a message of its type.
    return (Q) request.toBuilder().setField(field, HexFormat.of().formatHex(id)).build();
  }

  private static FieldDescriptor requestId(Message request) {
    return request.getDescriptorForType().findFieldByName("request_id");
  }
}
