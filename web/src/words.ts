import {
  type Consideration,
  CostPart,
  Effect,
  type Finding,
  GrazingPolicy,
  LineOfSightResult,
  type LineOfSightVerdict,
  type Observation,
  ObservationKind,
  type Place,
  type RuleRef,
  type Ruling,
} from "@alamein/client";

/** A verdict in a word, and how it is to be shown. */
export interface Headline {
  readonly tone: "clear" | "hindered" | "blocked";
  readonly title: string;
  /** By which rules, if any need be said. */
  readonly by: string;
}

/** A part of a verdict: `TEM +1`. */
export interface Figure {
  readonly label: string;
  readonly value: string;
}

/** A number with its sign, as modifiers are written. */
export function signed(number: number): string {
  if (number === 0) return "0";
  return number < 0 ? `−${-number}` : `+${number}`;
}

/** The line of a ruling, if it has one. */
export function lineOf(ruling: Ruling): LineOfSightVerdict | undefined {
  const verdict = ruling.verdict?.verdict;
  if (verdict?.case === "lineOfSight") return verdict.value;
  return verdict?.case === "lineOfFire" ? verdict.value.line : undefined;
}

/** What a line comes to. */
export function headline(ruling: Ruling): Headline {
  const line = lineOf(ruling);
  switch (line?.result) {
    case LineOfSightResult.BLOCKED:
      return { tone: "blocked", title: "No line of sight", by: listed(line.blockedBy) };
    case LineOfSightResult.HINDERED:
      return {
        tone: "hindered",
        title: `Hindered ${signed(line.hindrance ?? 0)}`,
        by: line.hinderingCounterIds.length > 0 ? listed(line.hinderingCounterIds) : "",
      };
    default:
      return { tone: "clear", title: "Clear line of sight", by: "" };
  }
}

/** The parts of a verdict that are figures. */
export function figures(ruling: Ruling): Figure[] {
  const line = lineOf(ruling);
  const all: Figure[] = [];
  const add = (label: string, value: string) => all.push({ label, value });
  const verdict = ruling.verdict?.verdict;
  if (verdict?.case === "lineOfFire" && line?.result !== LineOfSightResult.BLOCKED) {
    const fire = verdict.value;
    if (fire.totalDrm !== undefined) add("total DRM", signed(fire.totalDrm));
    if (fire.tem !== undefined) add("TEM", signed(fire.tem));
    if (line?.hindrance !== undefined) add("Hindrance", signed(line.hindrance));
    if (fire.hullDown) add("Hull Down", "may claim");
    if (fire.openGround !== undefined) add("Open Ground", fire.openGround ? "yes" : "no");
    if (fire.halved) add("FP", "halved");
    if (fire.moraleDrm) add("MC", signed(fire.moraleDrm));
  }
  if (line) add("range", String(line.range));
  return all;
}

const EFFECTS: Partial<Record<Effect, string>> = {
  [Effect.BLOCKS]: "blocks",
  [Effect.HINDRANCE_LIMIT]: "blocks from",
  [Effect.HINDRANCE_CAP]: "at most",
  [Effect.TEM]: "TEM",
  [Effect.HULL_DOWN]: "Hull Down",
  [Effect.NOT_OPEN_GROUND]: "not Open Ground",
  [Effect.IMMUNE]: "immune",
  [Effect.ON_LANE]: "on the lane",
  [Effect.PROHIBITED]: "prohibited",
  [Effect.OPEN_GROUND]: "Open Ground",
  [Effect.NOT_COVERED]: "not covered",
  [Effect.HALVED]: "FP halved",
  [Effect.MORALE_DRM]: "MC",
  [Effect.ALLOWED]: "allowed",
  [Effect.EMPLACED]: "Emplaced",
  [Effect.MAY_BE_UNEMPLACED]: "may be recorded not Emplaced",
};

/** What a finding does, in a word or two. */
export function effectOf({ effect, value }: Finding): string {
  const word = EFFECTS[effect] ?? "";
  return value === undefined ? word : `${word} ${signed(value)}`;
}

/** What an observation is, in a word or two. */
export function kindOf({ kind, name, value, costPart }: Observation): string {
  const word = spoken(name);
  const number = value === undefined ? "" : ` ${signed(value)}`;
  switch (kind) {
    case ObservationKind.HINDRANCE:
      return `Hindrance${number}`;
    case ObservationKind.OBSTACLE:
      return "obstacle";
    case ObservationKind.COST:
      return costPart === CostPart.COT ? `COT ${value ?? ""}` : `cost${number}`;
    case ObservationKind.CHECK:
      return "check";
    case ObservationKind.CHECK_DRM:
      return `check DRM${number}`;
    default:
      return word;
  }
}

/** A name of a program's as people say it. */
export function spoken(name: string): string {
  return name.replaceAll("_", " ");
}

/** A place in a word. */
export function placeOf(place: Place | undefined): string {
  return place?.place.value ?? "";
}

/** What a rule is called. */
export function ruleOf(rule: RuleRef | undefined): string {
  return rule?.number || rule?.id || "";
}

/** Several things in a sentence. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** A grazing policy as players read it. */
export const POLICIES: Record<GrazingPolicy, string> = {
  [GrazingPolicy.UNSPECIFIED]: "as the ruleset says",
  [GrazingPolicy.EITHER]: "either reading",
  [GrazingPolicy.BOTH]: "both readings",
  [GrazingPolicy.NEITHER_IF_GRAZING]: "never when grazing",
};

/** What a finding, observation or consideration says that can be compared between rulings. */
export function gist(of: Finding | Consideration | Observation): string {
  const text = "message" in of ? of.message?.text : "why" in of ? of.why?.text : "";
  return [of.pluginId, of.rule?.id, placeOf(of.where), of.counterId, of.standing, text].join(" ");
}
