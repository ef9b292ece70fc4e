import { CounterClass, CounterFlag, EnvironmentCondition } from "../gen/alamein/v1/position_pb.js";
import {
  AttackKind,
  Concealment,
  Fortification,
  GrazingPolicy,
  GroundPressure,
  LaneMover,
  Munition,
  Way,
} from "../gen/alamein/v1/question_pb.js";

/** The words of case files for the values of an enum. */
export type Words<E> = ReadonlyMap<string, E>;

/** The names of an enum as case files write them: `ARMORED_CAR` is `armored_car`. */
function wordsOf<E extends number>(
  values: Record<string, string | E>,
  more: Record<string, E> = {},
): Words<E> {
  const named = Object.entries(values).filter(
    ([, value]) => typeof value === "number" && value > 0,
  );
  const own = named.map(([name, value]): [string, E] => [name.toLowerCase(), value as E]);
  return new Map([...own, ...Object.entries(more)]);
}

export const ATTACKS = wordsOf<AttackKind>(AttackKind, { indirect: AttackKind.MORTAR });
export const MUNITIONS = wordsOf<Munition>(Munition, { other: Munition.UNSPECIFIED });
export const LANE_MOVERS = wordsOf<LaneMover>(LaneMover);
export const PRESSURES = wordsOf<GroundPressure>(GroundPressure);
export const WAYS = wordsOf<Way>(Way);
export const CONDITIONS = wordsOf<EnvironmentCondition>(EnvironmentCondition);
export const FORTIFICATIONS = wordsOf<Fortification>(Fortification);
export const CONCEALMENTS = wordsOf<Concealment>(Concealment, {
  unconcealed: Concealment.UNSPECIFIED,
});
/** `infantry` is an ordinary squad. */
export const CLASSES = wordsOf<CounterClass>(CounterClass, { infantry: CounterClass.SQUAD });
export const FLAGS = wordsOf<CounterFlag>(CounterFlag);

/** Grazing policies are written as the API names them. */
export const POLICIES: Words<GrazingPolicy> = new Map([
  ["EITHER", GrazingPolicy.EITHER],
  ["BOTH", GrazingPolicy.BOTH],
  ["NEITHER_IF_GRAZING", GrazingPolicy.NEITHER_IF_GRAZING],
]);
