import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { binary, plugins } from "./service.js";

/** Says at the start what is missing, rather than in every test. */
export default function setup(_: TestProject) {
  for (const [variable, path] of [
    ["ALAMEIN_BIN", binary],
    ["ALAMEIN_PLUGINS", plugins],
  ] as const) {
    if (path && existsSync(path)) continue;
    const what = `${variable} must name the built service${variable.endsWith("S") ? "'s plugins" : ""}`;
    if (process.env["CI"]) throw new Error(`${what}; it is ${path ?? "not set"}`);
    console.warn(`SKIPPED: all tests that need a service. ${what}.`);
  }
}
