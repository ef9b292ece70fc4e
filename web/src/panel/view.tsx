import { isSeen, type Seen, Sight } from "@alamein/client";
import type { Asked } from "../asked.js";
import type { State } from "../state.js";
import { Trouble } from "./fields.js";
import { EndField } from "./fire.js";
import type { Change } from "./rules.js";

/** What is known of a field of view by now. */
export type Field = Asked<ReadonlyMap<string, Seen>>;

/** From where to look, and what is seen. */
export function ViewPanel(props: {
  state: State;
  change: Change;
  field: Field;
  other: Field | undefined;
}) {
  const { state, change, field, other } = props;
  return (
    <>
      <EndField
        label="Seen from"
        end={state.from}
        state={state}
        active={false}
        set={(from) => change({ from })}
      />
      {state.from === undefined ? (
        <p class="hint">Click a counter or a hex: the map shows what is seen from it.</p>
      ) : (
        <div class={other ? "pair" : "single"}>
          <Sums name={other ? "A" : undefined} field={field} />
          {other && <Sums name="B" field={other} />}
        </div>
      )}
      {other && <Differing field={field} other={other} />}
      <ul class="key">
        <li>
          <i class="swatch clear" /> clear
        </li>
        <li>
          <i class="swatch hindered" /> hindered, with the DRM
        </li>
        <li>
          <i class="swatch blocked" /> no line of sight
        </li>
        {other && (
          <li>
            <i class="swatch differing" /> the rulesets differ
          </li>
        )}
      </ul>
      <p class="fine">To Infantry on the ground in each hex.</p>
    </>
  );
}

function Sums({ name, field }: { name: string | undefined; field: Field }) {
  const count: Record<string, number> = { clear: 0, hindered: 0, blocked: 0 };
  const add = (label: string) => {
    count[label] = (count[label] ?? 0) + 1;
  };
  for (const seen of field.value?.values() ?? []) {
    if (seen.sight === Sight.NOT_IMPLEMENTED) add("no ruling");
    else if (!isSeen(seen)) add("blocked");
    else add(seen.sight === Sight.HINDERED ? "hindered" : "clear");
  }
  return (
    <section class={field.busy ? "busy" : undefined} aria-busy={field.busy}>
      {name !== undefined && <h2 class="side">Ruleset {name}</h2>}
      {field.error && <Trouble error={field.error} />}
      <dl class="figures big" aria-live="polite">
        {Object.entries(count).map(([label, hexes]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{hexes}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** How many hexes are named in which rulesets differ. */
const NAMED = 60;

/** The hexes of which two rulesets say different things. */
function Differing({ field, other }: { field: Field; other: Field }) {
  if (!field.value || !other.value || field.busy || other.busy) return null;
  const hexes = [...field.value].filter(([hex, seen]) => {
    const there = other.value?.get(hex);
    return there && (there.sight !== seen.sight || there.hindrance !== seen.hindrance);
  });
  if (hexes.length === 0) return <p class="same">= both see the same</p>;
  const names = hexes.map(([hex]) => hex).slice(0, NAMED);
  names.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const more = hexes.length > NAMED ? ` and ${hexes.length - NAMED} more` : "";
  return (
    <div class="differs">
      <p class="differs">≠ they differ in {hexes.length} hexes</p>
      <p class="fine">
        {names.join(", ")}
        {more}
      </p>
    </div>
  );
}
