import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type Layer,
  type LayerField,
  LayerFieldSchema,
  LayerSchema,
  type Map as MapMessage,
  MapSchema,
} from "./gen/alamein/v1/map_pb.js";
import {
  type CounterSchema,
  type EnvironmentCondition,
  type Position,
  PositionSchema,
} from "./gen/alamein/v1/position_pb.js";
import { type End, EndSchema } from "./gen/alamein/v1/question_pb.js";

/** What a field of a layer holds: hexes or hexsides, or a number for each of them. */
export type FieldContent =
  | readonly string[]
  | ReadonlySet<string>
  | Readonly<Record<string, number | bigint>>;

/** What a map is made of. */
export interface MapParts {
  /** The size of the grid; a geomorphic board of 33 columns and 10 rows if it is not given. */
  readonly board?: { readonly columns: number; readonly rows: number };
  /** The level of every hex that `levels` does not list. */
  readonly baseLevel?: number;
  /** The levels of hexes, such as `{ P6: 1 }`. */
  readonly levels?: Readonly<Record<string, number>>;
  /** The layers, each with its fields: `{ deir: { hexes: ["P6"] } }`. */
  readonly layers?: Readonly<Record<string, Readonly<Record<string, FieldContent>>>>;
}

/** What a counter is made of. */
export type CounterInit = MessageInitShape<typeof CounterSchema>;

/** What a position is made of. */
export interface PositionParts {
  /** The map, in parts or whole, or the id of one that the service keeps. */
  readonly map?: MapParts | MapMessage | string;
  /** What stands on it. */
  readonly counters?: readonly CounterInit[];
  /** The Environment Conditions; dry if not given. */
  readonly ec?: EnvironmentCondition;
  /** The Fire Lanes: the id of each machine gun, with the hex of its Fire Lane counter. */
  readonly fireLanes?: Readonly<Record<string, string>>;
}

/** One end of a line: a counter, or ordinary Infantry in a hex; and the corner that is aimed at. */
export type EndLike =
  | { readonly counter: string; readonly corner?: number }
  | { readonly hex: string; readonly corner?: number };

/** Makes a map. */
export function map(parts: MapParts): MapMessage {
  const levels = Object.entries(parts.levels ?? {}).map(([hex, level]) => ({ hex, level }));
  return create(MapSchema, {
    ...(parts.board && { board: parts.board }),
    baseLevel: parts.baseLevel ?? 0,
    levels,
    layers: Object.entries(parts.layers ?? {}).map(([name, fields]) => layer(name, fields)),
  });
}

/**
 * Makes a layer of a map. What its fields hold is told by how it looks: names with a bar are
 * hexsides. An empty field is one of hexes; make one of another kind with its message.
 */
export function layer(name: string, fields: Readonly<Record<string, FieldContent>>): Layer {
  return create(LayerSchema, {
    name,
    fields: Object.entries(fields).map(([name, content]) =>
      create(LayerFieldSchema, { name, kind: kindOf(content) }),
    ),
  });
}

function kindOf(content: FieldContent): LayerField["kind"] {
  const isSide = (name: string) => name.includes("|");
  if (Array.isArray(content) || content instanceof Set) {
    const names: string[] = [...content];
    const init = names.some(isSide)
      ? { case: "hexsides" as const, value: { hexsides: names } }
      : { case: "hexes" as const, value: { hexes: names } };
    return create(LayerFieldSchema, { kind: init }).kind;
  }
  const values = Object.entries(content as Record<string, number | bigint>);
  const init = values.some(([name]) => isSide(name))
    ? {
        case: "hexsideValues" as const,
        value: { values: values.map(([hexside, value]) => ({ hexside, value: BigInt(value) })) },
      }
    : {
        case: "hexValues" as const,
        value: { values: values.map(([hex, value]) => ({ hex, value: BigInt(value) })) },
      };
  return create(LayerFieldSchema, { kind: init }).kind;
}

/** Makes a position. */
export function position(parts: PositionParts): Position {
  const lanes = Object.entries(parts.fireLanes ?? {});
  const ground = parts.map ?? {};
  return create(PositionSchema, {
    mapSource:
      typeof ground === "string"
        ? { case: "mapId", value: ground }
        : { case: "map", value: "$typeName" in ground ? ground : map(ground) },
    counters: [...(parts.counters ?? [])],
    ...(parts.ec !== undefined && { environment: { ec: parts.ec } }),
    fireLanes: lanes.map(([counterId, hex]) => ({ counterId, hex })),
  });
}

/** Makes an end of a line. */
export function end(end: EndLike): End {
  return create(EndSchema, {
    end:
      "counter" in end
        ? { case: "counterId", value: end.counter }
        : { case: "hex", value: end.hex },
    ...(end.corner !== undefined && { corner: end.corner }),
  });
}
