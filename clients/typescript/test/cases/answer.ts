import type { Expectation } from "../../src/cases/index.js";
import {
  type CheckModifier,
  type Citation,
  Effect,
  Emplacement,
  type FireLaneVerdict,
  type LineOfFireVerdict,
  LineOfSightResult,
  type LineOfSightVerdict,
  type MovementItem,
  MovementUnit,
  type MovementVerdict,
  ReportValue,
  type Ruleset,
  type Ruling,
  type SetUpVerdict,
} from "../../src/index.js";

/** What manifests say of the keys by which cases report what rules found. */
export class Known {
  readonly #reports = new Map<string, { key: string; value: ReportValue }[]>();
  readonly keys = new Map<string, Set<ReportValue>>();

  constructor(ruleset: Ruleset) {
    for (const plugin of ruleset.plugins) {
      for (const rule of plugin.rules) {
        this.#reports.set(`${plugin.pluginId} ${rule.ruleId}`, rule.reports);
        for (const { key, value } of rule.reports) {
          if (value === ReportValue.ITEM) continue;
          this.keys.set(key, (this.keys.get(key) ?? new Set()).add(value));
        }
      }
    }
  }

  reports({ pluginId, rule }: Pick<Citation, "pluginId" | "rule">) {
    return this.#reports.get(`${pluginId} ${rule?.id ?? ""}`) ?? [];
  }

  /** What a rule calls an item of cost: its own word, or the rule's id if it has none. */
  item(by: MovementItem | CheckModifier): string {
    const report = this.reports(by).find(({ value }) => value === ReportValue.ITEM);
    return report?.key ?? by.rule?.id ?? "";
  }
}

/** What a ruling answers, by the keys of case files. */
export function answer(ruling: Ruling, known: Known): Expectation {
  const reported = [...known.keys].map(([key, hows]) => [key, report(key, hows, ruling, known)]);
  // What a verdict says goes before what rules report under the same key.
  return { ...Object.fromEntries(reported), ...verdict(ruling, known) };
}

/** The line of a ruling, if it has one. */
export function lineOf(ruling: Ruling): LineOfSightVerdict | undefined {
  const verdict = ruling.verdict?.verdict;
  if (verdict?.case === "lineOfSight") return verdict.value;
  if (verdict?.case === "lineOfFire" || verdict?.case === "fireLane") return verdict.value.line;
  return undefined;
}

export const isBlocked = (ruling: Ruling) => lineOf(ruling)?.result === LineOfSightResult.BLOCKED;

function verdict(ruling: Ruling, known: Known): Expectation {
  const verdict = ruling.verdict?.verdict;
  switch (verdict?.case) {
    case "lineOfSight":
      return los(verdict.value);
    case "lineOfFire":
      return { ...los(verdict.value.line), ...tem(verdict.value) };
    case "fireLane":
      return { ...los(verdict.value.line), ...lane(verdict.value) };
    case "movement":
      return movement(verdict.value, known);
    case "setUp":
      return setUp(verdict.value);
    default:
      throw new Error("a ruling without a verdict");
  }
}

function los(line: LineOfSightVerdict | undefined): Expectation {
  if (!line) throw new Error("a verdict without its line");
  return {
    result: LineOfSightResult[line.result].toLowerCase(),
    hindrance: line.hindrance ?? null,
    hindering: line.hinderingCounterIds,
    blocked_by: line.blockedBy,
    grazing: line.grazing,
    range: line.range,
  };
}

function tem(verdict: LineOfFireVerdict): Expectation {
  return {
    hull_down: verdict.hullDown ?? null,
    open_ground: verdict.openGround ?? null,
    total_drm: verdict.totalDrm ?? null,
    halved: verdict.halved ?? null,
    morale_drm: verdict.moraleDrm ?? null,
  };
}

function lane(verdict: FireLaneVerdict): Expectation {
  const { onLane: on_lane, immune, attacked } = verdict;
  return { on_lane, immune, attacked, lane_hindering: verdict.line?.hinderingCounterIds ?? [] };
}

function movement(verdict: MovementVerdict, known: Known): Expectation {
  const items = verdict.items.filter(({ amount }) => amount !== 0);
  return {
    total: verdict.total ?? null,
    unit: MovementUnit[verdict.unit],
    items: items.map((item) => ({
      what: known.item(item),
      amount: item.amount,
      spent_in: item.spentIn?.place.value ?? null,
    })),
    prohibited_by: numbers(verdict.prohibitedBy),
  };
}

function setUp(verdict: SetUpVerdict): Expectation {
  const is = verdict.emplacement;
  return {
    allowed: verdict.allowed ?? null,
    prohibited_by: numbers(verdict.prohibitedBy),
    emplacement: is === Emplacement.UNSPECIFIED ? null : Emplacement[is].toLowerCase(),
    emplacement_by: numbers(verdict.emplacementBy),
  };
}

/** The numbers of rules, each once. */
function numbers(rules: Citation[]): string[] {
  return [...new Set(rules.map(({ rule }) => rule?.number ?? ""))].sort();
}

/** The value of a key that rules report. There is none where the LOS is blocked. */
function report(key: string, hows: Set<ReportValue>, ruling: Ruling, known: Known): unknown {
  if (hows.has(ReportValue.CHECK)) return check(key, ruling, known);
  if (isBlocked(ruling)) return null;
  let found = false;
  let best: number | undefined;
  for (const finding of ruling.findings.filter(({ standing }) => standing)) {
    for (const { value } of known.reports(finding).filter((report) => report.key === key)) {
      if (value === ReportValue.UNKNOWN) return null;
      if (value === ReportValue.FLAG) found = true;
      const counts = NUMBERED.includes(finding.effect) && finding.value !== undefined;
      if (value === ReportValue.BEST && counts) {
        best = Math.max(best ?? Number.NEGATIVE_INFINITY, finding.value ?? 0);
      }
    }
  }
  return hows.has(ReportValue.BEST) ? (best ?? 0) : found;
}

const NUMBERED = [Effect.TEM, Effect.MORALE_DRM, Effect.HINDRANCE_CAP, Effect.HINDRANCE_LIMIT];

/** The check that a key holds, if the step owes one. */
function check(key: string, ruling: Ruling, known: Known): unknown {
  const verdict = ruling.verdict?.verdict;
  if (verdict?.case !== "movement") return null;
  const holds = (report: { key: string; value: ReportValue }) =>
    report.key === key && report.value === ReportValue.CHECK;
  const owed = verdict.value.checks.find((check) => known.reports(check).some(holds));
  if (!owed) return { required: false, drm: null };
  const drm = owed.drm ?? null;
  return {
    required: true,
    drm,
    checks: owed.times,
    ...(drm !== null && {
      items: owed.modifiers.map((modifier) => ({ what: known.item(modifier), drm: modifier.drm })),
      bogs_on_original_dr: owed.failsAtOriginalDr ?? null,
    }),
  };
}
