import {
  AttackKind,
  type End as EndMessage,
  EnvironmentCondition,
  GroundPressure,
  Munition,
  type Question,
  Way,
} from "@alamein/client";
import type { CaseQuestion } from "@alamein/client/cases";
import type { Attack, End, Munition as Made, State } from "./state.js";

/** A question of a case that this page can ask: what to call it, and what it makes of the page. */
export interface Askable {
  readonly id: string;
  readonly asks: Partial<State>;
}

const ATTACKS: Partial<Record<AttackKind, Attack>> = {
  [AttackKind.DIRECT]: "direct",
  [AttackKind.MORTAR]: "mortar",
  [AttackKind.OBA]: "oba",
};

const MADE: Record<Munition, Made> = {
  [Munition.UNSPECIFIED]: "other",
  [Munition.HE]: "he",
  [Munition.BOMBARDMENT]: "bombardment",
};

/** The questions of a case that this page can ask just as they are. */
export function askable(questions: readonly CaseQuestion[]): Askable[] {
  return questions.flatMap(({ id, question }) => {
    const asks = question && asked(question);
    return asks ? [{ id, asks }] : [];
  });
}

function asked({ question, options }: Question): Partial<State> | undefined {
  // What the page has no fields for it does not leave out: then it does not ask at all.
  if ((options?.probes.length ?? 0) > 0) return undefined;
  const policy = options?.grazingPolicy;
  const rules = policy ? { rules: { ruleset: "", policy } } : {};
  switch (question.case) {
    case "lineOfSight":
    case "lineOfFire": {
      const [from, to] = [end(question.value.from), end(question.value.to)];
      if (!from || !to) return undefined;
      const line = { ...rules, mode: "fire" as const, from, to, picking: "to" as const };
      if (question.case === "lineOfSight") return { ...line, attack: "sight", munition: "other" };
      const attack = ATTACKS[question.value.attack];
      return attack && { ...line, attack, munition: MADE[question.value.munition] };
    }
    case "movement": {
      const { mover, step, ec } = question.value;
      const plain = mover && mover.weightTons === undefined && !mover.britishBuilt;
      if (!plain || step.case !== "entry" || step.value.way !== Way.UNSPECIFIED) return undefined;
      if (ec !== EnvironmentCondition.UNSPECIFIED) return undefined;
      return {
        mode: "move",
        path: [step.value.fromHex, step.value.toHex],
        mover: {
          counter: mover.counterId,
          class: mover.class,
          pressure: mover.groundPressure ?? GroundPressure.UNSPECIFIED,
          allowance: undefined,
        },
      };
    }
    default:
      return undefined;
  }
}

function end(message: EndMessage | undefined): End | undefined {
  if (!message || message.corner !== undefined) return undefined;
  const { end } = message;
  if (end.case === "counterId") return { counter: end.value };
  return end.case === "hex" ? { hex: end.value } : undefined;
}
