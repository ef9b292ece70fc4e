import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AlameinClient,
  AttackKind,
  createClient,
  GrazingPolicy,
  position,
} from "../src/index.js";
import { isThere, Service } from "./support/service.js";

const CASE = fileURLToPath(new URL("../../../tests/cases/f4-example.json", import.meta.url));

// Streams in both directions: browsers have none, so this is for Node alone.
describe.skipIf(!isThere)("rulesets", () => {
  let service: Service;
  let client: AlameinClient;
  beforeAll(async () => {
    service = await Service.start();
    client = createClient(service.address);
    const { spec } = await client.ruleset();
    if (!spec) throw new Error("a ruleset without what it is made of");
    spec.name = "club";
    spec.grazingPolicy = GrazingPolicy.NEITHER_IF_GRAZING;
    await client.stubs.rulesets.createRuleset({ source: { case: "spec", value: spec } });
  });
  afterAll(async () => {
    client.close();
    await service.end();
  });

  test("are asked by their names", async () => {
    const line = { from: { hex: "P6" }, to: { hex: "Q7" } };
    const ruling = await client.with({ ruleset: "club" }).lineOfSight(position({}), line);
    expect(ruling.grazingPolicy).toBe(GrazingPolicy.NEITHER_IF_GRAZING);
    const shot = { ...line, attack: AttackKind.DIRECT };
    const usual = await client.lineOfFire(position({}), shot);
    expect(usual.rulesFingerprint).not.toBe(ruling.rulesFingerprint);
  });

  test("are compared over a stream of cases", async () => {
    async function* cases() {
      const content = readFileSync(CASE);
      yield { before: "", after: "club", content: content.subarray(0, 5000) };
      yield { content: content.subarray(5000) };
    }
    const changed: string[] = [];
    let questions = 0n;
    for await (const { result } of client.stubs.rulesets.compareRulesets(cases())) {
      if (result.case === "change") changed.push(result.value.questionId);
      else if (result.case === "summary") questions = result.value.questions;
    }
    expect(changed).toContain("tem-D-B");
    expect(questions).toBeGreaterThan(100n);
  });
});
