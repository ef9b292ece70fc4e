import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Told } from "../service.js";

/** A field with its name above it. */
export function Field({
  label,
  children,
}: {
  label: string;
  children: (id: string) => ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

/** A choice among some values. */
export function Choice<V extends string | number>(props: {
  label: string;
  value: V;
  options: readonly (readonly [V, string])[];
  set(value: V): void;
}) {
  const { label, value, options, set } = props;
  const chosen = options.findIndex(([one]) => one === value);
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          value={String(chosen)}
          onChange={(event) => {
            const option = options[Number(event.currentTarget.value)];
            if (option) set(option[0]);
          }}
        >
          {options.map(([one, words], at) => (
            <option key={one} value={String(at)}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A switch. */
export function Switch(props: { label: string; on: boolean; set(on: boolean): void }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={props.on}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

/** What went wrong, where an answer was awaited. */
export function Trouble({ error }: { error: Told }) {
  return (
    <div class="trouble" role="alert">
      <p>
        {error.reason !== "" && <code>{error.reason}</code>} {error.text}
      </p>
      {error.passing && <p>It is asked again until it answers.</p>}
      {error.fields.length > 0 && (
        <ul>
          {error.fields.map((field) => (
            <li key={field}>{field}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
