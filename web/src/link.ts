import {
  CounterClass,
  fromBinary,
  GrazingPolicy,
  GroundPressure,
  PositionSchema,
  toBinary,
} from "@alamein/client";
import {
  ATTACKS,
  type End,
  FOOT,
  MODES,
  MUNITIONS,
  opened,
  type Rules,
  type State,
  USUAL,
} from "./state.js";

/** The longest position that a link may unpack to, in bytes. */
const LONGEST = 1 << 20;

/** The part of a link after `#` that reopens a page as it is. The example needs no position. */
export async function toLink(state: State, example: State): Promise<string> {
  const link = new URLSearchParams();
  const put = (key: string, value: string) => value !== "" && link.set(key, value);
  const bytes = toBinary(PositionSchema, state.position);
  const same = toBinary(PositionSchema, example.position);
  if (!equal(bytes, same)) {
    put("title", state.title);
    link.set("position", base64(await through(new CompressionStream("deflate-raw"), bytes)));
  }
  put("mode", state.mode);
  put("from", written(state.from));
  put("to", written(state.to));
  put("attack", state.attack);
  if (state.munition !== "other") put("munition", state.munition);
  put("rules", rulesWritten(state.rules));
  if (state.versus) link.set("versus", rulesWritten(state.versus));
  put("hidden", state.hidden.join(" "));
  if (!state.names) link.set("names", "no");
  if (!state.pieces) link.set("counters", "no");
  const { counter, class: of, pressure, allowance } = state.mover;
  put("mover", counter);
  if (of !== FOOT.class) link.set("class", CounterClass[of]);
  if (pressure !== FOOT.pressure) link.set("pressure", GroundPressure[pressure]);
  if (allowance !== FOOT.allowance) link.set("allowance", String(allowance ?? "none"));
  put("path", state.path.join(" "));
  if (state.reach) link.set("reach", "yes");
  return link.toString();
}

/** The page that a link reopens. Throws where the link is damaged. */
export async function fromLink(text: string, example: State): Promise<State> {
  const link = new URLSearchParams(text);
  const get = (key: string) => link.get(key) ?? "";
  let state = example;
  if (link.has("position")) {
    const packed = unbase64(get("position"));
    const bytes = await through(new DecompressionStream("deflate-raw"), packed);
    state = opened(get("title"), fromBinary(PositionSchema, bytes));
  }
  if ([...link.keys()].length === 0) return state;
  const from = readEnd(get("from"));
  return {
    ...state,
    mode: MODES.find((mode) => mode === get("mode")) ?? "fire",
    from,
    to: readEnd(get("to")),
    picking: from ? "to" : "from",
    attack: ATTACKS.find((attack) => attack === get("attack")) ?? "direct",
    munition: MUNITIONS.find((munition) => munition === get("munition")) ?? "other",
    rules: readRules(get("rules")),
    versus: link.has("versus") ? readRules(get("versus")) : undefined,
    hidden: words(get("hidden")),
    names: get("names") !== "no",
    pieces: get("counters") !== "no",
    mover: {
      counter: get("mover"),
      class: named(CounterClass, get("class")) ?? FOOT.class,
      pressure: named(GroundPressure, get("pressure")) ?? FOOT.pressure,
      allowance: readAllowance(get("allowance")),
    },
    path: words(get("path")),
    reach: get("reach") === "yes",
  };
}

/** A hex is written with a dot before it, since a counter may be called like one. */
function written(end: End | undefined): string {
  if (!end) return "";
  return "hex" in end ? `.${end.hex}` : `@${end.counter}`;
}

function readEnd(text: string): End | undefined {
  const name = text.slice(1);
  if (name === "") return undefined;
  return text.startsWith(".") ? { hex: name } : { counter: name };
}

function rulesWritten({ ruleset, policy }: Rules): string {
  const named = policy === GrazingPolicy.UNSPECIFIED ? "" : `~${GrazingPolicy[policy]}`;
  return ruleset + named;
}

function readRules(text: string): Rules {
  const [ruleset = "", policy = ""] = text.split("~", 2);
  return { ruleset, policy: named(GrazingPolicy, policy) ?? USUAL.policy };
}

function readAllowance(text: string): number | undefined {
  if (text === "none") return undefined;
  return /^\d{1,5}$/.test(text) ? Number(text) : FOOT.allowance;
}

function named<E extends number>(values: Record<string, string | E>, name: string): E | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === "number" ? value : undefined;
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Bytes, packed or unpacked. */
async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const fed = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(stream);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const reader = fed.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST) {
      await reader.cancel();
      throw new RangeError("the position in the link is too long");
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function unbase64(text: string): Uint8Array {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
