package org.alamein.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alamein.v1.ErrorReason;

/**
 * Why a call gave no answer, or a question no ruling. "Blocked" and "prohibited" are rulings and
 * never errors.
 */
public class AlameinException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The domain of the service's own errors. */
  private static final String DOMAIN = "alamein";

  /** What the status says beside its code. Lost where the exception is serialized. */
  private final transient Details details;

  /** The status code. */
  private final Status.Code code;

  /** What the details of a status say. */
  private record Details(
      String reasonName, Map<String, String> metadata, List<Field> fields, Duration retryDelay) {}

  private AlameinException(Status.Code code, String message, Details details, Throwable cause) {
    super(said(code, message, details), cause);
    this.code = code;
    this.details = details;
  }

  /**
   * The exception for one of gRPC's, such as a stub throws.
   *
   * @param thrown what was thrown
   * @return an exception that has the same status, and it as its cause
   */
  public static AlameinException of(StatusRuntimeException thrown) {
    Status status = thrown.getStatus();
    com.google.rpc.Status told = StatusProto.fromThrowable(thrown);
    List<Any> details = told == null ? List.of() : told.getDetailsList();
    String message = status.getDescription() == null ? "" : status.getDescription();
    return new AlameinException(status.getCode(), message, read(details), thrown);
  }

  /** The exception that is the answer to one question of several. */
  static AlameinException of(com.google.rpc.Status status) {
    Status.Code code = Status.fromCodeValue(status.getCode()).getCode();
    return new AlameinException(
        code, status.getMessage(), read(status.getDetailsList()), /* cause= */ null);
  }

  /** The exception for something that went wrong on this side. */
  static AlameinException here(Status.Code code, String message, Throwable cause) {
    return new AlameinException(code, message, read(List.of()), cause);
  }

  /** The exception for an answer that makes no sense. */
  static AlameinException ofAnswer(String what) {
    String message = "the service's answer makes no sense: " + what;
    return here(Status.Code.INTERNAL, message, /* cause= */ null);
  }

  /**
   * The status code.
   *
   * @return the code
   */
  public Status.Code code() {
    return code;
  }

  /**
   * Why, where the service said so and this client knows the reason: branch on it.
   *
   * @return the reason; {@link ErrorReason#ERROR_REASON_UNSPECIFIED} if there is none that is known
   */
  public ErrorReason reason() {
    try {
      return ErrorReason.valueOf("ERROR_REASON_" + reasonName());
    } catch (IllegalArgumentException unknown) {
      return ErrorReason.ERROR_REASON_UNSPECIFIED;
    }
  }

  /**
   * Whether the service gave this reason.
   *
   * @param reason the reason
   * @return whether it did
   */
  public boolean is(ErrorReason reason) {
    return reason() == reason;
  }

  /**
   * The reason as the service wrote it, such as {@code UNKNOWN_HEX}, known here or not.
   *
   * @return the reason; empty if there is none
   */
  public String reasonName() {
    return details == null ? "" : details.reasonName();
  }

  /**
   * What goes with the reason: see the comments on {@link ErrorReason}.
   *
   * @return values by key
   */
  public Map<String, String> metadata() {
    return details == null ? Map.of() : details.metadata();
  }

  /**
   * The fields of the request that are at fault.
   *
   * @return the fields
   */
  public List<Field> fields() {
    return details == null ? List.of() : details.fields();
  }

  /**
   * When to try again, if the service said so.
   *
   * @return how long to wait
   */
  public Optional<Duration> retryDelay() {
    return details == null ? Optional.empty() : Optional.ofNullable(details.retryDelay());
  }

  /**
   * Whether the same call may succeed a little later: the service cannot be reached, its answer
   * broke off on the way, or it is at its limits and says when to come back.
   *
   * @return whether it may
   */
  public boolean isTransient() {
    return switch (code) {
      case UNAVAILABLE -> true;
      case RESOURCE_EXHAUSTED -> retryDelay().isPresent();
      // The service says its reason. Without one, something on the way lost the service behind it.
      case INTERNAL, UNKNOWN -> details == null || details.reasonName().isEmpty();
      default -> false;
    };
  }

  private static String said(Status.Code code, String message, Details details) {
    String name = details.reasonName().isEmpty() ? code.name() : details.reasonName();
    StringBuilder said = new StringBuilder(name).append(": ").append(message);
    for (Field field : details.fields()) {
      // The message often is about the field and says the same.
      if (!message.contains(field.path())) {
        said.append(" (").append(field.path()).append(": ").append(field.description()).append(')');
      }
    }
    return said.toString();
  }

  private static Details read(List<Any> all) {
    String reason = "";
    Map<String, String> metadata = Map.of();
    List<Field> fields = new ArrayList<>();
    Duration delay = null;
    for (Any detail : all) {
      try {
        if (detail.is(ErrorInfo.class)) {
          ErrorInfo info = detail.unpack(ErrorInfo.class);
          if (info.getDomain().equals(DOMAIN)) {
            reason = info.getReason();
            metadata = Map.copyOf(info.getMetadataMap());
          }
        } else if (detail.is(BadRequest.class)) {
          for (var violation : detail.unpack(BadRequest.class).getFieldViolationsList()) {
            fields.add(new Field(violation.getField(), violation.getDescription()));
          }
        } else if (detail.is(RetryInfo.class)) {
          var asked = detail.unpack(RetryInfo.class).getRetryDelay();
          delay = Duration.ofSeconds(asked.getSeconds(), asked.getNanos());
        }
      } catch (InvalidProtocolBufferException broken) {
        // Whatever else the status says is worth more than to fail about a part of it.
        continue;
      }
    }
    return new Details(reason, metadata, List.copyOf(fields), delay);
  }
}
