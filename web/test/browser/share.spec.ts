import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { clickHex, expect, newToken, Site, shoot, test, visit } from "./harness.js";

const CLIENT = fileURLToPath(new URL("../../../clients/typescript", import.meta.url));

/** The link that the page's button copies. */
async function copied(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

test("a link reopens the same view", async ({ page, site, context }) => {
  await visit(page, site);
  await page.getByRole("tab", { name: "Counters" }).click();
  await page.getByRole("button", { name: /^A tank/ }).click();
  await page.getByLabel("Name", { exact: true }).fill("Tiger & Co.");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await page.getByLabel("in motion").check();
  await page.getByLabel("Hex", { exact: true }).fill("s7");
  await page.getByLabel("Hex", { exact: true }).press("Enter");
  await page.getByRole("tab", { name: "Fire" }).click();
  await page.getByLabel("Attack").selectOption("Mortar (Indirect)");
  await page.getByLabel("Made of").selectOption("HE");
  await page.getByLabel("Grazing lines").selectOption("both readings");
  await page.getByLabel("Compare with other rules").check();
  await page.locator("summary", { hasText: "Layers" }).click();
  await page.getByLabel("hillock", { exact: true }).uncheck();
  await page.getByLabel("Firer", { exact: true }).fill("Tiger & Co.");
  await page.getByLabel("Firer", { exact: true }).press("Enter");
  await page.locator('[data-counter="H"]').click();
  await expect(page.locator(".ruling")).toHaveCount(2);
  const rulings = await page.locator(".ruling footer").allTextContents();
  const link = await copied(page);
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator(".ruling")).toHaveCount(2);
  await expect.poll(() => other.locator(".ruling footer").allTextContents()).toEqual(rulings);
  await expect(other.getByLabel("Firer", { exact: true })).toHaveValue("Tiger & Co.");
  await expect(other.getByLabel("Attack")).toHaveValue("2");
  await expect(other.locator('g[data-layer="hillock"]')).toHaveCount(0);
  await expect(other.locator('[data-counter="Tiger & Co."]')).toHaveCount(1);
  // And so does a path.
  await other.getByRole("tab", { name: "Move" }).click();
  await clickHex(other, "P5");
  await clickHex(other, "P8");
  await expect(other.locator(".steps > li")).not.toHaveCount(0);
  const path = await copied(other);
  await other.goto("about:blank");
  await other.goto(path);
  await expect(other.locator(".path .step")).toHaveCount(3);
});

test("a link that is damaged says so, and opens the example", async ({ page, site }) => {
  await visit(page, site, "mode=fire&position=nonsense");
  await expect(page.getByRole("alert")).toContainText("This link is damaged");
  await expect(page.locator(".bar .title")).toHaveText("The example of F4");
  await page.getByRole("button", { name: "Very well" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the request is copied as code that gives the same ruling", async ({ page, site }) => {
  await visit(page, site);
  const shown = await page.locator(".ruling footer span").first().getAttribute("title");
  await page.getByRole("button", { name: /Ask the same/ }).click();
  const code = async (language: string) => {
    await page.getByRole("button", { name: language, exact: true }).click();
    await page.getByRole("button", { name: `Copy for ${language}` }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const typescript = await code("TypeScript");
  // What is shown names the page's own address; a test's page may stand in front of the service.
  const [grpcurl, python] = [await code("grpcurl"), await code("Python")];
  await shoot(page, "request");
  expect(grpcurl).toMatch(
    /^grpcurl -plaintext -d @ 127\.0\.0\.1:\d+ alamein\.v1\.AdjudicationService\/LineOfFire <</,
  );
  expect(python).toContain("v1.LineOfFireRequest()");
  const printed = JSON.parse(
    await run(typescript.replaceAll(new URL(site.url).origin, site.address)),
  );
  expect(printed.ruling.rulingId).toBe(shown);
  // The other two carry the very same request.
  const request = (text: string) =>
    JSON.parse(text.slice(text.indexOf("\n{\n"), text.lastIndexOf("\n}\n") + 3));
  expect(request(python)).toEqual(request(grpcurl));
  expect(typescript.replace(/\s/g, "")).toContain(
    JSON.stringify(request(grpcurl)).replace(/\s/g, ""),
  );
});

/** Runs a program that uses the TypeScript client; gives what it prints. */
async function run(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "alamein-code-"));
  try {
    const scope = join(folder, "node_modules", "@alamein");
    mkdirSync(scope, { recursive: true });
    symlinkSync(CLIENT, join(scope, "client"));
    writeFileSync(join(folder, "ask.mjs"), program);
    const { stdout } = await promisify(execFile)(process.execPath, ["ask.mjs"], { cwd: folder });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a service that is gone is told, and asked again when it is back", async ({ page }) => {
  const site = await Site.start();
  try {
    await visit(page, site);
    await expect(page.locator(".ruling h3")).toBeVisible();
    await site.endService();
    await page.getByLabel("Target", { exact: true }).fill("M");
    await page.getByLabel("Target", { exact: true }).press("Enter");
    await expect(page.getByRole("alert").first()).toContainText("The service does not answer");
    await shoot(page, "away");
    await site.startService();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(page.locator(".ruling")).toContainText("M");
  } finally {
    await site.end();
  }
});

test("a service that asks who one is gets a token", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "alamein-tokens-"));
  const tokens = join(folder, "tokens.toml");
  const token = newToken(tokens);
  const site = await Site.start(["--tokens", tokens]);
  try {
    await page.goto(site.url);
    await expect(page.getByText("This service asks who you are")).toBeVisible();
    await shoot(page, "token");
    await page.getByLabel("Token").fill("alm_of_nobody");
    await page.getByRole("button", { name: "Go on" }).click();
    await expect(page.getByText("This service asks who you are")).toBeVisible();
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Go on" }).click();
    await expect(page.locator(".ruling h3")).toHaveText("Hindered +1 by A");
    await expect(page.locator("[data-hex]").first()).toBeVisible();
    await expect(page.getByText("This service asks who you are")).toHaveCount(0);
    // It is not in the address, and stays while the window is open.
    expect(page.url()).not.toContain("alm_");
    await page.reload();
    await expect(page.locator(".ruling h3")).toBeVisible();
  } finally {
    await site.end();
    rmSync(folder, { recursive: true });
  }
});
