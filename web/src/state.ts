import {
  type Counter,
  CounterClass,
  create,
  fromBinary,
  GrazingPolicy,
  GroundPressure,
  type Map as MapMessage,
  MapSchema,
  type Position,
  PositionSchema,
  toBinary,
} from "@alamein/client";
import { BOARD, type Grid } from "./geometry.js";

/** What the page is used for just now. */
export type Mode = "fire" | "view" | "move" | "counters";
export const MODES: readonly Mode[] = ["fire", "view", "move", "counters"];

/** An end of a line: a counter, or a hex. */
export type End = { readonly counter: string } | { readonly hex: string };

/** What is asked of a line. */
export type Attack = "sight" | "direct" | "mortar" | "oba";
export const ATTACKS: readonly Attack[] = ["sight", "direct", "mortar", "oba"];

/** What a shot is made of. */
export type Munition = "other" | "he" | "bombardment";
export const MUNITIONS: readonly Munition[] = ["other", "he", "bombardment"];

/** By which rules to rule. */
export interface Rules {
  /** The ruleset's name, tag or fingerprint. Empty is the service's `default`. */
  readonly ruleset: string;
  /** Unspecified is what the ruleset says. */
  readonly policy: GrazingPolicy;
}

/** What moves, and what it may spend. */
export interface Mover {
  /** The id of a counter; empty for a unit that stands nowhere. */
  readonly counter: string;
  readonly class: CounterClass;
  readonly pressure: GroundPressure;
  /** Nothing if it is not to be measured. */
  readonly allowance: number | undefined;
}

/** All that the page shows. A link holds the whole of it. */
export interface State {
  readonly title: string;
  readonly position: Position;
  readonly mode: Mode;
  readonly from: End | undefined;
  readonly to: End | undefined;
  /** Which end the next click on the map sets. */
  readonly picking: "from" | "to";
  readonly attack: Attack;
  readonly munition: Munition;
  readonly rules: Rules;
  /** Other rules to compare with. */
  readonly versus: Rules | undefined;
  /** Layers that are not drawn. */
  readonly hidden: readonly string[];
  /** Whether the hexes' names are drawn. */
  readonly names: boolean;
  /** Whether the counters are drawn. */
  readonly pieces: boolean;
  readonly mover: Mover;
  /** A path: see `path.ts`. */
  readonly path: readonly string[];
  /** Whether what the allowance reaches is shaded. */
  readonly reach: boolean;
}

export const USUAL: Rules = { ruleset: "", policy: GrazingPolicy.UNSPECIFIED };

export const FOOT: Mover = {
  counter: "",
  class: CounterClass.SQUAD,
  pressure: GroundPressure.UNSPECIFIED,
  allowance: 4,
};

/** A page with a position on it, and nothing asked. */
export function opened(title: string, position: Position): State {
  return {
    title,
    position,
    mode: "fire",
    from: undefined,
    to: undefined,
    picking: "from",
    attack: "direct",
    munition: "other",
    rules: USUAL,
    versus: undefined,
    hidden: [],
    names: true,
    pieces: true,
    mover: FOOT,
    path: [],
    reach: false,
  };
}

/** The map of a position. */
export function mapOf(position: Position): MapMessage {
  return position.mapSource.case === "map" ? position.mapSource.value : create(MapSchema);
}

/** The size of a position's map. */
export function gridOf(position: Position): Grid {
  const board = mapOf(position).board;
  return board && board.columns > 0 && board.rows > 0
    ? { columns: board.columns, rows: board.rows }
    : BOARD;
}

/** The names of the layers of a position's map. */
export function layersOf(position: Position): string[] {
  return mapOf(position).layers.map(({ name }) => name);
}

export function counterOf(position: Position, id: string): Counter | undefined {
  return position.counters.find((counter) => counter.id === id);
}

/** The hex of an end; nothing if its counter is not there. */
export function hexNameOf(end: End | undefined, position: Position): string | undefined {
  if (!end) return undefined;
  return "hex" in end ? end.hex : counterOf(position, end.counter)?.hex;
}

/** What an end is called in a field or a sentence. */
export function endText(end: End | undefined): string {
  if (!end) return "";
  return "hex" in end ? end.hex : end.counter;
}

/** The end that a word names: a counter, or else a hex. */
export function endOf(text: string, position: Position): End | undefined {
  const word = text.trim();
  if (word === "") return undefined;
  return counterOf(position, word) ? { counter: word } : { hex: word.toUpperCase() };
}

/** A copy that can be changed. */
export function copyOf(position: Position): Position {
  return fromBinary(PositionSchema, toBinary(PositionSchema, position));
}

/** The position with a counter in another hex, and with it all that is aboard it. */
export function moved(position: Position, id: string, hex: string): Position {
  const copy = copyOf(position);
  for (const counter of copy.counters) {
    if (counter.id === id) {
      const carrier = counterOf(copy, counter.aboard);
      if (carrier && carrier.hex !== hex) counter.aboard = "";
    }
    if (counter.id === id || counter.aboard === id) counter.hex = hex;
  }
  return copy;
}

/** The position with one counter put in place of the one of an id, or added. */
export function replaced(position: Position, id: string, counter: Counter): Position {
  const copy = copyOf(position);
  const at = copy.counters.findIndex((one) => one.id === id);
  if (at < 0) copy.counters.push(counter);
  else copy.counters[at] = counter;
  for (const other of copy.counters) {
    if (other.aboard === id && id !== "") {
      other.aboard = counter.id;
      other.hex = counter.hex;
    }
  }
  return copy;
}

/** The position without a counter, and with nothing aboard it any more. */
export function without(position: Position, id: string): Position {
  const copy = copyOf(position);
  copy.counters = copy.counters.filter((counter) => counter.id !== id);
  copy.fireLanes = copy.fireLanes.filter((lane) => lane.counterId !== id);
  for (const counter of copy.counters) if (counter.aboard === id) counter.aboard = "";
  return copy;
}
