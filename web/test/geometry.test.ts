import { describe, expect, test } from "vitest";
import {
  aim,
  BOARD,
  beside,
  centre,
  DIRECTIONS,
  ends,
  hexAt,
  hexesOf,
  hexOf,
  isOn,
  meet,
  nameOf,
  range,
  way,
} from "../src/geometry.js";

const origin = { x: 46, y: 68 };
const hex = (name: string) => {
  const found = hexOf(name, BOARD);
  if (!found) throw new Error(name);
  return found;
};

describe("hexes", () => {
  test("have the names that are printed on boards", () => {
    const all = [...hexesOf(BOARD)];
    expect(all.length).toBe(17 * 10 + 16 * 11);
    for (const one of all) expect(hexOf(nameOf(one), BOARD)).toEqual(one);
    expect(nameOf({ column: 32, row: 10 })).toBe("GG10");
    for (const none of ["A0", "A11", "HH1", "P", "6P", "AB1", ""]) {
      expect(hexOf(none, BOARD)).toBeUndefined();
    }
    expect(hexOf("b0", BOARD)).toEqual({ column: 1, row: 0 });
  });

  test("lie beside each other", () => {
    const around = (name: string) => DIRECTIONS.map((to) => nameOf(beside(hex(name), to)));
    expect(around("Q6")).toEqual(["Q5", "R5", "R6", "Q7", "P6", "P5"]);
    expect(around("P6")).toEqual(["P5", "Q6", "Q7", "P7", "O7", "O6"]);
  });

  test("are as far apart as the way between them is long", () => {
    expect(range(hex("S4"), hex("Q7"))).toBe(4);
    const names = ["A1", "GG10", "P6", "Q7", "B0", "S4"];
    for (const from of names.map(hex)) {
      for (const to of names.map(hex)) {
        const hexes = way(from, to, BOARD);
        expect(hexes.length).toBe(range(from, to));
        expect(hexes.every((hex) => isOn(hex, BOARD))).toBe(true);
        expect(hexes.at(-1) ?? from).toEqual(to);
      }
    }
  });

  test("are found where they are drawn", () => {
    expect(centre(hex("B0"), origin)).toEqual({ x: 91, y: 42 });
    for (const one of hexesOf(BOARD)) {
      const { x, y } = centre(one, origin);
      for (const [dx, dy] of [
        [0, 0],
        [13, 24],
        [-13, -24],
        [27, 2],
        [-27, -2],
      ] as const) {
        expect(hexAt({ x: x + dx, y: y + dy }, BOARD, origin)).toEqual(one);
      }
    }
    expect(hexAt({ x: 0, y: 0 }, BOARD, origin)).toBeUndefined();
  });

  test("share their hexsides", () => {
    for (const side of ["P6|P7", "P6|Q6", "P6|Q7", "O6|P6", "O7|P6"]) {
      const [one, other] = side.split("|");
      const there = ends(side, BOARD, origin)
        ?.map(({ x, y }) => `${x} ${y}`)
        .sort();
      const back = ends(`${other}|${one}`, BOARD, origin)
        ?.map(({ x, y }) => `${x} ${y}`)
        .sort();
      expect(there).toEqual(back);
    }
    expect(ends("A1|N", BOARD, origin)).toEqual([
      { x: 31, y: 42 },
      { x: 61, y: 42 },
    ]);
    expect(ends("P6|A1", BOARD, origin)).toBeUndefined();
    expect(ends("A1|N", BOARD, origin)?.[1]).toEqual(aim(hex("A1"), origin, 0));
  });

  test("are crossed where the line meets their sides", () => {
    const line = [centre(hex("P6"), origin), centre(hex("P9"), origin)] as const;
    const side = ends("P7|P8", BOARD, origin);
    const at = side && meet(line, side);
    expect(at?.x).toBeCloseTo(line[0].x);
    expect(at?.y).toBeCloseTo((line[0].y + line[1].y) / 2);
  });
});
