import {
  type AlameinClient,
  AlameinError,
  create,
  createClient,
  FieldOfView,
  type Map as MapMessage,
  MapSchema,
  PositionSchema,
  type PricedPath,
  type Reach,
  type Ruleset,
  type RulesetSummary,
  type Ruling,
  type Seen,
} from "@alamein/client";
import { readCase } from "@alamein/client/cases";
import { type Askable, askable } from "./questions.js";
import { lineRequest, pathRequest, pictureRequest, reachRequest, viewRequest } from "./requests.js";
import { opened, type Rules, type State } from "./state.js";

/** Where a token is kept until the window is closed. */
const TOKEN = "alamein-token";

/** The service that serves this page, or that the page is told to ask. */
export class Service {
  readonly address: string;
  #client: AlameinClient;
  readonly #rulesets = new Map<string, Promise<Ruleset>>();

  constructor(address = new URL(".", location.href).origin) {
    this.address = address;
    this.#client = this.#open();
  }

  #open(): AlameinClient {
    const token = sessionStorage.getItem(TOKEN) ?? "";
    return createClient(this.address, { timeoutMs: 10_000, ...(token !== "" && { token }) });
  }

  /** Bears a token from now on, as long as the window is open. */
  bear(token: string): void {
    sessionStorage.setItem(TOKEN, token);
    this.#rulesets.clear();
    this.#client = this.#open();
  }

  /** The picture of a map and what stands on it, as SVG. */
  async picture(state: Pick<State, "position" | "hidden" | "rules">, signal: AbortSignal) {
    const answer = await this.#client.stubs.maps.renderMap(pictureRequest(state), { signal });
    return new TextDecoder().decode(answer.picture);
  }

  /** The ruling on the line of a page. */
  async line(state: State, rules: Rules, signal: AbortSignal): Promise<Ruling | undefined> {
    const judge = async (ignored: readonly string[]) => {
      const ask = lineRequest(state, rules, ignored);
      const { adjudication } = this.#client.stubs;
      if (!ask) return undefined;
      return ask.method === "LineOfSight"
        ? (await adjudication.lineOfSight(ask.request, { signal })).ruling
        : (await adjudication.lineOfFire(ask.request, { signal })).ruling;
    };
    // Hardly any map has layers that nobody owns: the first ruling does not wait to hear whose they are.
    if (this.#rulesets.has(rules.ruleset)) return judge(await this.ignored(state, rules));
    try {
      return await judge([]);
    } catch (error) {
      if (!(error instanceof AlameinError) || error.reason !== "UNKNOWN_LAYER") throw error;
      return judge(await this.ignored(state, rules));
    }
  }

  /** What is seen from the end of a page that looks. */
  async view(
    state: State,
    rules: Rules,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Seen> | undefined> {
    const ask = viewRequest(state, rules, await this.ignored(state, rules));
    if (!ask) return undefined;
    const answer = await this.#client.stubs.adjudication.packedFieldOfView(ask.request, { signal });
    return answer.field && new Map(new FieldOfView(answer.field));
  }

  /** The price of the path of a page. */
  async path(state: State, rules: Rules, signal: AbortSignal): Promise<PricedPath | undefined> {
    const ask = pathRequest(state, rules, await this.ignored(state, rules));
    if (!ask) return undefined;
    return (await this.#client.stubs.adjudication.pricePath(ask.request, { signal })).path;
  }

  /** What the allowance of a page's mover reaches. */
  async reach(state: State, rules: Rules, signal: AbortSignal): Promise<Reach | undefined> {
    const ask = reachRequest(state, rules, await this.ignored(state, rules));
    if (!ask) return undefined;
    return (await this.#client.stubs.adjudication.reachable(ask.request, { signal })).reach;
  }

  /** The rulesets that there are. */
  async rulesets(signal: AbortSignal): Promise<RulesetSummary[]> {
    const all: RulesetSummary[] = [];
    let pageToken = "";
    do {
      const page = await this.#client.stubs.rulesets.listRulesets({ pageToken }, { signal });
      all.push(...page.rulesets);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return all;
  }

  /** In what two rulesets differ. */
  async difference(before: string, after: string, signal: AbortSignal) {
    return (await this.#client.stubs.rulesets.diffRulesets({ before, after }, { signal })).diff;
  }

  /** A ruleset with its plugins. What a name stands for may change; the page is then loaded again. */
  ruleset(name: string): Promise<Ruleset> {
    const known = this.#rulesets.get(name);
    if (known) return known;
    const asked = this.#client.with({ ruleset: name }).ruleset();
    this.#rulesets.set(name, asked);
    asked.catch(() => this.#rulesets.delete(name));
    return asked;
  }

  /** The page that a case file or a map file opens. */
  async open(text: string, signal: AbortSignal): Promise<[State, Askable[]]> {
    const json = text.trimStart().startsWith("{");
    if (json) {
      const value: unknown = JSON.parse(text);
      const has = (key: string) => typeof value === "object" && value !== null && key in value;
      if (has("map") || has("questions") || has("counters")) {
        const file = readCase(text, await this.ruleset(""));
        const state = opened(file.title || file.id || "A case", file.position);
        return [state, askable(file.questions)];
      }
    }
    const file = json
      ? { case: "json" as const, value: text }
      : { case: "toml" as const, value: text };
    const answer = await this.#client.stubs.maps.composeMap({ file }, { signal });
    const map: MapMessage = answer.map ?? create(MapSchema);
    const position = { mapSource: { case: "map" as const, value: map } };
    return [opened(answer.title || "A map", create(PositionSchema, position)), []];
  }

  /** The layers of a page's map that no plugin of the ruleset owns. */
  async ignored(state: State, rules: Rules): Promise<string[]> {
    const { position } = state;
    const layers = position.mapSource.case === "map" ? position.mapSource.value.layers : [];
    if (layers.length === 0) return [];
    const ruleset = await this.ruleset(rules.ruleset);
    const owned = new Set(
      ruleset.plugins.flatMap((plugin) => plugin.layers.map(({ name }) => name)),
    );
    return layers.map(({ name }) => name).filter((name) => !owned.has(name));
  }
}

/** What went wrong, for people. */
export interface Told {
  readonly text: string;
  /** The service's own word for it, if it said one. */
  readonly reason: string;
  /** What is wrong with which fields of the request. */
  readonly fields: readonly string[];
  /** Whether it may be right a little later. */
  readonly passing: boolean;
}

/** What was thrown, as it is told. */
export function told(thrown: unknown): Told {
  if (!(thrown instanceof AlameinError)) {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    return { text, reason: "", fields: [], passing: false };
  }
  const { cause, reason, isTransient: passing } = thrown;
  const raw =
    cause instanceof Error && "rawMessage" in cause ? String(cause.rawMessage) : thrown.message;
  const fields = thrown.fields.map(({ field, description }) => `${field}: ${description}`);
  const text = passing && reason === "" ? `The service does not answer (${raw}).` : raw;
  return { text, reason, fields, passing };
}
