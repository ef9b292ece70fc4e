import { expect, test } from "vitest";
import { endOfPath, stepsOf, turned } from "../src/path.js";

test("a path has hexes, and turns in between", () => {
  expect(stepsOf(["P6"])).toEqual([]);
  expect(stepsOf(["P6", "~2", "P7", "P8"])).toEqual([
    { hex: "P6", turn: 2 },
    { from: "P6", to: "P7" },
    { from: "P7", to: "P8" },
  ]);
  expect(endOfPath(["P6", "P7", "~2"])).toBe("P7");
  expect(endOfPath([])).toBeUndefined();
});

test("a turn goes on to the most that there is", () => {
  let path: readonly string[] = ["P6"];
  for (let at = 0; at < 9; at++) path = turned(path);
  expect(path).toEqual(["P6", "~5"]);
  expect(turned(["P6", "~1", "P7"])).toEqual(["P6", "~1", "P7", "~1"]);
});
