/** How long to wait, and how often to try. */
export interface Settings {
  /** How long a call may take in milliseconds, all tries and the waits between them included. */
  readonly timeoutMs: number;
  /** How often a call is tried at most; 1 means never again. */
  readonly tries: number;
  /** How long to wait before the second try, about. Each wait after is twice as long. */
  readonly firstWaitMs: number;
  /** The longest wait between two tries, unless the service asks for a longer one. */
  readonly longestWaitMs: number;
  /**
   * How many calls of a hundred are tried again, all calls of a client together. Ten retries are
   * always in reserve, or as many as a call has tries.
   */
  readonly retriesPerHundred: number;
}

/** The usual settings. */
export const DEFAULTS: Settings = {
  timeoutMs: 20_000,
  tries: 4,
  firstWaitMs: 100,
  longestWaitMs: 2_000,
  retriesPerHundred: 20,
};

/**
 * How long to wait after so many tries. Clients that were turned away together should not come
 * back together, so waits differ; the service may ask for a longer one.
 */
export function waitAfter(tries: number, settings: Settings, askedMs?: number): number {
  const doublings = Math.min(tries - 1, 20);
  const most = Math.min(settings.firstWaitMs * 2 ** doublings, settings.longestWaitMs);
  const wait = most * (0.5 + 0.5 * Math.random());
  return askedMs === undefined ? wait : askedMs + Math.min(wait, askedMs);
}

/** Waits; ends at once with the signal's reason where that is given. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Retries that may yet be made: a service in trouble must not be asked several times as much. */
export class RetryBudget {
  readonly #most: number;
  readonly #each: number;
  #left: number;

  constructor(settings: Settings) {
    // One call alone always has all of its tries.
    this.#most = Math.max(10, settings.tries);
    this.#each = settings.retriesPerHundred / 100;
    this.#left = this.#most;
  }

  /** A call was made: it adds a part of a retry. */
  add(): void {
    this.#left = Math.min(this.#left + this.#each, this.#most);
  }

  /** Takes a retry, if there is one. */
  take(): boolean {
    // Sums of parts are a little off.
    if (this.#left < 1 - 1e-9) return false;
    this.#left -= 1;
    return true;
  }
}
