import { Code, ConnectError } from "@connectrpc/connect";
import type { ErrorReason } from "./gen/alamein/v1/errors_pb.js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";
import type { Status } from "./gen/google/rpc/status_pb.js";

/** The domain of the service's own errors. */
const DOMAIN = "alamein";

/**
 * Why the service refused or failed, such as `UNKNOWN_HEX`: the names of `ErrorReason`. A newer
 * service may say one that is not known here, so any text may come.
 */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED"> | (string & {});

/** A field of the request that is at fault. */
export interface FieldFault {
  /**
   * Its path, such as `subject.position.counters[3].hex`. Of one question of several it begins at
   * the question.
   */
  readonly field: string;
  /** What is wrong with it. */
  readonly description: string;
}

/** Why a call gave no answer, or a question no ruling. */
export class AlameinError extends Error {
  override readonly name = "AlameinError";
  /** The status code. */
  readonly code: Code;
  /** Why, in a word that stays: programs branch on it. Empty if the service did not say. */
  readonly reason: Reason;
  /** What goes with the reason; the comments of `ErrorReason` say what that is for each. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The fields of the request that are at fault. */
  readonly fields: readonly FieldFault[];
  /** In how many milliseconds to try again, if the service said so. */
  readonly retryAfterMs: number | undefined;

  constructor(error: ConnectError) {
    const info = error.findDetails(ErrorInfoSchema).find((info) => info.domain === DOMAIN);
    const why = info?.reason ?? Code[error.code];
    super(`${why}: ${error.rawMessage}`, { cause: error });
    this.code = error.code;
    this.reason = info?.reason ?? "";
    this.metadata = info?.metadata ?? {};
    const bad = error.findDetails(BadRequestSchema);
    this.fields = bad.flatMap((bad) =>
      bad.fieldViolations.map(({ field, description }) => ({ field, description })),
    );
    const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.retryAfterMs = delay && Number(delay.seconds) * 1000 + delay.nanos / 1e6;
  }

  /** Whatever was thrown, as an `AlameinError`. */
  static from(thrown: unknown): AlameinError {
    if (thrown instanceof AlameinError) return thrown;
    return new AlameinError(unreachable(ConnectError.from(thrown)));
  }

  /** The error that is the answer to one question of several. */
  static ofStatus(status: Status): AlameinError {
    const error = new ConnectError(status.message, status.code);
    error.details = status.details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value,
    }));
    return new AlameinError(error);
  }

  /**
   * Whether the same call may succeed a little later: the service is not there, its answer broke
   * off on the way, or it is at its limits and says when to come back. Limits of which it does not
   * say that stay.
   */
  get isTransient(): boolean {
    if (this.code === Code.Unavailable) return true;
    // The service says its reason. Without one, something on the way lost the service behind it.
    if (this.code === Code.Internal || this.code === Code.Unknown) return !this.reason;
    return this.code === Code.ResourceExhausted && this.retryAfterMs !== undefined;
  }
}

/** What Node says where a connection breaks, and HTTP/2 where its other end goes away. */
const BROKEN =
  /ECONNRESET|EPIPE|ERR_HTTP2|ERR_STREAM|stream closed|session|premature|missing trailer/i;

/**
 * An error that no service sent, since the way to it broke, is `UNAVAILABLE`, as in gRPC's other
 * languages. Connect calls it aborted, internal or unknown.
 */
function unreachable(error: ConnectError): ConnectError {
  const said = error.details.length > 0;
  const vague = [Code.Aborted, Code.Internal, Code.Unknown].includes(error.code);
  if (said || !vague) return error;
  const cause = error.cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  // A browser says nothing but that it could not fetch.
  const unfetched = cause instanceof TypeError || /failed to fetch/i.test(error.rawMessage);
  if (!unfetched && !BROKEN.test(`${code} ${error.rawMessage}`)) return error;
  return new ConnectError(error.rawMessage, Code.Unavailable, error.metadata, undefined, error);
}
