import { ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AlameinClient,
  AlameinError,
  AttackKind,
  Code,
  CounterClass,
  createClient,
  end,
  hexNames,
  LineOfSightResult,
  map,
  position,
  type Seen,
  Sight,
  unpackSight,
  View,
} from "../src/index.js";
import { isThere, Service } from "./support/service.js";

const hollow = position({
  map: { layers: { deir: { hexes: ["P6", "P7", "Q7"] } } },
  counters: [{ id: "sq", class: CounterClass.SQUAD, hex: "P6", side: "axis" }],
});

describe.skipIf(!isThere)("a client", () => {
  let service: Service;
  let client: AlameinClient;
  beforeAll(async () => {
    service = await Service.start();
    client = createClient(service.address);
  });
  afterAll(async () => {
    client.close();
    await service.end();
  });

  const shot = { from: { hex: "P3" }, to: { counter: "sq" }, attack: AttackKind.DIRECT };

  test("gets a ruling with its reasons", async () => {
    const ruling = await client.lineOfFire(hollow, shot);
    expect(ruling.verdict?.verdict).toMatchObject({ case: "lineOfFire", value: { tem: 1 } });
    expect(ruling.findings.map(({ rule }) => rule?.number)).toContain("F4.5");
    const within = { ...shot, from: { hex: "P7" } };
    const brief = await client.lineOfFire(hollow, within);
    expect(brief.considered).toEqual([]);
    const explained = await client.lineOfFire(hollow, within, { view: View.EXPLAIN });
    expect(explained.rulingId).toBe(brief.rulingId);
    expect(explained.considered.length).toBeGreaterThan(0);
  });

  test("asks about a position that the service keeps", async () => {
    const id = await client.createPosition(hollow);
    const kept = await client.lineOfFire(id, shot);
    expect(kept.rulingId).toBe((await client.lineOfFire(hollow, shot)).rulingId);
    expect((await client.getPosition(id)).counters.map(({ id }) => id)).toEqual(["sq"]);
    const move = { case: "move" as const, value: { counterId: "sq", hex: "Q7" } };
    const tried = await client.applyChanges(id, [{ change: move }], { validateOnly: true });
    expect(tried.positionId).not.toBe(id);
    await expect(client.getPosition(tried.positionId)).rejects.toMatchObject({
      reason: "POSITION_NOT_FOUND",
    });
    const moved = await client.applyChanges(id, [{ change: move }]);
    expect(moved.positionId).toBe(tried.positionId);
    expect((await client.getPosition(moved.positionId)).counters[0]?.hex).toBe("Q7");
  });

  test("asks about a map that the service keeps", async () => {
    const mapId = await client.createMap(map({ layers: { hillock: { hexes: ["Q4", "Q5"] } } }));
    const ground = position({ map: mapId });
    const ruling = await client.lineOfSight(ground, { from: { hex: "Q3" }, to: { hex: "Q7" } });
    expect(ruling.verdict?.verdict.value).toMatchObject({ range: 4 });
  });

  test("asks what somebody sees, in one message and as it is judged", async () => {
    const field = await client.fieldOfView(hollow, { from: { counter: "sq" }, range: 4 });
    expect(field.viewer).toBe("P6");
    expect(field.size).toBe(61);
    expect(field.get("P6")).toEqual({ sight: Sight.CLEAR, hindrance: 0 });
    expect(field.get("A1")).toBeUndefined();
    expect(field.summary?.hiddenMatters).toBe(false);
    const parts = client.look(hollow, { from: { counter: "sq" }, range: 4 });
    const judged = new Map<string, Seen>();
    let step = await parts.next();
    for (; !step.done; step = await parts.next()) {
      const { hex, sight, hindrance } = step.value;
      judged.set(hex, { sight, ...(hindrance !== undefined && { hindrance }) });
    }
    expect([...judged]).toEqual([...field]);
    expect(step.value).toEqual(field.summary);
    // As a question about each by itself says.
    for (const [hex, seen] of [...field].filter((_, at) => at % 9 === 0)) {
      const line = { from: { counter: "sq" }, to: { hex } };
      const { verdict } = await client.lineOfSight(hollow, line);
      const { value } = verdict?.verdict ?? {};
      expect(value).toMatchObject({ hindrance: seen.hindrance });
    }
    await expect(client.fieldOfView(hollow, { from: { hex: "ZZ99" } })).rejects.toMatchObject({
      reason: "HEX_OFF_MAP",
    });
  });

  test("reads the bytes of a packed field of view", () => {
    expect([0, 1, 2, 3, 66, 134, 7].map(unpackSight)).toEqual([
      undefined,
      { sight: Sight.CLEAR, hindrance: 0 },
      { sight: Sight.BLOCKED_BY_TERRAIN },
      { sight: Sight.NOT_IMPLEMENTED },
      { sight: Sight.HINDERED, hindrance: 2 },
      { sight: Sight.BLOCKED_BY_HINDRANCES, hindrance: 6 },
      { sight: Sight.NOT_IMPLEMENTED },
    ]);
    const names = [...hexNames(33, 10)];
    expect(names.length).toBe(346);
    expect(names.slice(9, 13)).toEqual(["A10", "B0", "B1", "B2"]);
    expect(names.at(-1)).toBe("GG10");
  });

  test("asks what moves cost, lanes hit and may set up", async () => {
    const tank = { class: CounterClass.TANK };
    const steps = ["P5", "P6", "P7"].map((hex, at) => ({
      step: { case: "entry" as const, value: { fromHex: `P${4 + at}`, toHex: hex } },
    }));
    const path = await client.pricePath(hollow, { mover: tank, steps, allowance: 2 });
    expect(path.steps.length).toBe(3);
    expect(path.exceedsAtStep).toBeDefined();
    const { steps: _, ...from } = { mover: tank, fromHex: "P4", allowance: 2, steps };
    const reach = await client.reachable(hollow, from);
    expect(reach.hexes[0]).toMatchObject({ hex: "P4", cost: 0 });
    const step = { case: "entry" as const, value: { fromHex: "P4", toHex: "P5" } };
    const one = await client.movement(hollow, { mover: tank, step });
    expect(one.verdict?.verdict.case).toBe("movement");
    const lane = { mg: end({ hex: "P3" }), counterHex: "P9", moverHex: "P7", mover: 1 };
    expect((await client.fireLane(hollow, lane)).verdict?.verdict.case).toBe("fireLane");
    const gun = { case: "unit" as const, value: { class: CounterClass.GUN } };
    const setUp = await client.setUp(hollow, { hex: "P6", piece: gun });
    expect(setUp.verdict?.verdict.case).toBe("setUp");
  });

  test("asks more questions than fit into one request, and each has its own answer", async () => {
    const lines = Array.from({ length: 150 }, (_, at) => ({
      tag: `q${at}`,
      question: {
        case: "lineOfSight" as const,
        value: { from: end({ hex: "A1" }), to: end({ hex: at === 70 ? "ZZ99" : "P6" }) },
      },
    }));
    const answers = await client.adjudicate(hollow, lines, { view: View.VERDICT });
    expect(answers.map(({ tag }) => tag)).toEqual(lines.map(({ tag }) => tag));
    const [failed, ...others] = answers.filter(({ error }) => error);
    expect(others).toEqual([]);
    expect(failed?.tag).toBe("q70");
    expect(failed?.error).toMatchObject({ code: Code.InvalidArgument, reason: "HEX_OFF_MAP" });
    expect(failed?.error?.fields[0]?.field).toBe("line_of_sight.to.hex");
  });

  test("takes questions as they come", async () => {
    async function* questions() {
      for (const hex of ["P4", "P5", "P6"]) {
        const ends = { from: end({ hex: "P3" }), to: end({ hex }) };
        yield { tag: hex, question: { case: "lineOfSight" as const, value: ends } };
      }
    }
    const results: unknown[] = [];
    for await (const { tag, ruling } of client.stream(hollow, questions())) {
      const verdict = ruling?.verdict?.verdict;
      results.push([tag, verdict?.case === "lineOfSight" && verdict.value.result]);
    }
    const { CLEAR } = LineOfSightResult;
    expect(results).toEqual([
      ["P4", CLEAR],
      ["P5", CLEAR],
      ["P6", CLEAR],
    ]);
  });

  test("says what is wrong with a request, and where", async () => {
    const wrong = position({
      counters: [{ id: "x", class: CounterClass.SQUAD, hex: "7P" }],
    });
    const error = await client.lineOfFire(wrong, shot).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AlameinError);
    expect(error).toMatchObject({
      code: Code.InvalidArgument,
      reason: "UNKNOWN_HEX",
      metadata: { value: "7P" },
      fields: [{ field: "subject.position.counters[0].hex" }],
      retryAfterMs: undefined,
      isTransient: false,
    });
    expect(String(error)).toContain("7P");
  });

  test("an answer that breaks off on its way may be asked for again", () => {
    // As proxies say it where the service behind them is lost after its answer began.
    const transient = (code: Code) => AlameinError.from(new ConnectError("lost", code)).isTransient;
    const codes = [Code.Internal, Code.Unknown, Code.Unavailable];
    expect(codes.map(transient)).toEqual([true, true, true]);
    expect([Code.Aborted, Code.ResourceExhausted].map(transient)).toEqual([false, false]);
  });

  test("asks by other rules, and by those alone", async () => {
    const ruleset = await client.ruleset();
    expect(ruleset.plugins.map(({ pluginId }) => pluginId)).toContain("deir");
    const pinned = client.with({ rulesFingerprint: ruleset.fingerprint });
    expect((await pinned.lineOfFire(hollow, shot)).rulesFingerprint).toBe(ruleset.fingerprint);
    const error = { reason: "RULESET_NOT_FOUND" };
    const elsewhere = client.with({ ruleset: "elsewhere" });
    await expect(elsewhere.lineOfFire(hollow, shot)).rejects.toMatchObject(error);
    await expect(elsewhere.ruleset()).rejects.toMatchObject(error);
    await expect(elsewhere.createPosition(hollow)).rejects.toMatchObject(error);
  });

  test("gives up after its deadline, and when it is told to", async () => {
    const brief = client.lineOfFire(hollow, shot, { timeoutMs: 0.001 });
    await expect(brief).rejects.toMatchObject({
      name: "AlameinError",
      code: Code.DeadlineExceeded,
    });
    const stopped = client.lineOfFire(hollow, shot, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ name: "AlameinError", code: Code.Canceled });
  });

  test("says whether the service serves", async () => {
    expect(await client.isServing()).toBe(true);
  });
});

describe("an address", () => {
  test("is of HTTP", () => {
    expect(() => createClient("localhost:50051")).toThrow("http://");
    expect(() => createClient("no address")).toThrow();
  });

  test("takes a token over TLS, or on this machine", () => {
    const token = "secret";
    for (const fine of [
      "http://localhost:1",
      "http://127.0.0.1:1",
      "http://[::1]:1",
      "https://a.b",
    ]) {
      createClient(fine, { token }).close();
    }
    for (const refused of ["http://10.0.0.1:1", "http://localhost.example.org"]) {
      expect(() => createClient(refused, { token })).toThrow("https://");
      createClient(refused).close();
    }
  });
});
