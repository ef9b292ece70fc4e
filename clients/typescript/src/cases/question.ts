import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Counter, Position } from "../gen/alamein/v1/position_pb.js";
import {
  AttackKind,
  type End,
  EndSchema,
  Fortification,
  type Mover,
  MoverSchema,
  Munition,
  type Question,
  QuestionSchema,
  Way,
} from "../gen/alamein/v1/question_pb.js";
import type { Node } from "./node.js";
import { type KnownLayers, readCounter } from "./position.js";
import {
  ATTACKS,
  CLASSES,
  CONCEALMENTS,
  CONDITIONS,
  FORTIFICATIONS,
  LANE_MOVERS,
  MUNITIONS,
  POLICIES,
  PRESSURES,
  WAYS,
} from "./words.js";

type Init = MessageInitShape<typeof QuestionSchema>["question"];

/** Reads what a question asks; nothing if it is of a kind that nothing answers. */
export function readQuestion(
  node: Node,
  position: Position,
  known: KnownLayers,
): Question | undefined {
  const probes = node.itemsOf("probes").map(readCounter);
  const question = ask(node, [...position.counters, ...probes]);
  if (!question) return undefined;
  const map = position.mapSource.case === "map" ? position.mapSource.value : undefined;
  const unowned = (map?.layers ?? []).map((layer) => layer.name);
  // One that a plugin owns by now is taken into account, and may not be ignored.
  const asked = node.itemsOf("ignore_layers").map((layer) => layer.text());
  const ignoreLayers = [...unowned, ...asked].filter((layer) => !known.has(layer));
  const policy = node.get("policy")?.word(POLICIES);
  return create(QuestionSchema, {
    tag: node.get("id")?.text() ?? "",
    question,
    options: {
      probes,
      ignoreLayers: [...new Set(ignoreLayers)].sort(),
      ...(policy !== undefined && { grazingPolicy: policy }),
    },
  });
}

function ask(node: Node, counters: readonly Counter[]): Init | undefined {
  const at = (name: string) => node.need(name).text();
  const endOf = (name: string) => readEnd(node.need(name), counters);
  switch (node.need("kind").text()) {
    case "line_of_sight":
      return { case: "lineOfSight", value: { from: endOf("from"), to: endOf("to") } };
    case "line_of_fire": {
      const attack = node.get("attack")?.word(ATTACKS) ?? AttackKind.DIRECT;
      const munition = node.get("munition")?.word(MUNITIONS) ?? Munition.UNSPECIFIED;
      const ends = { from: endOf("from"), to: endOf("to") };
      return { case: "lineOfFire", value: { ...ends, attack, munition } };
    }
    case "fire_lane":
      return {
        case: "fireLane",
        value: {
          mg: endOf("mg"),
          // Of a counter that has a Fire Lane, the service knows its hex.
          counterHex: node.get("counter_hex")?.text() ?? "",
          moverHex: at("mover_hex"),
          mover: node.need("mover").word(LANE_MOVERS),
        },
      };
    case "movement": {
      const entry = { fromHex: at("from"), toHex: at("to"), way: way(node) };
      return {
        case: "movement",
        value: { ...moving(node), step: { case: "entry", value: entry } },
      };
    }
    case "vca_change": {
      const turn = {
        hex: at("hex"),
        enteredFrom: node.get("entered_from")?.text() ?? "",
        hexsides: node.need("hexsides").whole(),
        way: way(node),
      };
      const step = { case: "vcaChange" as const, value: turn };
      return { case: "movement", value: { ...moving(node), step } };
    }
    case "setup":
      return { case: "setUp", value: { hex: at("hex"), piece: piece(node) } };
    default:
      return undefined;
  }
}

function way(node: Node): Way {
  return node.get("along")?.word(WAYS) ?? Way.UNSPECIFIED;
}

function moving(node: Node) {
  const ec = node.get("ec")?.word(CONDITIONS);
  return { mover: mover(node.need("mover")), ...(ec !== undefined && { ec }) };
}

function mover(node: Node): Mover {
  const pressure = node.get("ground_pressure")?.word(PRESSURES);
  const weight = node.get("weight_tons");
  if (weight && typeof weight.value !== "number") throw weight.wrong("must be a number of tons");
  return create(MoverSchema, {
    class: node.need("class").word(CLASSES),
    britishBuilt: node.get("british_built")?.flag() ?? false,
    ...(pressure !== undefined && { groundPressure: pressure }),
    ...(weight && { weightTons: Number(weight.value) }),
  });
}

/** What sets up: a Fortification, or a unit with what goes with it. */
function piece(node: Node) {
  const what = node.need("what");
  const fortification = FORTIFICATIONS.get(what.text());
  if (fortification !== undefined) return { case: "fortification" as const, value: fortification };
  const unit = {
    class: what.word(CLASSES),
    concealment:
      node.get("concealment")?.word(CONCEALMENTS) ?? CONCEALMENTS.get("unconcealed") ?? 0,
    beneath: node.get("beneath")?.word(FORTIFICATIONS) ?? Fortification.UNSPECIFIED,
  };
  return { case: "unit" as const, value: unit };
}

/** An end: a counter's id, or else a hex; or an object that says which, and a corner. */
function readEnd(node: Node, counters: readonly Counter[]): End {
  if (!node.isObject()) {
    const name = node.text();
    const isCounter = counters.some(({ id }) => id === name);
    return create(EndSchema, { end: { case: isCounter ? "counterId" : "hex", value: name } });
  }
  const [counter, hex] = [node.get("counter"), node.get("hex")];
  const corner = node.get("corner")?.whole();
  if (Boolean(counter) === Boolean(hex)) throw node.wrong("needs either a counter or a hex");
  return create(EndSchema, {
    end: counter
      ? { case: "counterId", value: counter.text() }
      : { case: "hex", value: hex?.text() ?? "" },
    ...(corner !== undefined && { corner }),
  });
}
