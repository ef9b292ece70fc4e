import { useEffect, useState } from "preact/hooks";
import { AGAIN } from "./asked.js";
import type { Field } from "./panel/view.js";
import { type Service, told } from "./service.js";
import type { Rules, State } from "./state.js";

const NONE: Field = { value: undefined, error: undefined, busy: false };

/** The field of view of a page by some rules. Nothing without rules. */
export function useField(
  service: Service,
  state: State,
  rules: Rules | undefined,
  login: number,
): Field {
  const [field, set] = useState(NONE);
  const { position, from } = state;
  useEffect(() => {
    if (!rules || !from) return set(NONE);
    const stop = new AbortController();
    set((before) => ({ ...before, busy: true }));
    const run = async () => {
      const value = await service.view(state, rules, stop.signal);
      set({ value, error: undefined, busy: false });
    };
    let again: ReturnType<typeof setTimeout> | undefined;
    const go = () =>
      run().catch((thrown) => {
        if (stop.signal.aborted) return;
        const error = told(thrown);
        set({ value: undefined, error, busy: false });
        if (error.passing) again = setTimeout(go, AGAIN);
      });
    go();
    return () => {
      stop.abort();
      clearTimeout(again);
    };
  }, [position, from, rules, login]);
  return field;
}
