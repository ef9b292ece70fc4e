import {
  AttackKind,
  type CounterClass,
  create,
  GrazingPolicy,
  GroundPressure,
  LineOfFireRequestSchema,
  LineOfSightRequestSchema,
  type Mover as MoverMessage,
  MoverSchema,
  Munition,
  PackedFieldOfViewRequestSchema,
  PricePathRequestSchema,
  QuestionOptionsSchema,
  ReachableRequestSchema,
  RenderMapRequestSchema,
  type Subject,
  SubjectSchema,
  View,
} from "@alamein/client";
import { stepsOf } from "./path.js";
import {
  type Attack,
  counterOf,
  type End,
  type Mover,
  mapOf,
  type Rules,
  type State,
} from "./state.js";

const KINDS: Record<Exclude<Attack, "sight">, AttackKind> = {
  direct: AttackKind.DIRECT,
  mortar: AttackKind.MORTAR,
  oba: AttackKind.OBA,
};

const MADE = {
  other: Munition.UNSPECIFIED,
  he: Munition.HE,
  bombardment: Munition.BOMBARDMENT,
};

function subject(state: State): Subject {
  return create(SubjectSchema, { subject: { case: "position", value: state.position } });
}

function endMessage(end: End) {
  return "hex" in end
    ? { end: { case: "hex" as const, value: end.hex } }
    : { end: { case: "counterId" as const, value: end.counter } };
}

/** What holds for a question: the grazing policy, and the layers that nobody owns. */
function options(rules: Rules, ignoreLayers: readonly string[]) {
  return create(QuestionOptionsSchema, {
    grazingPolicy: rules.policy,
    ignoreLayers: [...ignoreLayers],
  });
}

/** What a line is asked by; nothing while an end is missing. */
export function lineRequest(state: State, rules: Rules, ignored: readonly string[]) {
  if (!state.from || !state.to) return undefined;
  const common = {
    subject: subject(state),
    options: options(rules, ignored),
    view: View.EXPLAIN,
    ruleset: rules.ruleset,
  };
  const ends = { from: endMessage(state.from), to: endMessage(state.to) };
  if (state.attack === "sight") {
    const request = create(LineOfSightRequestSchema, { ...common, question: ends });
    return { method: "LineOfSight" as const, request };
  }
  const munition = MADE[state.munition];
  const shot = { ...ends, attack: KINDS[state.attack], munition };
  const request = create(LineOfFireRequestSchema, { ...common, question: shot });
  return { method: "LineOfFire" as const, request };
}

/** What the field of view of a page is asked by; nothing while nobody looks. */
export function viewRequest(state: State, rules: Rules, ignored: readonly string[]) {
  if (!state.from) return undefined;
  const request = create(PackedFieldOfViewRequestSchema, {
    subject: subject(state),
    question: { from: endMessage(state.from) },
    options: options(rules, ignored),
    ruleset: rules.ruleset,
  });
  return { method: "PackedFieldOfView" as const, request };
}

/** The class of what moves: its counter's, or its own. */
export function classOf(state: State): CounterClass {
  return counterOf(state.position, state.mover.counter)?.class ?? state.mover.class;
}

function mover(state: State): MoverMessage {
  const { counter, pressure }: Mover = state.mover;
  const named = counterOf(state.position, counter) !== undefined;
  return create(MoverSchema, {
    ...(named ? { counterId: counter } : { class: state.mover.class }),
    groundPressure: pressure === GroundPressure.UNSPECIFIED ? 0 : pressure,
  });
}

/** What a path is asked by; nothing while it has no step. */
export function pathRequest(state: State, rules: Rules, ignored: readonly string[]) {
  const steps = stepsOf(state.path).map((step) => ({
    step:
      "turn" in step
        ? { case: "vcaChange" as const, value: { hex: step.hex, hexsides: step.turn } }
        : { case: "entry" as const, value: { fromHex: step.from, toHex: step.to } },
  }));
  if (steps.length === 0) return undefined;
  const { allowance } = state.mover;
  const request = create(PricePathRequestSchema, {
    subject: subject(state),
    question: { mover: mover(state), steps, ...(allowance !== undefined && { allowance }) },
    options: options({ ...rules, policy: GrazingPolicy.UNSPECIFIED }, ignored),
    view: View.EXPLAIN,
    ruleset: rules.ruleset,
  });
  return { method: "PricePath" as const, request };
}

/** What is asked by where an allowance reaches. */
export function reachRequest(state: State, rules: Rules, ignored: readonly string[]) {
  const [fromHex] = state.path;
  const { allowance } = state.mover;
  if (fromHex === undefined || allowance === undefined) return undefined;
  const request = create(ReachableRequestSchema, {
    subject: subject(state),
    question: { mover: mover(state), fromHex, allowance },
    options: options({ ...rules, policy: GrazingPolicy.UNSPECIFIED }, ignored),
    ruleset: rules.ruleset,
  });
  return { method: "Reachable" as const, request };
}

/** What a picture is asked by: the whole map, without the layers that are not to be seen. */
export function pictureRequest(state: Pick<State, "position" | "hidden" | "rules">) {
  const map = mapOf(state.position);
  const layers = map.layers.filter(({ name }) => !state.hidden.includes(name));
  const position = {
    ...state.position,
    mapSource: { case: "map" as const, value: { ...map, layers } },
  };
  return create(RenderMapRequestSchema, {
    subject: { case: "position", value: position },
    wholeMap: true,
    ruleset: state.rules.ruleset,
  });
}
