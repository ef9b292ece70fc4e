import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AlameinClient,
  CounterClass,
  createClient,
  type GameEntry,
  position,
} from "../src/index.js";
import { isThere, Service } from "./support/service.js";

const start = position({
  counters: [{ id: "sq", class: CounterClass.SQUAD, hex: "P6", side: "axis" }],
});
const move = (hex: string) => ({
  change: { case: "move" as const, value: { counterId: "sq", hex } },
});

describe.skipIf(!isThere)("games", () => {
  let service: Service;
  let client: AlameinClient;
  beforeAll(async () => {
    service = await Service.start();
    client = createClient(service.address, { tries: 60, timeoutMs: 50_000 });
  });
  afterAll(async () => {
    client.close();
    await service.end();
  });

  test("are begun, advanced, taken back and forgotten", async () => {
    const begun = await client.games.create(start, { title: "Mersa", by: "me" });
    const moved = await client.games.change(begun, [move("P7")], { by: "me", note: "north" });
    expect(moved.head?.number).toBe(2n);
    // The old etag: somebody else was first.
    await expect(client.games.change(begun, [move("P5")])).rejects.toMatchObject({
      reason: "ETAG_STALE",
      metadata: { number: "2" },
    });
    const back = await client.games.undo(moved);
    expect(back.head?.positionId).toBe(begun.head?.positionId);
    const ahead = await client.games.advance(back, await client.createPosition(start));
    expect(await client.games.get(begun.gameId)).toEqual(ahead);
    const numbers: bigint[] = [];
    for await (const { number } of client.games.entries(begun.gameId)) numbers.push(number);
    expect(numbers).toEqual([1n, 2n, 3n, 4n]);
    await client.games.delete(ahead);
    await expect(client.games.get(begun.gameId)).rejects.toMatchObject({
      reason: "GAME_NOT_FOUND",
    });
  });

  test("are changed once by a request that is sent twice", async () => {
    const begun = await client.games.create(start);
    const requestId = crypto.randomUUID();
    const once = await client.games.change(begun, [move("P7")], { requestId });
    const twice = await client.games.change(begun, [move("P7")], { requestId });
    expect(twice).toEqual(once);
  });

  test("are watched without gaps, though the service is restarted meanwhile", async () => {
    let game = await client.games.create(start);
    const stop = new AbortController();
    const seen: GameEntry[] = [];
    let arrived = () => {};
    const watching = (async () => {
      for await (const entry of client.games.watch(game.gameId, { signal: stop.signal })) {
        seen.push(entry);
        arrived();
      }
    })();
    const until = (count: number) =>
      new Promise<void>((resolve) => {
        arrived = () => seen.length >= count && resolve();
        arrived();
      });
    game = await client.games.change(game, [move("P7")]);
    await until(2);
    await service.stop();
    // Asked while nobody is there: it waits for the service to come back.
    const changed = client.games.change(game, [move("P8")]);
    await service.startAgain();
    game = await changed;
    await until(3);
    game = await client.games.change(game, [move("P9")]);
    await until(4);
    expect(seen.map(({ number }) => number)).toEqual([1n, 2n, 3n, 4n]);
    stop.abort();
    await watching;
    const late: bigint[] = [];
    for await (const { number } of client.games.watch(game.gameId, { after: 3 })) {
      late.push(number);
      break;
    }
    expect(late).toEqual([4n]);
  });

  test("that are deleted are watched no more", async () => {
    const game = await client.games.create(start);
    const entries = client.games.watch(game.gameId);
    await entries.next();
    const gone = expect(entries.next()).rejects.toMatchObject({ reason: "GAME_NOT_FOUND" });
    await client.games.delete(game);
    await gone;
  });
});
