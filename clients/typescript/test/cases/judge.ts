import type { CaseQuestion, Expectation } from "../../src/cases/index.js";
import { type Answered, GrazingPolicy, type Ruling } from "../../src/index.js";
import { answer, isBlocked, type Known } from "./answer.js";

/** What became of a question of a case. */
export type Outcome =
  | { readonly outcome: "passed" }
  | { readonly outcome: "skipped"; readonly why: string }
  | { readonly outcome: "failed"; readonly why: string };

const passed: Outcome = { outcome: "passed" };
const skipped = (why: string): Outcome => ({ outcome: "skipped", why });
const failed = (why: string): Outcome => ({ outcome: "failed", why });

/** What becomes of a question whatever is answered, if that is so. */
export function decided(question: CaseQuestion): Outcome | undefined {
  if (question.unreadable) return failed(question.unreadable.message);
  if (question.contested) return skipped("the rules leave it open");
  if (!question.question) return skipped(`nothing answers questions of the kind ${question.kind}`);
  if (!question.expected) return skipped("the file expects nothing of it");
  return undefined;
}

/** Compares what was said of a question with what its file expects. */
export function judge(question: CaseQuestion, said: Answered, known: Known): Outcome {
  if (said.error) {
    const { reason, metadata } = said.error;
    if (reason !== "RULE_NOT_IMPLEMENTED") return failed(`no ruling: ${said.error.message}`);
    return skipped(`plugin ${metadata["plugin"]} does not implement its rule ${metadata["rule"]}`);
  }
  const { ruling } = said;
  const met = ruling.ignoredLayers.find((layer) => layer.met);
  if (met) return skipped(`it meets the layer ${met.layer}, which no loaded plugin owns`);
  const expectedUnder = (policy: GrazingPolicy) =>
    question.expectedUnder.get(policy) ?? question.expected ?? {};
  // Where a file says nothing of other policies, what they give is not compared.
  const others = question.expectedUnder.size > 0 ? ruling.otherPolicies : [];
  const rulings = [ruling, ...others.flatMap(({ ruling }) => ruling ?? [])];
  const differences: string[] = [];
  for (const ruling of rulings) {
    const { unreported, differs } = compare(expectedUnder(ruling.grazingPolicy), ruling, known);
    if (unreported[0] !== undefined) return skipped(`no loaded plugin reports ${unreported[0]}`);
    differences.push(...differs);
  }
  // A line that does not graze has no other policies: there each gives the same.
  const asked = rulings.map(({ grazingPolicy }) => grazingPolicy);
  if (!ruling.trace?.grazing) {
    for (const [policy, expected] of question.expectedUnder) {
      if (asked.includes(policy)) continue;
      const { differs } = compare(expected, ruling, known);
      differences.push(...differs.map((text) => `under ${GrazingPolicy[policy]}: ${text}`));
    }
  }
  return differences.length === 0 ? passed : failed(differences.join("; "));
}

function compare(expected: Expectation, ruling: Ruling, known: Known) {
  const answers = answer(ruling, known);
  const unreported: string[] = [];
  const differs: string[] = [];
  for (const [key, wanted] of Object.entries(expected)) {
    // What a case does not judge it leaves empty. Where there is no LOS, everything is.
    if (wanted === null && !isBlocked(ruling)) continue;
    const said = ruled(key, wanted, answers);
    if (said === undefined) {
      if (!isNeutral(wanted)) unreported.push(key);
    } else if (!agrees(key, wanted, said)) {
      differs.push(`${key}: expected ${JSON.stringify(wanted)}, ruled ${JSON.stringify(said)}`);
    }
  }
  return { unreported, differs };
}

/** What the ruling says of a key; nothing if nothing that is loaded ever would. */
function ruled(key: string, expected: unknown, answers: Expectation): unknown {
  if (key === "result_in") return answers["result"];
  if (key === "hinders") {
    const hindering = answers["hindering"];
    if (!Array.isArray(hindering) || !isRecord(expected)) return undefined;
    return Object.fromEntries(Object.keys(expected).map((id) => [id, hindering.includes(id)]));
  }
  const said = answers[key];
  if (key !== "items" || !Array.isArray(said) || !Array.isArray(expected)) return said;
  // An item with only those fields that some expected item has.
  const wanted = new Set(expected.flatMap((item) => (isRecord(item) ? Object.keys(item) : [])));
  if (expected.length === 0) return said;
  return said.map((item: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(item).filter(([field]) => wanted.has(field))),
  );
}

function agrees(key: string, expected: unknown, ruled: unknown): boolean {
  if (key === "result_in" && Array.isArray(expected)) return expected.includes(ruled);
  if (Array.isArray(expected)) {
    const sorted = (items: unknown[]) => items.map(canonical).sort().join();
    return Array.isArray(ruled) && sorted(expected) === sorted(ruled);
  }
  // Of an object only the fields that are expected count.
  if (isRecord(expected)) {
    return Object.entries(expected).every(
      ([field, wanted]) => isRecord(ruled) && field in ruled && agrees(field, wanted, ruled[field]),
    );
  }
  return expected === ruled;
}

/** JSON whose keys are sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );
}

/** Whether a value says that there is nothing to say. */
function isNeutral(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isRecord(value)) return Object.values(value).every(isNeutral);
  return value === null || value === false || value === 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
