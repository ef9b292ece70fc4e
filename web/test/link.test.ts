import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  CounterClass,
  GrazingPolicy,
  GroundPressure,
  PositionSchema,
  position,
  toBinary,
} from "@alamein/client";
import { describe, expect, test } from "vitest";
import { readExample } from "../src/example.js";
import example from "../src/example.json";
import { fromLink, toLink } from "../src/link.js";
import { opened, type State } from "../src/state.js";

const first = readExample();

const other: State = {
  ...opened(
    "Ras el Shaqiq & more",
    position({
      map: { board: { columns: 40, rows: 12 }, layers: { deir: { hexes: ["P6"] } } },
      counters: [{ id: ".P6", class: CounterClass.GUN, hex: "P6", facing: 3 }],
    }),
  ),
  mode: "move",
  from: { counter: ".P6" },
  to: { hex: "AA4" },
  picking: "to",
  attack: "oba",
  munition: "he",
  rules: { ruleset: "our-club", policy: GrazingPolicy.BOTH },
  versus: { ruleset: "", policy: GrazingPolicy.UNSPECIFIED },
  hidden: ["deir", "high_dune"],
  names: false,
  pieces: false,
  mover: {
    counter: ".P6",
    class: CounterClass.TRUCK,
    pressure: GroundPressure.HIGH,
    allowance: undefined,
  },
  path: ["A1", "A2", "~2", "A3"],
  reach: true,
};

const bytes = (state: State) => toBinary(PositionSchema, state.position);

describe("a link", () => {
  test("holds the whole page", async () => {
    for (const state of [first, other]) {
      const again = await fromLink(await toLink(state, first), first);
      expect({ ...again, position: undefined }).toEqual({ ...state, position: undefined });
      expect(bytes(again)).toEqual(bytes(state));
    }
  });

  test("is short where the example is shown", async () => {
    expect((await toLink(first, first)).length).toBeLessThan(80);
    const moved = { ...first, position: other.position };
    expect((await toLink(moved, first)).length).toBeLessThan(400);
  });

  test("that is damaged is refused, or read as far as it makes sense", async () => {
    for (const text of [
      "position=!!",
      "position=AAAA",
      "position=",
      `position=${"A".repeat(999)}`,
    ]) {
      await expect(fromLink(text, first)).rejects.toThrow();
    }
    const odd = await fromLink(
      "mode=fly&attack=toString&class=__proto__&allowance=1e9&rules=~X",
      first,
    );
    expect(odd).toMatchObject({ mode: "fire", attack: "direct", mover: { allowance: 4 } });
    expect(odd.rules).toEqual({ ruleset: "", policy: GrazingPolicy.UNSPECIFIED });
    expect(await fromLink("", first)).toBe(first);
  });

  test("does not unpack to more than a page can bear", async () => {
    const zeros = new Blob([new Uint8Array(8 << 20)]).stream();
    const packed = new Uint8Array(
      await new Response(zeros.pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer(),
    );
    const text = Buffer.from(packed).toString("base64url");
    await expect(fromLink(`position=${text}`, first)).rejects.toThrow("too long");
  });
});

test("the example is the case of the repository", () => {
  const path = fileURLToPath(new URL("../../tests/cases/f4-example.json", import.meta.url));
  const { map, counters } = JSON.parse(readFileSync(path, "utf8"));
  expect(example).toMatchObject({ map, counters });
});
