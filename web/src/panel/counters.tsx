import { type Counter, CounterClass, CounterFlag, CounterSchema, create } from "@alamein/client";
import { useState } from "preact/hooks";
import { hexOf } from "../geometry.js";
import { counterOf, type End, gridOf, hexNameOf, replaced, type State, without } from "../state.js";
import { spoken } from "../words.js";
import { Choice, Field, Switch } from "./fields.js";
import { CLASSES } from "./move.js";
import type { Change } from "./rules.js";

const FLAGS: readonly (readonly [CounterFlag, string])[] = Object.entries(CounterFlag)
  .filter(([, value]) => typeof value === "number" && value !== CounterFlag.UNSPECIFIED)
  .map(([name, value]) => [value as CounterFlag, spoken(name.toLowerCase())]);

/** The counters of the position, to be changed, added and taken away. */
export function CountersPanel(props: {
  state: State;
  change: Change;
  /** The counter that is worked on, or the hex that was clicked last. */
  chosen: End | undefined;
  choose(chosen: End | undefined): void;
}) {
  const { state, change, chosen, choose } = props;
  const { position } = state;
  const counter = chosen && "counter" in chosen ? counterOf(position, chosen.counter) : undefined;
  const add = () => {
    const id = freeId(position.counters);
    const hex = hexNameOf(chosen, position) ?? "A1";
    const side = position.counters[0]?.side ?? "axis";
    const added = create(CounterSchema, { id, class: CounterClass.SQUAD, hex, side });
    change({ position: replaced(position, id, added) });
    choose({ counter: id });
  };
  return (
    <>
      <p class="hint">
        Drag counters on the map. Click one to change it here, or a hex to add one there.
      </p>
      <ul class="counters">
        {position.counters.map(({ id, class: of, hex, side }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === counter?.id}
              onClick={() => choose({ counter: id })}
            >
              <b>{id}</b> {spoken(CounterClass[of]?.toLowerCase() ?? "")}{" "}
              <span class="count">{hex}</span> <small>{side}</small>
            </button>
          </li>
        ))}
      </ul>
      <div class="row buttons">
        <button type="button" onClick={add}>
          {chosen && "hex" in chosen ? `Add a counter in ${chosen.hex}` : "Add a counter"}
        </button>
        {counter && (
          <button
            type="button"
            onClick={() => {
              change({ position: without(position, counter.id) });
              choose(undefined);
            }}
          >
            Remove {counter.id}
          </button>
        )}
      </div>
      {counter && (
        <Editor
          key={counter.id}
          counter={counter}
          state={state}
          set={(to) => {
            change({ position: replaced(position, counter.id, to) });
            choose({ counter: to.id });
          }}
        />
      )}
    </>
  );
}

/** A short name that no counter has. */
function freeId(counters: readonly Counter[]): string {
  const taken = new Set(counters.map(({ id }) => id));
  for (let at = 0; ; at++) {
    const id = String.fromCharCode(65 + (at % 26)) + (at < 26 ? "" : Math.floor(at / 26));
    if (!taken.has(id)) return id;
  }
}

/** The fields of a counter. */
function Editor(props: { counter: Counter; state: State; set(counter: Counter): void }) {
  const { counter, state, set } = props;
  const { $typeName: _, $unknown: __, ...fields } = counter;
  const put = (part: Partial<typeof fields>) => set(create(CounterSchema, { ...fields, ...part }));
  const taken = (id: string) => id !== counter.id && counterOf(state.position, id) !== undefined;
  const carriers = state.position.counters.filter(
    ({ id, hex, class: of }) =>
      id !== counter.id &&
      hex === counter.hex &&
      of >= CounterClass.WAGON &&
      of !== CounterClass.WRECK,
  );
  return (
    <fieldset class="editor">
      <legend>{counter.id}</legend>
      <div class="row">
        <Text
          label="Name"
          value={counter.id}
          fits={(id) => id !== "" && !taken(id)}
          set={(id) => put({ id })}
        />
        <Text
          label="Hex"
          value={counter.hex}
          fits={(hex) => hexOf(hex, gridOf(state.position)) !== undefined}
          set={(hex) => put({ hex: hex.toUpperCase(), aboard: "" })}
        />
        <Text label="Side" value={counter.side} fits={() => true} set={(side) => put({ side })} />
      </div>
      <div class="row">
        <Choice
          label="Class"
          value={counter.class}
          options={CLASSES}
          set={(one) => put({ class: one })}
        />
        <Choice
          label="Aboard"
          value={counter.aboard}
          options={[["", "on the ground"], ...carriers.map(({ id }): [string, string] => [id, id])]}
          set={(aboard) => put({ aboard })}
        />
        <Text
          label="Half levels up"
          value={String(counter.heightHalfLevels)}
          fits={(text) => /^-?\d{1,2}$/.test(text) && Math.abs(Number(text)) <= 64}
          set={(text) => put({ heightHalfLevels: Number(text) })}
        />
      </div>
      <div class="row flags">
        {FLAGS.map(([flag, words]) => (
          <Switch
            key={flag}
            label={words}
            on={counter.flags.includes(flag)}
            set={(on) => {
              const others = counter.flags.filter((one) => one !== flag);
              put({ flags: on ? [...others, flag] : others });
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** A text that is taken when it is left, if it fits. */
function Text(props: {
  label: string;
  value: string;
  fits(text: string): boolean;
  set(text: string): void;
}) {
  const [draft, write] = useState<string | undefined>();
  const wrong = draft !== undefined && !props.fits(draft.trim());
  const take = () => {
    if (draft !== undefined && !wrong && draft.trim() !== props.value) props.set(draft.trim());
    write(undefined);
  };
  return (
    <Field label={props.label}>
      {(id) => (
        <input
          id={id}
          value={draft ?? props.value}
          aria-invalid={wrong}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => write(event.currentTarget.value)}
          onChange={take}
          onKeyDown={(event) => event.key === "Enter" && take()}
        />
      )}
    </Field>
  );
}
