/**
 * A client of Alamein, the rules back end for servers of Advanced Squad Leader.
 *
 * Begin with `createClient`. Messages and enums are the generated ones, under their own names.
 */
export {
  create,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
export { Code } from "@connectrpc/connect";
export {
  type CounterInit,
  type EndLike,
  end,
  type FieldContent,
  layer,
  type MapParts,
  map,
  type PositionParts,
  position,
} from "./build.js";
export {
  AlameinClient,
  type Answered,
  about,
  type CallOptions,
  type ClientOptions,
  createClient,
  type Line,
  type Look,
  type Shot,
  type Standpoint,
  type Stubs,
  type SubjectLike,
} from "./client.js";
export { AlameinError, type FieldFault, type Reason } from "./errors.js";
export { type Beginning, Games, type Signed, type Watching } from "./games.js";
export * from "./gen/alamein/v1/adjudication_service_pb.js";
export * from "./gen/alamein/v1/change_pb.js";
export * from "./gen/alamein/v1/errors_pb.js";
export * from "./gen/alamein/v1/game_pb.js";
export * from "./gen/alamein/v1/game_service_pb.js";
export * from "./gen/alamein/v1/grounds_pb.js";
export * from "./gen/alamein/v1/map_pb.js";
// The messages that describe layers would clash with what is generated for those of maps.
export { LayerFieldSchema, LayerSchema } from "./gen/alamein/v1/map_pb.js";
export * from "./gen/alamein/v1/map_service_pb.js";
export * from "./gen/alamein/v1/move_pb.js";
export * from "./gen/alamein/v1/plugin_admin_service_pb.js";
export * from "./gen/alamein/v1/position_pb.js";
export * from "./gen/alamein/v1/position_service_pb.js";
export * from "./gen/alamein/v1/question_pb.js";
export * from "./gen/alamein/v1/ruleset_pb.js";
export type {
  LayerFieldSchema as LayerFieldDescription,
  LayerSchema as LayerDescription,
} from "./gen/alamein/v1/ruleset_service_pb.js";
export * from "./gen/alamein/v1/ruleset_service_pb.js";
export * from "./gen/alamein/v1/ruling_pb.js";
export * from "./gen/alamein/v1/scope_pb.js";
export * from "./gen/alamein/v1/sight_pb.js";
export type { Settings } from "./settings.js";
export { FieldOfView, hexNames, isSeen, type Seen, unpackSight } from "./sight.js";
export type { TlsOptions } from "./transport/options.js";
