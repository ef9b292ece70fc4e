import { create } from "@bufbuild/protobuf";
import {
  BoardSchema,
  type Layer,
  type LayerField,
  LayerFieldSchema,
  LayerSchema,
  type Map as MapMessage,
  MapSchema,
} from "../gen/alamein/v1/map_pb.js";
import {
  type Counter,
  CounterSchema,
  type Position,
  PositionSchema,
} from "../gen/alamein/v1/position_pb.js";
import { LayerFieldKind, type Ruleset } from "../gen/alamein/v1/ruleset_service_pb.js";
import type { Node } from "./node.js";
import { CLASSES, CONDITIONS, FLAGS } from "./words.js";

/** What plugins say of the layers that they own: the kinds of their fields, in the plugin's order. */
export type KnownLayers = ReadonlyMap<string, ReadonlyMap<string, LayerFieldKind>>;

/** The layers that the plugins of a ruleset own. */
export function layersOf(ruleset: Ruleset): KnownLayers {
  const layers = ruleset.plugins.flatMap((plugin) => plugin.layers);
  return new Map(
    layers.map(({ name, fields }) => [
      name,
      new Map(fields.map((field) => [field.name, field.kind])),
    ]),
  );
}

/** Reads the position of a case. */
export function readPosition(scenario: Node, known: KnownLayers): Position {
  const ec = scenario.get("ec")?.word(CONDITIONS);
  return create(PositionSchema, {
    mapSource: { case: "map", value: readMap(scenario.need("map"), known) },
    counters: scenario.itemsOf("counters").map(readCounter),
    ...(ec !== undefined && { environment: { ec } }),
    fireLanes: scenario.itemsOf("fire_lanes").map((lane) => ({
      counterId: lane.need("mg").text(),
      hex: lane.need("hex").text(),
    })),
  });
}

function readMap(node: Node, known: KnownLayers): MapMessage {
  const board = node.get("board");
  const levels = node.get("levels")?.fields() ?? [];
  const layers = node.get("layers")?.fields() ?? [];
  return create(MapSchema, {
    ...(board && { board: readBoard(board) }),
    baseLevel: node.get("base_level")?.whole() ?? 0,
    levels: levels.map(([hex, level]) => ({ hex, level: level.whole() })),
    layers: layers.map(([name, layer]) => readLayer(name, layer, known.get(name))),
  });
}

/** The size of a board: `33x10 geomorphic`, or columns and rows. */
function readBoard(node: Node) {
  if (node.isObject()) {
    const [columns, rows] = [node.need("columns").whole(), node.need("rows").whole()];
    return create(BoardSchema, { columns, rows });
  }
  const sides = /^(\d+)x(\d+)(\s|$)/.exec(node.text());
  if (!sides) throw node.wrong('is no board: write columns and rows, as in "33x10 geomorphic"');
  return create(BoardSchema, { columns: Number(sides[1]), rows: Number(sides[2]) });
}

/** A layer; where a plugin owns it, of the fields that the plugin says. */
function readLayer(name: string, node: Node, fields?: ReadonlyMap<string, LayerFieldKind>): Layer {
  if (Array.isArray(node.value)) {
    const [first] = fields ?? [];
    const field = first
      ? readField(first[0], node, first[1])
      : readField(looksLike(node) === LayerFieldKind.HEXSIDES ? "hexsides" : "hexes", node);
    return create(LayerSchema, { name, fields: [field] });
  }
  return create(LayerSchema, {
    name,
    fields: node.fields().map(([field, content]) => {
      const kind = fields?.get(field);
      if (fields && kind === undefined) {
        throw content.wrong(`the layer ${name} has no such field; it has ${[...fields.keys()]}`);
      }
      return readField(field, content, kind);
    }),
  });
}

const KINDS = new Map([
  ["hexes", LayerFieldKind.HEXES],
  ["hexsides", LayerFieldKind.HEXSIDES],
  ["hex_values", LayerFieldKind.HEX_VALUES],
  ["hexside_values", LayerFieldKind.HEXSIDE_VALUES],
]);

/** A field, of the kind that its plugin says, or that it says itself, or that it looks like. */
function readField(name: string, node: Node, known?: LayerFieldKind): LayerField {
  const [word, values] = [node.get("kind"), node.get("values")];
  const said = word && values ? word.word(KINDS) : undefined;
  const content = word && values ? values : node;
  const kind = said ?? known ?? looksLike(content);
  const list = () => content.items().map((item) => item.text());
  const numbers = () =>
    content.fields().map(([name, value]) => ({ name, value: BigInt(value.whole()) }));
  switch (kind) {
    case LayerFieldKind.HEXSIDES:
      return field(name, { case: "hexsides", value: { hexsides: list() } });
    case LayerFieldKind.HEX_VALUES: {
      const values = numbers().map(({ name: hex, value }) => ({ hex, value }));
      return field(name, { case: "hexValues", value: { values } });
    }
    case LayerFieldKind.HEXSIDE_VALUES: {
      const values = numbers().map(({ name: hexside, value }) => ({ hexside, value }));
      return field(name, { case: "hexsideValues", value: { values } });
    }
    default:
      return field(name, { case: "hexes", value: { hexes: list() } });
  }
}

type KindInit = NonNullable<Parameters<typeof create<typeof LayerFieldSchema>>[1]>["kind"];

function field(name: string, kind: NonNullable<KindInit>): LayerField {
  return create(LayerFieldSchema, { name, kind });
}

function looksLike(node: Node): LayerFieldKind {
  const isSide = (name: unknown) => typeof name === "string" && name.includes("|");
  if (Array.isArray(node.value)) {
    return isSide(node.value[0]) ? LayerFieldKind.HEXSIDES : LayerFieldKind.HEXES;
  }
  const [first] = Object.keys(node.object());
  return isSide(first) ? LayerFieldKind.HEXSIDE_VALUES : LayerFieldKind.HEX_VALUES;
}

/** Reads one counter. */
export function readCounter(node: Node): Counter {
  const flags = [...FLAGS].filter(([name]) => node.get(name)?.flag() ?? false);
  const attributes = node.get("attributes")?.fields() ?? [];
  const facing = node.get("facing");
  return create(CounterSchema, {
    id: node.need("id").text(),
    class: node.need("class").word(CLASSES),
    hex: node.need("hex").text(),
    side: node.get("side")?.text() ?? "",
    aboard: node.get("aboard")?.text() ?? "",
    heightHalfLevels: node.get("height")?.whole() ?? 0,
    flags: flags.map(([, flag]) => flag),
    attributes: attributes.map(([name, value]) => ({
      name,
      value: { case: "intValue" as const, value: BigInt(value.whole()) },
    })),
    ...(facing && { facing: facing.whole() }),
    knownTo: node.itemsOf("known_to").map((side) => side.text()),
  });
}
