/**
 * Case files: a position, questions and the answers that are expected, as `alamein check` replays
 * them and `exportCase` gives them.
 */
import type { Position } from "../gen/alamein/v1/position_pb.js";
import type { GrazingPolicy, Question } from "../gen/alamein/v1/question_pb.js";
import type { Ruleset } from "../gen/alamein/v1/ruleset_service_pb.js";
import { CaseError, Node } from "./node.js";
import { type KnownLayers, layersOf, readPosition } from "./position.js";
import { readQuestion } from "./question.js";
import { POLICIES } from "./words.js";

export { CaseError } from "./node.js";

/** What is expected of a ruling, by the keys of case files. */
export type Expectation = Readonly<Record<string, unknown>>;

/** What a case file holds. */
export interface Case {
  readonly id: string;
  readonly title: string;
  readonly position: Position;
  readonly questions: readonly CaseQuestion[];
  /** Under which rules it wants to be ruled on: a grazing policy, options by plugin. */
  readonly settings: {
    readonly policy?: GrazingPolicy;
    readonly options: Readonly<Record<string, Expectation>>;
  };
}

/** A question of a case. */
export interface CaseQuestion {
  readonly id: string;
  readonly kind: string;
  /** What it asks; nothing if it is of a kind that nothing answers, or cannot be read. */
  readonly question: Question | undefined;
  /** Why it cannot be read. */
  readonly unreadable: CaseError | undefined;
  /** What is expected, if the file says so. */
  readonly expected: Expectation | undefined;
  /** What is expected under grazing policies that change it. */
  readonly expectedUnder: ReadonlyMap<GrazingPolicy, Expectation>;
  /** Whether the rules leave it open. */
  readonly contested: boolean;
}

/**
 * Reads a case file. The ruleset says of what kinds the fields of layers are. What is wrong with
 * one of the questions is told in its place; anything else throws a `CaseError`.
 */
export function readCase(text: string, ruleset: Ruleset): Case {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CaseError("", `is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const node = new Node(value);
  node.object();
  const known = layersOf(ruleset);
  const position = readPosition(node, known);
  const settings = node.get("alamein");
  const policy = settings?.get("policy")?.word(POLICIES);
  const options = settings?.get("options")?.fields() ?? [];
  return {
    id: node.get("id")?.text() ?? "",
    title: node.get("title")?.text() ?? "",
    position,
    questions: node
      .itemsOf("questions")
      .map((item, at) => caseQuestion(new Node(item.value), at, position, known)),
    settings: {
      ...(policy !== undefined && { policy }),
      options: Object.fromEntries(options.map(([plugin, set]) => [plugin, set.object()])),
    },
  };
}

function caseQuestion(
  node: Node,
  at: number,
  position: Position,
  known: KnownLayers,
): CaseQuestion {
  let question: Question | undefined;
  let unreadable: CaseError | undefined;
  try {
    question = readQuestion(node, position, known);
  } catch (error) {
    if (!(error instanceof CaseError)) throw error;
    unreadable = error;
  }
  const others = node.get("expect_other_policies")?.fields() ?? [];
  const kind = node.get("kind")?.value;
  return {
    id:
      typeof node.get("id")?.value === "string"
        ? String(node.get("id")?.value)
        : `questions[${at}]`,
    kind: typeof kind === "string" ? kind : "",
    question,
    unreadable,
    expected: node.get("expect")?.object(),
    expectedUnder: new Map(
      others.map(([name, other]) => {
        const policy = POLICIES.get(name);
        if (policy === undefined) throw other.wrong("is no grazing policy");
        return [policy, other.object()];
      }),
    ),
    contested: node.get("contested")?.flag() ?? false,
  };
}
