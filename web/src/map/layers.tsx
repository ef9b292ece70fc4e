import { layersOf, type State } from "../state.js";
import { spoken } from "../words.js";

/** Which layers are drawn. */
export function Layers({ state, change }: { state: State; change(part: Partial<State>): void }) {
  const { hidden } = state;
  return (
    <details class="layers">
      <summary>Layers</summary>
      <label>
        <input
          type="checkbox"
          checked={state.names}
          onChange={(event) => change({ names: event.currentTarget.checked })}
        />
        hex names
      </label>
      <label>
        <input
          type="checkbox"
          checked={state.pieces}
          onChange={(event) => change({ pieces: event.currentTarget.checked })}
        />
        counters
      </label>
      {layersOf(state.position).map((layer) => (
        <label key={layer}>
          <input
            type="checkbox"
            checked={!hidden.includes(layer)}
            onChange={(event) => {
              const others = hidden.filter((one) => one !== layer);
              change({ hidden: event.currentTarget.checked ? others : [...others, layer] });
            }}
          />
          {spoken(layer)}
        </label>
      ))}
    </details>
  );
}
