import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isThere, Service } from "./support/service.js";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const README = readFileSync(join(PACKAGE, "README.md"), "utf8");

/** The content of the first block of this language after some words. */
function block(language: string, after: string): string {
  const [, rest = ""] = README.split(after, 2);
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(rest)?.[1] ?? "";
}

describe.skipIf(!isThere)("the README's example", () => {
  let service: Service;
  let folder: string;
  beforeAll(async () => {
    service = await Service.start();
    folder = mkdtempSync(join(tmpdir(), "alamein-readme-"));
    const scope = join(folder, "node_modules", "@alamein");
    mkdirSync(scope, { recursive: true });
    // As npm installs a package from a folder: a link to it, with what it is built to.
    symlinkSync(PACKAGE, join(scope, "client"));
    execFileSync("npm", ["run", "--silent", "build"], { cwd: PACKAGE });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.end();
  });

  test("prints what the README says that it prints", async () => {
    writeFileSync(join(folder, "ask.mjs"), block("ts", "`ask.mjs`:"));
    const env = { ...process.env, ALAMEIN_URL: service.address };
    const options = { cwd: folder, env, timeout: 30_000 };
    const { stdout } = await promisify(execFile)(process.execPath, ["ask.mjs"], options);
    expect(stdout).toBe(block("text", "node ask.mjs"));
  });
});

test("a bundle for browsers speaks gRPC-Web, and has nothing of Node's", async () => {
  const folder = mkdtempSync(join(tmpdir(), "alamein-bundle-"));
  try {
    const scope = join(folder, "node_modules", "@alamein");
    mkdirSync(scope, { recursive: true });
    symlinkSync(PACKAGE, join(scope, "client"));
    execFileSync("npm", ["run", "--silent", "build"], { cwd: PACKAGE });
    const entry = join(folder, "page.js");
    writeFileSync(
      entry,
      'import { createClient } from "@alamein/client"; window.client = createClient("/");',
    );
    const made = await build({
      root: folder,
      logLevel: "silent",
      build: { write: false, rollupOptions: { input: entry } },
    });
    const chunks = Array.isArray(made) ? made : [made];
    const code = chunks
      .flatMap((one) => ("output" in one ? one.output : []))
      .map((one) => ("code" in one ? one.code : ""))
      .join("");
    expect(code).toContain("application/grpc-web");
    expect(code).not.toMatch(/http2|node:/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the package has the version of the service", () => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const cargo = readFileSync(join(PACKAGE, "../../Cargo.toml"), "utf8");
  const [, workspace = ""] = cargo.split("[workspace.package]", 2);
  expect(version).toBe(/^version = "(.*?)"/m.exec(workspace)?.[1]);
});
