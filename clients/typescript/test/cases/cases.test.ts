import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Case, readCase } from "../../src/cases/index.js";
import { type AlameinClient, createClient, type Ruleset, View } from "../../src/index.js";
import { binary, isThere, Service } from "../support/service.js";
import { Known } from "./answer.js";
import { decided, judge, type Outcome } from "./judge.js";

const FOLDER = fileURLToPath(new URL("../../../../tests/cases", import.meta.url));

/** What `alamein check --json` says. */
interface Checked {
  passed: number;
  failed: number;
  skipped: number;
  questions: { file: string; id: string; outcome: string }[];
}

describe.skipIf(!isThere)("the case files", () => {
  let service: Service;
  let client: AlameinClient;
  beforeAll(async () => {
    service = await Service.start();
    client = createClient(service.address);
  });
  afterAll(async () => {
    client.close();
    await service.end();
  });

  test("every file gets the rulings that `alamein check` gets", { timeout: 300_000 }, async () => {
    const ruleset = await client.ruleset();
    const ours: Record<string, string> = {};
    const failures: string[] = [];
    for (const name of readdirSync(FOLDER).filter((name) => name.endsWith(".json"))) {
      const file = readCase(readFileSync(`${FOLDER}/${name}`, "utf8"), ruleset);
      for (const [id, outcome] of await replay(client, file, ruleset)) {
        ours[`${name} ${id}`] = outcome.outcome;
        if (outcome.outcome === "failed") failures.push(`${name} ${id}: ${outcome.why}`);
      }
    }
    expect(failures).toEqual([]);
    const check = await alameinCheck(service.address);
    const theirs = check.questions.map(({ file, id, outcome }) => [
      `${basename(file)} ${id}`,
      outcome,
    ]);
    expect(ours).toEqual(Object.fromEntries(theirs));
    const count = (what: string) => Object.values(ours).filter((one) => one === what).length;
    const { passed, failed, skipped } = check;
    expect([count("passed"), count("failed"), count("skipped")]).toEqual([passed, failed, skipped]);
    // A runner that reads nothing would agree with itself.
    expect(passed).toBeGreaterThan(500);
    console.info(`cases: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  });

  test("an expectation that is wrong fails", async () => {
    const ruleset = await client.ruleset();
    const text = readFileSync(`${FOLDER}/f4-example.json`, "utf8");
    const value = JSON.parse(text);
    const wrong = value.questions.find((question: { id: string }) => question.id === "tem-H-A");
    wrong.expect.deir_protection = false;
    const outcomes = await replay(client, readCase(JSON.stringify(value), ruleset), ruleset);
    const failed = [...outcomes].filter(([, outcome]) => outcome.outcome === "failed");
    expect(failed.map(([id]) => id)).toEqual(["tem-H-A"]);
  });

  test("what is exported reads as what was asked", async () => {
    const ruleset = await client.ruleset();
    const file = readCase(readFileSync(`${FOLDER}/f4-example.json`, "utf8"), ruleset);
    const questions = file.questions.flatMap(({ question }) => question ?? []).slice(0, 5);
    const { text } = await client.exportCase(file.position, questions, { caseId: "again" });
    const again = readCase(text, ruleset);
    expect(again.id).toBe("again");
    expect(await client.createPosition(again.position)).toBe(
      await client.createPosition(file.position),
    );
    const outcomes = await replay(client, again, ruleset);
    expect([...outcomes.values()].map(({ outcome }) => outcome)).toEqual(Array(5).fill("passed"));
  });
});

/** What becomes of the questions of a case, by their ids. */
async function replay(client: AlameinClient, file: Case, ruleset: Ruleset) {
  const outcomes = new Map<string, Outcome>();
  const known = new Known(ruleset);
  const open = file.questions.filter((question) => {
    const outcome = decided(question) ?? unsuited(file, ruleset);
    if (outcome) outcomes.set(question.id, outcome);
    return !outcome;
  });
  const questions = open.flatMap(({ question }) => question ?? []);
  const answers = await client.adjudicate(file.position, questions, { view: View.EXPLAIN });
  for (const [at, said] of answers.entries()) {
    const question = open[at];
    if (question) outcomes.set(question.id, judge(question, said, known));
  }
  return outcomes;
}

/** A case that wants other options than the service has cannot be asked of it. */
function unsuited(file: Case, ruleset: Ruleset): Outcome | undefined {
  if (Object.keys(file.settings.options).length === 0) return undefined;
  const differing: Record<string, Record<string, unknown>> = {};
  for (const plugin of ruleset.plugins) {
    for (const option of plugin.options.filter((it) => it.valueJson !== it.defaultJson)) {
      const of = differing[plugin.pluginId] ?? {};
      differing[plugin.pluginId] = { ...of, [option.name]: JSON.parse(option.valueJson) };
    }
  }
  if (isDeepStrictEqual(differing, file.settings.options)) return undefined;
  return { outcome: "skipped", why: "the service judges by other options than the file wants" };
}

function alameinCheck(address: string): Promise<Checked> {
  return new Promise((resolve, reject) => {
    const args = ["check", FOLDER, "--json", "--server", address];
    execFile(binary ?? "", args, { maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (stdout) resolve(JSON.parse(stdout));
      else reject(error ?? new Error(stderr));
    });
  });
}
