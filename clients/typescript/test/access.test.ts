import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AlameinError, Code, createClient } from "../src/index.js";
import { binary, isThere, newFolder, Service } from "./support/service.js";

describe.skipIf(!isThere)("a service that asks who calls, over TLS", () => {
  let service: Service | undefined;
  let address: string;
  let ca: string;
  let token: string;
  beforeAll(async () => {
    const folder = newFolder();
    const [cert, key, tokens] = ["cert.pem", "key.pem", "tokens.toml"].map((it) =>
      join(folder, it),
    );
    execFileSync("openssl", [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
      ...["-days", "2", "-subj", "/CN=localhost", "-keyout", `${key}`, "-out", `${cert}`],
      ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
      ...["-addext", "basicConstraints=critical,CA:FALSE"],
    ]);
    const made = ["token", "new", "--tenant", "club", "--scope", "adjudicate"];
    const said = execFileSync(`${binary}`, [...made, "--file", `${tokens}`], {
      encoding: "utf8",
    });
    token = said.match(/alm_\w+/)?.[0] ?? "";
    ca = readFileSync(`${cert}`, "utf8");
    const flags = ["--tls-cert", `${cert}`, "--tls-key", `${key}`, "--tokens", `${tokens}`];
    service = await Service.start(flags, "https", folder);
    address = service.address;
  });
  afterAll(() => service?.end());

  test("answers who bears a token, and trusts its certificate", async () => {
    const client = createClient(address, { tls: { ca }, token });
    expect((await client.ruleset()).plugins.length).toBeGreaterThan(0);
    await expect(client.createMap({})).rejects.toMatchObject({
      code: Code.PermissionDenied,
      reason: "SCOPE_MISSING",
      metadata: { scope: "maps:write" },
    });
    client.close();
  });

  test("turns away who bears none", async () => {
    const client = createClient(address, { tls: { ca } });
    expect(await client.isServing()).toBe(true);
    await expect(client.ruleset()).rejects.toMatchObject({
      code: Code.Unauthenticated,
      reason: "CREDENTIALS_MISSING",
    });
    client.close();
  });

  test("is not trusted by who does not know its certificate", async () => {
    const client = createClient(address, { token, tries: 1 });
    await expect(client.ruleset()).rejects.toThrow(/self.signed|certificate/i);
    client.close();
  });
});

describe("a service that is in trouble", () => {
  /** A server that answers each call with the next of these trailers, and counts the calls. */
  async function troubled(trailers: Record<string, string>[]) {
    let calls = 0;
    const server = createServer();
    server.on("stream", (stream) => {
      const next = trailers[Math.min(calls++, trailers.length - 1)];
      stream.respond({ ":status": 200, "content-type": "application/grpc+proto", ...next });
      stream.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const client = createClient(`http://127.0.0.1:${port}`, { firstWaitMs: 1, longestWaitMs: 2 });
    const end = () => {
      client.close();
      server.close();
    };
    return { client, calls: () => calls, end };
  }
  const unavailable = { "grpc-status": "14", "grpc-message": "away" };

  test("is asked again, but not for ever", async () => {
    const { client, calls, end } = await troubled([unavailable]);
    await expect(client.ruleset()).rejects.toBeInstanceOf(AlameinError);
    expect(calls()).toBe(4);
    end();
  });

  test("is asked only once what may not be done twice", async () => {
    const { client, calls, end } = await troubled([unavailable]);
    const { games, admin } = client.stubs;
    await expect(games.createGame({ gameId: "a" })).rejects.toThrow("away");
    await expect(games.deleteGame({ gameId: "a" })).rejects.toThrow("away");
    await expect(admin.retirePlugin({})).rejects.toThrow("away");
    expect(calls()).toBe(3);
    await expect(client.games.create("position")).rejects.toThrow("away");
    expect(calls()).toBe(7);
    end();
  });

  test("is not asked again when it says that it never will", async () => {
    const { client, calls, end } = await troubled([{ "grpc-status": "8", "grpc-message": "full" }]);
    await expect(client.ruleset()).rejects.toMatchObject({ code: Code.ResourceExhausted });
    expect(calls()).toBe(1);
    end();
  });

  test("is asked less by many calls together than by each alone", async () => {
    const { client, calls, end } = await troubled([unavailable]);
    for (let at = 0; at < 50; at++) await client.ruleset().catch(() => {});
    // Ten in reserve, and a fifth of fifty.
    expect(calls()).toBeGreaterThanOrEqual(68);
    expect(calls()).toBeLessThanOrEqual(70);
    end();
  });

  test("that is not there is unavailable", async () => {
    const client = createClient("http://127.0.0.1:1", { firstWaitMs: 1, longestWaitMs: 2 });
    await expect(client.ruleset()).rejects.toMatchObject({ code: Code.Unavailable });
    client.close();
  });
});
