import { CounterClass } from "@alamein/client";
import { type Hex, hexOf, nameOf } from "../geometry.js";
import { gridOf, mapOf, type State } from "../state.js";
import { listed, spoken } from "../words.js";

/** The counters of a hex, the last on the pile first. */
export function standing(hex: Hex, { position }: State): string[] {
  const name = nameOf(hex);
  return position.counters.filter((counter) => counter.hex === name).map(({ id }) => id);
}

/** A hex in words. */
export function inWords(hex: Hex, { position }: State): string {
  const name = nameOf(hex);
  const map = mapOf(position);
  const level = map.levels.find((one) => one.hex === name)?.level ?? map.baseLevel;
  const layers = map.layers.filter(({ fields }) =>
    fields.some(({ kind }) => kind.case === "hexes" && kind.value.hexes.includes(name)),
  );
  const counters = position.counters.filter((counter) => counter.hex === name);
  const words = counters.map(({ id, class: of, side }) =>
    [id, spoken(CounterClass[of]?.toLowerCase() ?? ""), side && `of ${side}`]
      .filter(Boolean)
      .join(" "),
  );
  return [
    name,
    ...(level === 0 ? [] : [`level ${level}`]),
    ...layers.map(({ name }) => spoken(name)),
    listed(words),
  ]
    .filter((word) => word !== "")
    .join(", ");
}

/** The hexes on which something lies or stands. */
export function lying({ position }: State): Hex[] {
  const grid = gridOf(position);
  const names = new Set(position.counters.map(({ hex }) => hex));
  for (const { fields } of mapOf(position).layers) {
    for (const { kind } of fields) {
      if (kind.case === "hexes") for (const hex of kind.value.hexes) names.add(hex);
    }
  }
  return [...names].flatMap((name) => hexOf(name, grid) ?? []);
}
