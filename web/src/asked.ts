import { useEffect, useState } from "preact/hooks";
import { told } from "./service.js";

/** What came of asking the service something. */
export interface Asked<T> {
  /** The last answer; that of the question before while another is awaited. */
  readonly value: T | undefined;
  /** What went wrong. */
  readonly error: ReturnType<typeof told> | undefined;
  /** Whether an answer is awaited. */
  readonly busy: boolean;
}

/** Asks anew whenever one of the keys changes, and gives up what was asked before. */
export function useAsked<T>(
  ask: (signal: AbortSignal) => Promise<T | undefined>,
  keys: readonly unknown[],
): Asked<T> {
  const [asked, set] = useState<Asked<T>>({ value: undefined, error: undefined, busy: true });
  useEffect(() => {
    const stop = new AbortController();
    set((before) => ({ ...before, busy: true }));
    const done = (value: T | undefined, error?: unknown) => {
      if (stop.signal.aborted) return;
      set({ value, error: error === undefined ? undefined : told(error), busy: false });
    };
    ask(stop.signal).then(
      (value) => done(value),
      (error) => done(undefined, error),
    );
    return () => stop.abort();
  }, keys);
  return asked;
}
