import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { Standpoint } from "./client.js";
import { AlameinError } from "./errors.js";
import type { ChangeSchema } from "./gen/alamein/v1/change_pb.js";
import type { Game, GameEntry } from "./gen/alamein/v1/game_pb.js";
import type { GameService } from "./gen/alamein/v1/game_service_pb.js";
import type { Position, PositionSchema } from "./gen/alamein/v1/position_pb.js";
import { type Settings, sleep, waitAfter } from "./settings.js";

/** A position, or the id of one that the service keeps. */
type Start = MessageInitShape<typeof PositionSchema> | Position | string;

/** What an entry of a game's history says beside what was done. */
export interface Signed {
  /** Who does it, in one's own words. */
  readonly by?: string;
  /** What to say of it in the history. */
  readonly note?: string;
  /** An id of the request, so that it can be sent again. One is made if it is not given. */
  readonly requestId?: string;
  /** Layers of the map to accept although no plugin owns them. */
  readonly ignoreLayers?: readonly string[];
}

/** What a game is begun with. */
export interface Beginning extends Signed {
  /** The id that it is to have; the service makes one if it is not given. */
  readonly gameId?: string;
  /** Whose it is, in one's own words. */
  readonly owner?: string;
  /** What it is called. */
  readonly title?: string;
}

/** How to watch a game. */
export interface Watching {
  /** The number of the last entry that one has; all are given if it is not said. */
  readonly after?: bigint | number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/**
 * Games. Whatever changes one bears a request id, so that it may be tried again, and the game's
 * etag, so that nothing is overwritten: where the game has moved on, it fails with `ETAG_STALE`.
 */
export class Games {
  readonly #stub: Client<typeof GameService>;
  readonly #settings: Settings;
  readonly #standpoint: Standpoint;

  /** @internal */
  constructor(stub: Client<typeof GameService>, settings: Settings, standpoint: Standpoint) {
    this.#stub = stub;
    this.#settings = settings;
    this.#standpoint = standpoint;
  }

  /** Begins a game at a position, by the rules of the client's standpoint. */
  async create(start: Start, beginning: Beginning = {}): Promise<Game> {
    const { ruleset, rulesFingerprint } = this.#standpoint;
    const answer = await this.#stub.createGame({
      ...signed(beginning),
      gameId: beginning.gameId ?? "",
      owner: beginning.owner ?? "",
      title: beginning.title ?? "",
      ruleset: ruleset || rulesFingerprint || "",
      start: at(start),
    });
    return there(answer.game);
  }

  /** Gives a game. */
  async get(gameId: string): Promise<Game> {
    const asSide = this.#standpoint.asSide ?? "";
    return there((await this.#stub.getGame({ gameId, asSide })).game);
  }

  /** Advances a game by changes of its position. */
  async change(
    game: Game,
    changes: readonly MessageInitShape<typeof ChangeSchema>[],
    sign: Signed = {},
  ): Promise<Game> {
    const next = { case: "changes" as const, value: { changes: [...changes] } };
    return there((await this.#stub.advanceGame({ ...signed(sign), ...known(game), next })).game);
  }

  /** Advances a game to another position. */
  async advance(game: Game, to: Start, sign: Signed = {}): Promise<Game> {
    const request = { ...signed(sign), ...known(game), next: at(to) };
    return there((await this.#stub.advanceGame(request)).game);
  }

  /** Takes a game back to an older entry, or to the one before its head. */
  async undo(game: Game, toNumber: bigint | number = 0, sign: Signed = {}): Promise<Game> {
    const { ignoreLayers: _, ...rest } = signed(sign);
    const request = { ...rest, ...known(game), toNumber: BigInt(toNumber) };
    return there((await this.#stub.undoGame(request)).game);
  }

  /** Forgets a game and its history. */
  async delete(game: Game): Promise<void> {
    await this.#stub.deleteGame(known(game));
  }

  /** The history of a game, from its beginning on. */
  async *entries(gameId: string): AsyncGenerator<GameEntry> {
    const asSide = this.#standpoint.asSide ?? "";
    let pageToken = "";
    do {
      const page = await this.#stub.listEntries({ gameId, pageToken, asSide });
      yield* page.entries;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /**
   * Gives the entries of a game as they come, in order and without gaps. Where the connection
   * breaks or the service is restarted it goes on with the next entry. It ends when the signal is
   * given or the game is deleted (`GAME_NOT_FOUND`).
   */
  async *watch(gameId: string, { after = 0n, signal }: Watching = {}): AsyncGenerator<GameEntry> {
    const asSide = this.#standpoint.asSide ?? "";
    let afterNumber = BigInt(after);
    let newest = "";
    for (let tries = 1; !signal?.aborted; tries++) {
      let askedMs: number | undefined;
      try {
        const request = { gameId, afterNumber, asSide };
        const options = { timeoutMs: 0, ...(signal && { signal }) };
        for await (const { entry } of this.#stub.watchGame(request, options)) {
          if (!entry) continue;
          newest = following(entry, newest);
          afterNumber = entry.number;
          tries = 1;
          yield entry;
        }
      } catch (thrown) {
        if (signal?.aborted) return;
        const error = AlameinError.from(thrown);
        if (!error.isTransient) throw error;
        askedMs = error.retryAfterMs;
      }
      await sleep(waitAfter(tries, this.#settings, askedMs), signal).catch(() => {});
    }
  }
}

/** Where a game begins or goes to. */
function at(start: Start) {
  return typeof start === "string"
    ? { case: "positionId" as const, value: start }
    : { case: "position" as const, value: start };
}

/**
 * The id of an entry that came after the one with the id `newest`, if one came. Entries are chained by
 * their ids: a game that was begun anew under the name goes on with another.
 */
function following({ number, entryId, parentId }: GameEntry, newest: string): string {
  if (newest !== "" && parentId !== "" && parentId !== newest) {
    const what = `entry ${number} does not follow the last one: there is another game of this name now`;
    throw new ConnectError(what, Code.Aborted);
  }
  return entryId;
}

function known({ gameId, etag }: Game) {
  return { gameId, etag };
}

function signed({ by = "", note = "", requestId, ignoreLayers = [] }: Signed) {
  const id = requestId ?? globalThis.crypto.randomUUID();
  return { by, note, requestId: id, ignoreLayers: [...ignoreLayers] };
}

function there(game: Game | undefined): Game {
  if (!game) throw new TypeError("no game in the service's answer");
  return game;
}
