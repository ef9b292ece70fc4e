import type {
  DescMessage,
  DescMethod,
  DescMethodStreaming,
  DescMethodUnary,
  MessageInitShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type StreamResponse, type Transport } from "@connectrpc/connect";
import { AlameinError } from "../errors.js";
import { GameService } from "../gen/alamein/v1/game_service_pb.js";
import { PluginAdminService } from "../gen/alamein/v1/plugin_admin_service_pb.js";
import { RetryBudget, type Settings, sleep, waitAfter } from "../settings.js";

/** Plugins are looked at as often as one likes; the rest of that service is done once. */
const LOOKS = /^(List|Get|Status)/;

/** Methods that may be made twice only if they bear a `request_id`. */
const ONCE = new Set<DescMethod>([
  GameService.method.createGame,
  GameService.method.advanceGame,
  GameService.method.undoGame,
  GameService.method.forkGame,
  GameService.method.changeGameRuleset,
]);

/** Whether a call does no more when it is made twice than when it is made once. */
function mayRepeat(method: DescMethod, input: object): boolean {
  if (method.parent.typeName === PluginAdminService.typeName) return LOOKS.test(method.name);
  if (method === GameService.method.deleteGame) return false;
  return !ONCE.has(method) || ("requestId" in input && Boolean(input.requestId));
}

/**
 * A transport that gives every call a deadline, tries again where that may help and does no harm,
 * and says what went wrong as an `AlameinError`.
 */
export function patient(inner: Transport, settings: Settings): Transport {
  const budget = new RetryBudget(settings);
  const limit = (timeoutMs: number | undefined) => timeoutMs ?? settings.timeoutMs;

  async function unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    ...rest: [HeadersInit | undefined, MessageInitShape<I>, ...never[]]
  ) {
    const [header, input, values] = rest;
    const most = limit(timeoutMs);
    const until = most > 0 ? performance.now() + most : Number.POSITIVE_INFINITY;
    budget.add();
    for (let tries = 1; ; tries++) {
      const left = until - performance.now();
      const leftMs = left === Number.POSITIVE_INFINITY ? 0 : Math.max(1, Math.ceil(left));
      try {
        return await inner.unary(method, signal, leftMs, header, input, values);
      } catch (thrown) {
        const error = AlameinError.from(thrown);
        const again = error.isTransient && tries < settings.tries && !signal?.aborted;
        const wait = waitAfter(tries, settings, error.retryAfterMs);
        const inTime = performance.now() + wait < until;
        if (!again || !inTime || !mayRepeat(method, input) || !budget.take()) throw error;
        await sleep(wait, signal).catch(() => {
          throw AlameinError.from(new ConnectError("given up while waiting", Code.Canceled));
        });
      }
    }
  }

  async function stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    ...rest: [HeadersInit | undefined, AsyncIterable<MessageInitShape<I>>, ...never[]]
  ): Promise<StreamResponse<I, O>> {
    const [header, input, values] = rest;
    try {
      const most = limit(timeoutMs);
      const response = await inner.stream(method, signal, most, header, input, values);
      return { ...response, message: withErrors(response.message) };
    } catch (thrown) {
      throw AlameinError.from(thrown);
    }
  }

  return { unary, stream } as Transport;
}

/** The same messages; an error among them is an `AlameinError`. */
async function* withErrors<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (thrown) {
    throw AlameinError.from(thrown);
  }
}
