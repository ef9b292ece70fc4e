import {
  type JsonValue,
  LineOfFireRequestSchema,
  LineOfSightRequestSchema,
  PackedFieldOfViewRequestSchema,
  PricePathRequestSchema,
  toJson,
} from "@alamein/client";
import type { lineRequest, pathRequest, viewRequest } from "./requests.js";

/** A request that can be shown as code. */
export type Shown =
  | NonNullable<ReturnType<typeof lineRequest>>
  | NonNullable<ReturnType<typeof pathRequest>>
  | NonNullable<ReturnType<typeof viewRequest>>;

/** The languages in which a request is shown. */
export const LANGUAGES = ["grpcurl", "Python", "TypeScript"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A request as code that asks a service the same. */
export function snippet(language: Language, shown: Shown, address: string): string {
  const json = JSON.stringify(jsonOf(shown), undefined, 2);
  switch (language) {
    case "grpcurl":
      return grpcurl(shown.method, json, address);
    case "Python":
      return python(shown.method, json, address);
    case "TypeScript":
      return typescript(shown.method, json, address);
  }
}

/** The request in the JSON form of protobuf. */
function jsonOf(shown: Shown): JsonValue {
  switch (shown.method) {
    case "LineOfSight":
      return toJson(LineOfSightRequestSchema, shown.request);
    case "LineOfFire":
      return toJson(LineOfFireRequestSchema, shown.request);
    case "PricePath":
      return toJson(PricePathRequestSchema, shown.request);
    case "PackedFieldOfView":
      return toJson(PackedFieldOfViewRequestSchema, shown.request);
  }
}

function grpcurl(method: string, json: string, address: string): string {
  const url = new URL(address);
  const plain = url.protocol === "http:" ? "-plaintext " : "";
  const to = url.port === "" ? `${url.hostname}:${plain ? 80 : 443}` : url.host;
  // In a shell nothing between these words is taken for something else.
  return `grpcurl ${plain}-d @ ${to} alamein.v1.AdjudicationService/${method} <<'REQUEST'
${json}
REQUEST
`;
}

function python(method: string, json: string, address: string): string {
  return `from alamein import Client, v1
from google.protobuf.json_format import Parse

# A request in the JSON form of protobuf, in which no three quotes ever stand together.
request = Parse(
    r"""
${json}
""",
    v1.${method}Request(),
)

with Client(${JSON.stringify(address)}) as client:
    print(client.call(client.adjudication.${method}, request))
`;
}

function typescript(method: string, json: string, address: string): string {
  const name = method.charAt(0).toLowerCase() + method.slice(1);
  return `import { createClient, fromJson, ${method}RequestSchema, ${method}ResponseSchema, toJson } from "@alamein/client";

// A request in the JSON form of protobuf.
const request = fromJson(${method}RequestSchema, ${json});

const client = createClient(${JSON.stringify(address)});
const answer = await client.stubs.adjudication.${name}(request);
console.log(JSON.stringify(toJson(${method}ResponseSchema, answer), undefined, 2));
client.close();
`;
}
