import { useEffect, useState } from "preact/hooks";
import { type Told, told } from "./service.js";

/** How long to wait before a service is asked again that did not answer, in milliseconds. */
export const AGAIN = 3000;

/** What came of asking the service something. */
export interface Asked<T> {
  /** The last answer; that of the question before while another is awaited. */
  readonly value: T | undefined;
  /** What went wrong. */
  readonly error: Told | undefined;
  /** Whether an answer is awaited. */
  readonly busy: boolean;
}

/**
 * Asks anew whenever one of the keys changes, and gives up what was asked before. A service that does
 * not answer is asked again until it does.
 */
export function useAsked<T>(
  ask: (signal: AbortSignal) => Promise<T | undefined>,
  keys: readonly unknown[],
): Asked<T> {
  const [asked, set] = useState<Asked<T>>({ value: undefined, error: undefined, busy: true });
  useEffect(() => {
    const stop = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    set((before) => ({ ...before, busy: true }));
    const go = async () => {
      try {
        const value = await ask(stop.signal);
        if (!stop.signal.aborted) set({ value, error: undefined, busy: false });
      } catch (thrown) {
        if (stop.signal.aborted) return;
        const error = told(thrown);
        // What was there before is no answer to another question, but better than nothing to this one.
        set(({ value }) => ({ value: error.passing ? value : undefined, error, busy: false }));
        if (error.passing) again = setTimeout(go, AGAIN);
      }
    };
    go();
    return () => {
      stop.abort();
      clearTimeout(again);
    };
  }, keys);
  return asked;
}
