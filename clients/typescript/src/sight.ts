import {
  type FieldOfViewSummary,
  type PackedFieldOfView,
  Sight,
} from "./gen/alamein/v1/sight_pb.js";

/** What comes of the LOS to a hex. */
export interface Seen {
  readonly sight: Sight;
  /** The sum of the LOS Hindrance DRM; nothing where terrain blocks, and where nobody can say. */
  readonly hindrance?: number | undefined;
}

/** Whether there is a LOS. */
export function isSeen({ sight }: Seen): boolean {
  return sight === Sight.CLEAR || sight === Sight.HINDERED;
}

/** What a byte of a packed field of view means; nothing for a hex that is out of range. */
export function unpackSight(byte: number): Seen | undefined {
  if (byte === 0) return undefined;
  if (byte === 1) return { sight: Sight.CLEAR, hindrance: 0 };
  if (byte === 2) return { sight: Sight.BLOCKED_BY_TERRAIN };
  if (byte >= 128) return { sight: Sight.BLOCKED_BY_HINDRANCES, hindrance: byte - 128 };
  if (byte >= 65) return { sight: Sight.HINDERED, hindrance: byte - 64 };
  // A byte that is not known says that nobody can say.
  return { sight: Sight.NOT_IMPLEMENTED };
}

/** The names of the hexes of a map, in the map's order: that of packed fields of view. */
export function* hexNames(columns: number, rows: number): Generator<string> {
  for (let column = 0; column < columns; column++) {
    const letter = String.fromCharCode(65 + (column % 26));
    const letters = letter.repeat(Math.floor(column / 26) + 1);
    for (let row = column % 2 === 0 ? 1 : 0; row <= rows; row++) yield `${letters}${row}`;
  }
}

/** What somebody sees: the hexes in range by name, in the map's order. */
export class FieldOfView implements Iterable<[string, Seen]> {
  /** The message that it is made of. */
  readonly packed: PackedFieldOfView;
  readonly #hexes = new Map<string, Seen>();

  constructor(packed: PackedFieldOfView) {
    this.packed = packed;
    const { columns = 0, rows = 0 } = packed.head ?? {};
    let at = 0;
    for (const name of hexNames(columns, rows)) {
      const seen = unpackSight(packed.sights[at++] ?? 0);
      if (seen) this.#hexes.set(name, seen);
    }
  }

  /** The hex of who looks. */
  get viewer(): string {
    return this.packed.head?.viewerHex ?? "";
  }

  /** What is known of all hexes: contested options, rules that are missing, ignored layers. */
  get summary(): FieldOfViewSummary | undefined {
    return this.packed.summary;
  }

  /** How many hexes are in range. */
  get size(): number {
    return this.#hexes.size;
  }

  /** What comes of the LOS to a hex; nothing if it is out of range or not on the map. */
  get(hex: string): Seen | undefined {
    return this.#hexes.get(hex);
  }

  [Symbol.iterator](): IterableIterator<[string, Seen]> {
    return this.#hexes[Symbol.iterator]();
  }
}
