import type { Ruling } from "@alamein/client";
import { useState } from "preact/hooks";
import type { Asked } from "../asked.js";
import { type Attack, type End, endOf, endText, type Munition, type State } from "../state.js";
import { Choice, Field, Trouble } from "./fields.js";
import { Icon } from "./icons.js";
import type { Change } from "./rules.js";
import { type Lights, RulingCard } from "./ruling.js";

const ATTACKS: readonly (readonly [Attack, string])[] = [
  ["sight", "Line of sight alone"],
  ["direct", "Direct Fire"],
  ["mortar", "Mortar (Indirect)"],
  ["oba", "OBA (Indirect)"],
];

const MUNITIONS: readonly (readonly [Munition, string])[] = [
  ["other", "small arms, MG, AP"],
  ["he", "HE"],
  ["bombardment", "Bombardment"],
];

/** What is asked of a line, and the ruling on it. */
export function FirePanel(props: {
  state: State;
  change: Change;
  ruling: Asked<Ruling>;
  other: Asked<Ruling> | undefined;
  light: Lights["light"];
}) {
  const { state, change, ruling, other, light } = props;
  const { from, to, picking } = state;
  return (
    <>
      <div class="row ends">
        <EndField
          label="Firer"
          end={from}
          state={state}
          active={picking === "from"}
          pick={() => change({ picking: "from" })}
          set={(from) => change({ from })}
        />
        <button
          type="button"
          class="plain swap"
          title="Exchange firer and target"
          aria-label="Exchange firer and target"
          onClick={() => change({ from: to, to: from })}
        >
          <Icon name="swap" />
        </button>
        <EndField
          label="Target"
          end={to}
          state={state}
          active={picking === "to"}
          pick={() => change({ picking: "to" })}
          set={(to) => change({ to })}
        />
      </div>
      <div class="row">
        <Choice
          label="Attack"
          value={state.attack}
          options={ATTACKS}
          set={(attack) => change({ attack })}
        />
        {state.attack !== "sight" && (
          <Choice
            label="Made of"
            value={state.munition}
            options={MUNITIONS}
            set={(munition) => change({ munition })}
          />
        )}
      </div>
      {from === undefined || to === undefined ? (
        <p class="hint">
          {from === undefined
            ? "Click a counter or a hex: it fires. Then click another: it is the target."
            : "Now click the target."}
        </p>
      ) : (
        <div class={other ? "pair" : "single"}>
          <Answer
            name={other ? "A" : undefined}
            asked={ruling}
            other={other?.value}
            light={light}
          />
          {other && <Answer name="B" asked={other} other={ruling.value} light={light} />}
        </div>
      )}
    </>
  );
}

function Answer(
  props: { name: string | undefined; asked: Asked<Ruling>; other: Ruling | undefined } & Lights,
) {
  const { name, asked, other, light } = props;
  return (
    <section class={asked.busy ? "busy" : undefined} aria-busy={asked.busy}>
      {name !== undefined && <h2 class="side">Ruleset {name}</h2>}
      {asked.error && <Trouble error={asked.error} />}
      {asked.value && <RulingCard ruling={asked.value} other={other} light={light} />}
    </section>
  );
}

/** An end of a line: a counter or a hex, written or clicked on the map. */
export function EndField(props: {
  label: string;
  end: End | undefined;
  state: State;
  active: boolean;
  /** Has the next click on the map set it; nothing where every click does. */
  pick?(): void;
  set(end: End | undefined): void;
}) {
  const { label, end, state, active, pick, set } = props;
  const [draft, write] = useState<string | undefined>();
  const take = () => {
    if (draft === undefined) return;
    write(undefined);
    set(endOf(draft, state.position));
  };
  return (
    <Field label={label}>
      {(id) => (
        <span class={`end${active ? " active" : ""}`}>
          <input
            id={id}
            value={draft ?? endText(end)}
            placeholder="hex or counter"
            list="ends"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => write(event.currentTarget.value)}
            onChange={take}
            onKeyDown={(event) => event.key === "Enter" && take()}
          />
          {pick && (
            <button
              type="button"
              aria-pressed={active}
              title={`The next click on the map sets the ${label.toLowerCase()}`}
              aria-label={`Pick the ${label.toLowerCase()} on the map`}
              onClick={pick}
            >
              <Icon name="aim" />
            </button>
          )}
        </span>
      )}
    </Field>
  );
}

/** The counters that an end may be. */
export function EndNames({ state }: { state: State }) {
  return (
    <datalist id="ends">
      {state.position.counters.map(({ id, hex }) => (
        <option key={id} value={id}>
          {hex}
        </option>
      ))}
    </datalist>
  );
}
