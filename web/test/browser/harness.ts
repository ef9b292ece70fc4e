import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { type PreviewServer, preview } from "vite";
import { proxyTo } from "../../proxy.js";

const binary = process.env["ALAMEIN_BIN"] ?? "";
const plugins = process.env["ALAMEIN_PLUGINS"] ?? "";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SHOTS = join(ROOT, "../target/web-screenshots");

/** What the service lets the page do: nothing but what comes from itself. */
const POLICY = [
  ["default-src", "'none'"],
  ["script-src", "'self'"],
  ["style-src", "'self'"],
  ["img-src", "'self'"],
  ["connect-src", "'self'"],
  ["base-uri", "'none'"],
  ["form-action", "'none'"],
  ["frame-ancestors", "'none'"],
];

/** A service, and the built page in front of it. */
export class Site {
  /** Where the page is. */
  readonly url: string;
  /** Where the service is. */
  readonly address: string;
  readonly folder: string;
  readonly #flags: string[];
  #child: ChildProcess;
  readonly #page: PreviewServer | undefined;

  private constructor(
    url: string,
    address: string,
    folder: string,
    flags: string[],
    child: ChildProcess,
    page?: PreviewServer,
  ) {
    this.url = url;
    this.address = address;
    this.folder = folder;
    this.#flags = flags;
    this.#child = child;
    this.#page = page;
  }

  /** Starts both. Where the service can serve the page itself, it does. */
  static async start(more: string[] = []): Promise<Site> {
    const folder = mkdtempSync(join(tmpdir(), "alamein-web-"));
    const usual = ["--plugins", plugins, "--store", "memory", "--lame-duck", "0s"];
    const itself = servesPages() ? ["--web"] : [];
    const flags = [...usual, ...itself, ...more];
    const child = launch("127.0.0.1:0", flags, folder);
    const address = `http://${await ready(child)}`;
    if (itself.length > 0) return new Site(`${address}/`, address, folder, flags, child);
    const csp = POLICY.map((rule) => rule.join(" ")).join("; ");
    const page = await preview({
      root: ROOT,
      logLevel: "error",
      preview: {
        port: 0,
        host: "127.0.0.1",
        headers: { "Content-Security-Policy": csp },
        proxy: proxyTo(address),
      },
    });
    return new Site(page.resolvedUrls?.local[0] ?? "", address, folder, flags, child, page);
  }

  /** Ends the service alone. */
  async endService(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    await ended;
  }

  /** Starts the service again where it was. */
  async startService(): Promise<void> {
    this.#child = launch(new URL(this.address).host, this.#flags, this.folder);
    await ready(this.#child);
  }

  async end(): Promise<void> {
    await this.endService();
    await this.#page?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether the service can serve the page itself. */
function servesPages(): boolean {
  if (process.env["ALAMEIN_PREVIEW"]) return false;
  return / --web(\[|\s|$)/m.test(execFileSync(binary, ["serve", "--help"], { encoding: "utf8" }));
}

function launch(listen: string, flags: string[], folder: string): ChildProcess {
  const all = ["serve", "--listen", listen, ...flags];
  return spawn(binary, all, { stdio: ["ignore", "ignore", "pipe"], cwd: folder });
}

function ready(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready:\n${said.join("\n")}`)), 60_000);
    child.once("exit", (code) => reject(new Error(`ended with ${code}:\n${said.join("\n")}`)));
    let bound = "";
    if (!child.stderr) return;
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (said.length < 200) said.push(line);
      bound ||= / listening address=(\S+)/.exec(line)?.[1] ?? "";
      if (!line.includes("rules in force")) return;
      clearTimeout(late);
      resolve(bound);
    });
  });
}

/** The tests' own `test`: with a page in front of a service, on which nothing may go wrong unseen. */
export const test = base.extend<{ unspoilt: undefined }, { site: Site }>({
  site: [
    async ({ browserName: _ }, use) => {
      const folder = mkdtempSync(join(tmpdir(), "alamein-rules-"));
      const club = join(folder, "our-club.toml");
      writeFileSync(club, clubRules(folder));
      const site = await Site.start(["--rulesets", club]);
      await use(site);
      await site.end();
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  // What a page says in the console, and what its policy forbids, is a fault of the page.
  unspoilt: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        const away = /ERR_CONNECTION_REFUSED|status of 5\d\d/.test(message.text());
        if (message.type() === "error" && !away) faults.push(message.text());
      });
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** Rules of a club that takes no notice of what a line only grazes, nor of who looks over an AFV. */
function clubRules(folder: string): string {
  const args = ["ruleset", "show", "--toml", "--plugins", plugins];
  const usual = execFileSync(binary, args, { encoding: "utf8", cwd: folder });
  const option = "[plugins.hillock]\noptions = { hillock_sees_over_afv = false }";
  const changed = usual.replace("[plugins.hillock]", option);
  return changed.replace('"default"', '"our-club"').replace('"EITHER"', '"NEITHER_IF_GRAZING"');
}

/** Makes a token that may ask, in a new file. */
export function newToken(file: string): string {
  const args = ["token", "new", "--tenant", "club", "--scope", "adjudicate", "--file", file];
  const said = execFileSync(binary, args, { encoding: "utf8" });
  return /alm_\w+/.exec(said)?.[0] ?? "";
}

export { expect };

/** Opens the page, with what its address says after `#`, and waits for its map. */
export async function visit(page: Page, site: Site, link = ""): Promise<void> {
  await page.goto("about:blank");
  await page.goto(`${site.url}${link === "" ? "" : `#${link}`}`);
  await expect(page.locator("[data-hex]").first()).toBeVisible();
}

/** Where a hex is on the screen; a part of it that no counter hides. */
export async function spot(page: Page, hex: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-hex="${hex}"]`).boundingBox();
  if (!box) throw new Error(`${hex} is not drawn`);
  return { x: box.x + box.width / 2, y: box.y + box.height * 0.88 };
}

/** Clicks on a hex, beside the counters in it. */
export async function clickHex(page: Page, hex: string): Promise<void> {
  const { x, y } = await spot(page, hex);
  await page.mouse.click(x, y);
}

/** Keeps a picture of the page, for people to look at. */
export async function shoot(page: Page, name: string, fullPage = false): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage });
}

/** Nothing that axe knows keeps people out. */
export async function accessible(page: Page): Promise<void> {
  // What fades in has no contrast yet.
  await page.waitForTimeout(250);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  // The map's signs are the service's, whose contrast its own tests see to.
  const { violations } = await new AxeBuilder({ page })
    .withTags(tags)
    .exclude(".board > svg *")
    .analyze();
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`,
  );
  expect(told).toEqual([]);
}
