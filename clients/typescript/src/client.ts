import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient as createStub, type Interceptor } from "@connectrpc/connect";
import { open } from "#transport";
import { type EndLike, end } from "./build.js";
import { AlameinError } from "./errors.js";
import { Games } from "./games.js";
import { AdjudicationService } from "./gen/alamein/v1/adjudication_service_pb.js";
import type { ChangeSchema } from "./gen/alamein/v1/change_pb.js";
import { GameService } from "./gen/alamein/v1/game_service_pb.js";
import type { Map as MapMessage, MapSchema } from "./gen/alamein/v1/map_pb.js";
import { MapService } from "./gen/alamein/v1/map_service_pb.js";
import type {
  PathQuestionSchema,
  PricedPath,
  Reach,
  ReachQuestionSchema,
} from "./gen/alamein/v1/move_pb.js";
import { PluginAdminService } from "./gen/alamein/v1/plugin_admin_service_pb.js";
import type { Position, PositionSchema } from "./gen/alamein/v1/position_pb.js";
import {
  type ApplyChangesResponse,
  PositionService,
} from "./gen/alamein/v1/position_service_pb.js";
import type {
  AttackKind,
  FireLaneQuestionSchema,
  MovementQuestionSchema,
  Munition,
  QuestionOptionsSchema,
  QuestionSchema,
  SetUpQuestionSchema,
  Subject,
} from "./gen/alamein/v1/question_pb.js";
import { SubjectSchema } from "./gen/alamein/v1/question_pb.js";
import { type Ruleset, RulesetService } from "./gen/alamein/v1/ruleset_service_pb.js";
import type { Ruling, View } from "./gen/alamein/v1/ruling_pb.js";
import type { FieldOfViewSummary, SightedHex } from "./gen/alamein/v1/sight_pb.js";
import { Health, HealthCheckResponse_ServingStatus } from "./gen/grpc/health/v1/health_pb.js";
import { DEFAULTS, type Settings } from "./settings.js";
import { FieldOfView } from "./sight.js";
import type { TlsOptions } from "./transport/options.js";
import { patient } from "./transport/patient.js";

/** How many questions go in one request, so that the answers fit into one message. */
const BATCH = 64;

/** The longest answer that is read, in bytes. */
const LONGEST_ANSWER = 64 << 20;

/** How to reach a service, and how patient to be. */
export interface ClientOptions extends Partial<Settings> {
  /** The token that the service knows one by. It does not leave this machine but over TLS. */
  readonly token?: string | undefined;
  /** Certificates, in Node alone: browsers see to it themselves. */
  readonly tls?: TlsOptions | undefined;
  /** Interceptors of Connect's, for tracing and the like. */
  readonly interceptors?: readonly Interceptor[] | undefined;
}

/** By whose rules, and for whom, a client asks. */
export interface Standpoint {
  /** The ruleset: its name, a tag or its fingerprint. Empty means the service's `default`. */
  readonly ruleset?: string | undefined;
  /** The fingerprint that the rules must have: those with which a game began. */
  readonly rulesFingerprint?: string | undefined;
  /** The side that asks, which is told nothing that it may not know. Empty means that all is told. */
  readonly asSide?: string | undefined;
}

/** What a call may be given beside its question. */
export interface CallOptions {
  /** How much of the ruling to give; FULL if it is not said. */
  readonly view?: View | undefined;
  /** What holds for the questions of this call: a grazing policy, probes, layers to ignore. */
  readonly options?: MessageInitShape<typeof QuestionOptionsSchema> | undefined;
  /** How long it may take in milliseconds, instead of what is usual; 0 or less sets no limit. */
  readonly timeoutMs?: number | undefined;
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined;
}

/** What questions are about: a position, or the id of one that the service keeps. */
export type SubjectLike = MessageInitShape<typeof PositionSchema> | Position | string;

/** A line, by its ends. */
export interface Line {
  readonly from: EndLike;
  readonly to: EndLike;
}

/** A shot. */
export interface Shot extends Line {
  readonly attack: AttackKind;
  readonly munition?: Munition;
}

/** Who looks, and how far. */
export interface Look {
  readonly from: EndLike;
  /** To which range, in hexes; the whole map if it is not said. */
  readonly range?: number | undefined;
}

/** The answer to one question of several: its ruling, or why there is none. */
export type Answered = { readonly tag: string } & (
  | { readonly ruling: Ruling; readonly error?: undefined }
  | { readonly ruling?: undefined; readonly error: AlameinError }
);

/**
 * Makes a client of the service at an address, such as `http://localhost:50051`. In Node it speaks
 * gRPC, in a browser gRPC-Web. It connects when it is first used.
 *
 * Every call has a deadline, and is tried again where that may help and does no harm: when the
 * service is not there, and when it is at its limits and says how long to wait. Whatever goes wrong
 * is an `AlameinError`.
 */
export function createClient(address: string, options: ClientOptions = {}): AlameinClient {
  const { token, tls, interceptors = [], ...given } = options;
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(`${address}: an address begins with http:// or https://`);
  }
  const all = [...interceptors];
  if (token !== undefined) {
    if (url.protocol === "http:" && !isHere(url.hostname)) {
      throw new TypeError(`token: everybody on the way to ${url.host} could read it; use https://`);
    }
    all.push((next) => (request) => {
      request.header.set("authorization", `Bearer ${token.trim()}`);
      return next(request);
    });
  }
  const way = open({ address, tls, interceptors: all, longestAnswer: LONGEST_ANSWER });
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  const settings: Settings = { ...DEFAULTS, ...Object.fromEntries(stated) };
  const transport = patient(way.transport, settings);
  return new AlameinClient(
    {
      adjudication: createStub(AdjudicationService, transport),
      maps: createStub(MapService, transport),
      positions: createStub(PositionService, transport),
      games: createStub(GameService, transport),
      rulesets: createStub(RulesetService, transport),
      admin: createStub(PluginAdminService, transport),
      health: createStub(Health, transport),
    },
    settings,
    way.close,
  );
}

/** Whether a host is this machine. */
function isHere(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** The generated stubs: every RPC, with this client's deadlines, retries and errors. */
export interface Stubs {
  readonly adjudication: Client<typeof AdjudicationService>;
  readonly maps: Client<typeof MapService>;
  readonly positions: Client<typeof PositionService>;
  readonly games: Client<typeof GameService>;
  readonly rulesets: Client<typeof RulesetService>;
  /** Only where the address is that of the service's admin listener. */
  readonly admin: Client<typeof PluginAdminService>;
  readonly health: Client<typeof Health>;
}

/** A client of the rules service. */
export class AlameinClient {
  /** The stubs, for what has no method here. They know nothing of the client's standpoint. */
  readonly stubs: Stubs;
  /** Games: beginning, advancing and watching them. */
  readonly games: Games;
  readonly #settings: Settings;
  readonly #close: () => void;
  readonly #standpoint: Standpoint;

  /** @internal */
  constructor(stubs: Stubs, settings: Settings, close: () => void, standpoint: Standpoint = {}) {
    this.stubs = stubs;
    this.#settings = settings;
    this.#close = close;
    this.#standpoint = standpoint;
    this.games = new Games(stubs.games, settings, standpoint);
  }

  /** The same client over the same connection, which asks by other rules or for another side. */
  with(standpoint: Standpoint): AlameinClient {
    const both = { ...this.#standpoint, ...standpoint };
    return new AlameinClient(this.stubs, this.#settings, this.#close, both);
  }

  /** Ends what is under way, and the connection. A process can end without it. */
  close(): void {
    this.#close();
  }

  /** Is there a line of sight, and what hinders it? */
  async lineOfSight(subject: SubjectLike, line: Line, call: CallOptions = {}): Promise<Ruling> {
    const question = { from: end(line.from), to: end(line.to) };
    const request = this.#request(subject, question, call);
    return ruled(await this.stubs.adjudication.lineOfSight(request, limits(call)));
  }

  /** What protects the target of a shot? */
  async lineOfFire(subject: SubjectLike, shot: Shot, call: CallOptions = {}): Promise<Ruling> {
    const question = { ...shot, from: end(shot.from), to: end(shot.to) };
    const request = this.#request(subject, question, call);
    return ruled(await this.stubs.adjudication.lineOfFire(request, limits(call)));
  }

  /** Does a Fire Lane attack a unit that moves on it? */
  async fireLane(
    subject: SubjectLike,
    question: MessageInitShape<typeof FireLaneQuestionSchema>,
    call: CallOptions = {},
  ): Promise<Ruling> {
    const request = this.#request(subject, question, call);
    return ruled(await this.stubs.adjudication.fireLane(request, limits(call)));
  }

  /** What does a step cost, and may it be made? */
  async movement(
    subject: SubjectLike,
    question: MessageInitShape<typeof MovementQuestionSchema>,
    call: CallOptions = {},
  ): Promise<Ruling> {
    const request = this.#request(subject, question, call);
    return ruled(await this.stubs.adjudication.movement(request, limits(call)));
  }

  /** May this set up there, and is it Emplaced? */
  async setUp(
    subject: SubjectLike,
    question: MessageInitShape<typeof SetUpQuestionSchema>,
    call: CallOptions = {},
  ): Promise<Ruling> {
    const request = this.#request(subject, question, call);
    return ruled(await this.stubs.adjudication.setUp(request, limits(call)));
  }

  /** What does a move of several steps cost? */
  async pricePath(
    subject: SubjectLike,
    question: MessageInitShape<typeof PathQuestionSchema>,
    call: CallOptions = {},
  ): Promise<PricedPath> {
    const request = this.#request(subject, question, call);
    const answer = await this.stubs.adjudication.pricePath(request, limits(call));
    return there(answer.path, "path");
  }

  /** Which hexes does an allowance reach? */
  async reachable(
    subject: SubjectLike,
    question: MessageInitShape<typeof ReachQuestionSchema>,
    call: CallOptions = {},
  ): Promise<Reach> {
    const { view: _, ...request } = this.#request(subject, question, call);
    const answer = await this.stubs.adjudication.reachable(request, limits(call));
    return there(answer.reach, "reach");
  }

  /** What does somebody see? In one message, with a byte for each hex of the map. */
  async fieldOfView(
    subject: SubjectLike,
    question: Look,
    call: CallOptions = {},
  ): Promise<FieldOfView> {
    const { view: _, ...request } = this.#request(subject, looked(question), call);
    const answer = await this.stubs.adjudication.packedFieldOfView(request, limits(call));
    return new FieldOfView(there(answer.field, "field"));
  }

  /**
   * What does somebody see? Gives the hexes as the service judges them, in the map's order, and at
   * the end what is known of all of them. It is not tried again once it has begun.
   */
  async *look(
    subject: SubjectLike,
    question: Look,
    call: CallOptions = {},
  ): AsyncGenerator<SightedHex, FieldOfViewSummary> {
    const { view: _, ...request } = this.#request(subject, looked(question), call);
    for await (const { part } of this.stubs.adjudication.fieldOfView(request, limits(call))) {
      if (part.case === "hexes") yield* part.value.hexes;
      if (part.case === "summary") return part.value;
    }
    throw new TypeError("a field of view without an end");
  }

  /**
   * Asks many questions about one position. The answers come in their order; an error in one
   * question is that question's answer.
   */
  async adjudicate(
    subject: SubjectLike,
    questions: readonly MessageInitShape<typeof QuestionSchema>[],
    call: CallOptions = {},
  ): Promise<Answered[]> {
    const all: Answered[] = [];
    for await (const answer of this.stream(subject, questions, call)) all.push(answer);
    return all;
  }

  /**
   * Asks any number of questions, a batch at a time, and gives each answer as soon as it is there.
   * Questions that come one by one, from an async iterable, are taken as they come.
   */
  async *stream(
    subject: SubjectLike,
    questions:
      | Iterable<MessageInitShape<typeof QuestionSchema>>
      | AsyncIterable<MessageInitShape<typeof QuestionSchema>>,
    call: CallOptions = {},
  ): AsyncGenerator<Answered> {
    let batch: MessageInitShape<typeof QuestionSchema>[] = [];
    for await (const question of questions) {
      batch.push(
        question.options || !call.options ? question : withOptions(question, call.options),
      );
      if (batch.length < BATCH) continue;
      yield* await this.#batch(subject, batch, call);
      batch = [];
    }
    if (batch.length > 0) yield* await this.#batch(subject, batch, call);
  }

  async #batch(
    subject: SubjectLike,
    questions: MessageInitShape<typeof QuestionSchema>[],
    call: CallOptions,
  ): Promise<Answered[]> {
    const { question: _, options: __, ...request } = this.#request(subject, undefined, call);
    const asked = { ...request, questions };
    const { answers } = await this.stubs.adjudication.batchAdjudicate(asked, limits(call));
    if (answers.length !== questions.length) {
      throw new TypeError(`${answers.length} answers to ${questions.length} questions`);
    }
    return answers.map(({ tag, answer }) => {
      if (answer.case === "ruling") return { tag, ruling: answer.value };
      if (answer.case === "error") return { tag, error: AlameinError.ofStatus(answer.value) };
      throw new TypeError("an answer without a ruling or an error");
    });
  }

  /** Asks questions, and gives them with their answers as a case file. */
  async exportCase(
    subject: SubjectLike,
    questions: readonly MessageInitShape<typeof QuestionSchema>[],
    call: CallOptions & { readonly caseId?: string } = {},
  ): Promise<{ name: string; text: string }> {
    const { question: _, options: __, view: ___, ...request } = this.#request(subject, null, call);
    const asked = { ...request, questions: [...questions], caseId: call.caseId ?? "" };
    const answer = await this.stubs.adjudication.exportCase(asked, limits(call));
    return { name: answer.fileName, text: new TextDecoder().decode(answer.caseFile) };
  }

  /** Lets the service keep a map; gives its id. The same map again gives the same id. */
  async createMap(
    map: MapMessage | MessageInitShape<typeof MapSchema>,
    call: CallOptions = {},
  ): Promise<string> {
    const request = { map, ruleset: this.#ruleset(), ignoreLayers: ignored(call) };
    return (await this.stubs.maps.createMap(request, limits(call))).mapId;
  }

  /** Lets the service keep a position; gives its id. Questions about it then travel light. */
  async createPosition(
    position: MessageInitShape<typeof PositionSchema> | Position,
    call: CallOptions = {},
  ): Promise<string> {
    const request = { position, ruleset: this.#ruleset(), ignoreLayers: ignored(call) };
    return (await this.stubs.positions.createPosition(request, limits(call))).positionId;
  }

  /** Gives a position that the service keeps. */
  async getPosition(positionId: string, call: CallOptions = {}): Promise<Position> {
    const request = { positionId, asSide: this.#standpoint.asSide ?? "" };
    const answer = await this.stubs.positions.getPosition(request, limits(call));
    return there(answer.position, "position");
  }

  /**
   * Changes a position, all of the changes or none, and lets the service keep what comes of it.
   * The position that was changed stays as it is.
   */
  async applyChanges(
    subject: SubjectLike,
    changes: readonly MessageInitShape<typeof ChangeSchema>[],
    call: CallOptions & { readonly validateOnly?: boolean } = {},
  ): Promise<ApplyChangesResponse> {
    const request = {
      subject: about(subject),
      changes: [...changes],
      ruleset: this.#ruleset(),
      ignoreLayers: ignored(call),
      validateOnly: call.validateOnly ?? false,
    };
    return this.stubs.positions.applyChanges(request, limits(call));
  }

  /** The rules by which this client asks to be judged, with their plugins. */
  async ruleset(call: CallOptions = {}): Promise<Ruleset> {
    const request = { rulesetId: this.#ruleset() };
    const answer = await this.stubs.rulesets.getRuleset(request, limits(call));
    return there(answer.ruleset, "ruleset");
  }

  /** Whether the service says that it serves: one that loads its rules, or stops, does not. */
  async isServing(call: CallOptions = {}): Promise<boolean> {
    const { status } = await this.stubs.health.check({}, limits(call));
    return status === HealthCheckResponse_ServingStatus.SERVING;
  }

  #ruleset(): string {
    return this.#standpoint.ruleset || this.#standpoint.rulesFingerprint || "";
  }

  #request<Q>(subject: SubjectLike, question: Q, call: CallOptions) {
    const { ruleset = "", rulesFingerprint = "", asSide = "" } = this.#standpoint;
    return {
      subject: about(subject),
      question,
      ...(call.options && { options: call.options }),
      ...(call.view !== undefined && { view: call.view }),
      ruleset,
      rulesFingerprint,
      asSide,
    };
  }
}

function looked({ from, range }: Look) {
  return { from: end(from), ...(range !== undefined && { range }) };
}

/** What a question is about, as a request carries it. */
export function about(subject: SubjectLike): Subject {
  return create(SubjectSchema, {
    subject:
      typeof subject === "string"
        ? { case: "positionId", value: subject }
        : { case: "position", value: subject },
  });
}

/** A question that has no options of its own, with those of its call. */
function withOptions(
  { tag = "", question }: MessageInitShape<typeof QuestionSchema>,
  options: MessageInitShape<typeof QuestionOptionsSchema>,
): MessageInitShape<typeof QuestionSchema> {
  return { tag, options, ...(question && { question }) };
}

/** How long a call may take, as the stubs are told. */
function limits({ timeoutMs, signal }: CallOptions) {
  return { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) };
}

function ignored(call: CallOptions): string[] {
  return [...(call.options?.ignoreLayers ?? [])];
}

function ruled({ ruling }: { ruling?: Ruling | undefined }): Ruling {
  return there(ruling, "ruling");
}

function there<T>(part: T | undefined, name: string): T {
  if (part === undefined) throw new TypeError(`no ${name} in the service's answer`);
  return part;
}
