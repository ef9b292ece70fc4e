import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { clickHex, expect, shoot, test, visit } from "./harness.js";

const REPOSITORY = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, REPOSITORY)), "utf8");

const box = (page: Page) =>
  page
    .locator(".board > svg")
    .evaluate((svg) => (svg.getAttribute("viewBox") ?? "").split(" ").map(Number));

test("the map zooms and pans", async ({ page, site }) => {
  await visit(page, site);
  const [, , width = 0] = await box(page);
  const hex = await page.locator('[data-hex="R6"]').boundingBox();
  await page.mouse.move((hex?.x ?? 0) + 5, (hex?.y ?? 0) + 20);
  await page.mouse.wheel(0, -400);
  const [x = 0, y = 0, nearer = 0] = await box(page);
  expect(nearer).toBeLessThan(width * 0.8);
  await page.mouse.down();
  await page.mouse.move((hex?.x ?? 0) + 105, (hex?.y ?? 0) + 80, { steps: 4 });
  await page.mouse.up();
  const [left = 0, top = 0] = await box(page);
  expect(left).toBeLessThan(x);
  expect(top).toBeLessThan(y);
  // What was dragged was the map: no end was picked.
  await expect(page.getByLabel("Target", { exact: true })).toHaveValue("K");
  await page.getByRole("button", { name: "Show the whole map" }).click();
  await expect(page.locator('[data-hex="A1"]')).toBeInViewport();
  await expect(page.locator('[data-hex="GG10"]')).toBeInViewport();
  await shoot(page, "whole-map");
  await page.getByRole("button", { name: "Show what matters" }).click();
  expect((await box(page))[2]).toBeCloseTo(width, 0);
});

test("layers and names are toggled", async ({ page, site }) => {
  await visit(page, site);
  const names = page.locator(".board text", { hasText: /^P6$/ });
  await expect(names).toHaveCount(1);
  await page.locator("summary", { hasText: "Layers" }).click();
  await page.getByLabel("hex names").uncheck();
  await expect(names).toHaveCount(0);
  await expect(page.locator('g[data-layer="hillock"]')).not.toHaveCount(0);
  await page.getByLabel("hillock", { exact: true }).uncheck();
  await expect(page.locator('g[data-layer="hillock"]')).toHaveCount(0);
  // It is hidden, not gone: rulings still know of it.
  await expect(page.locator('g[data-layer="deir"]')).not.toHaveCount(0);
  await shoot(page, "layers");
  await page.getByLabel("counters", { exact: true }).uncheck();
  await expect(page.locator("[data-counter]")).toHaveCount(0);
});

test("a hex shows what is seen from it", async ({ page, site }) => {
  await visit(page, site, "mode=view&from=@J&attack=direct");
  const sums = page.locator(".figures.big");
  await expect(page.locator("section.busy")).toHaveCount(0);
  const total = async () => {
    const numbers = await sums.locator("dd").allTextContents();
    return numbers.map(Number).reduce((sum, one) => sum + one, 0);
  };
  expect(await total()).toBe(346);
  await expect(page.locator(".view .hindered")).toHaveAttribute("d", /M/);
  await clickHex(page, "P1");
  await expect(page.getByLabel("Seen from")).toHaveValue("P1");
  await expect(page.locator("section.busy")).toHaveCount(0);
  expect(await total()).toBe(346);
  await shoot(page, "view");
  await page.getByLabel("Compare with other rules").check();
  await expect(page.locator("p.differs, p.same").first()).toBeVisible();
});

test("a path is priced by clicking it", async ({ page, site }) => {
  await visit(page, site);
  await page.getByRole("tab", { name: "Move" }).click();
  await page.locator('[data-counter="D"]').click();
  await expect(page.getByLabel("Mover")).toHaveValue("4");
  await clickHex(page, "P7");
  await expect(page.locator(".steps > li")).toHaveCount(1);
  await expect(page.locator(".ruling h3")).toHaveText("2 MP");
  await expect(page.locator(".steps")).toContainText("Leaving a deir over a Lip Hexside");
  // A hex further off is reached the straight way.
  await clickHex(page, "P9");
  await clickHex(page, "P10");
  await expect(page.locator(".steps > li")).toHaveCount(4);
  await expect(page.locator(".ruling h3")).toHaveText("5 MP more than it has");
  await expect(page.locator(".path .step.beyond")).toHaveCount(1);
  await page.getByLabel("Shade what it reaches").check();
  await expect(page.locator(".reach text").first()).toBeVisible();
  await shoot(page, "move");
  // The last hex again takes the step back.
  await clickHex(page, "P10");
  await expect(page.locator(".ruling h3")).toHaveText("4 MP");
  await page.getByLabel("Allowance").fill("3");
  await expect(page.locator(".ruling h3")).toHaveText("4 MP more than it has");
  // A vehicle may turn on the way; what no rule here judges is told.
  await page.getByRole("button", { name: "Turn a hexside" }).click();
  await page.getByRole("button", { name: "Turn a hexside" }).click();
  await expect(page.locator(".steps > li").last()).toContainText("Turn by 2 in P9");
  await expect(page.locator(".path .step")).toHaveCount(4);
  await page.getByRole("button", { name: "Take a step back" }).click();
  await page.getByLabel("Compare with other rules").check();
  await expect(page.locator(".ruling").last()).toContainText("= the same total");
  await page.getByRole("button", { name: "Clear the path" }).click();
  await expect(page.locator(".steps")).toHaveCount(0);
});

test("a map file is chosen, a case is pasted, and what is neither is told", async ({
  page,
  site,
}) => {
  await visit(page, site);
  await page.getByRole("button", { name: "Open…" }).click();
  await shoot(page, "open");
  await page
    .getByLabel("A file of yours")
    .setInputFiles(fileURLToPath(new URL("docs/maps/chapter-f.toml", REPOSITORY)));
  await expect(page.locator(".bar .title")).toHaveText("A hillock, a deir, sand and a dune");
  await expect(page.locator('g[data-layer="sand"]').first()).toBeVisible();
  await shoot(page, "map-file");
  await page.getByRole("button", { name: "Open…" }).click();
  await page.getByLabel("Or its text").fill("[[board]]\ncolums = 3\n");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("colums");
  await page.getByLabel("Or its text").fill(read("tests/cases/sand-los.json"));
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.locator("dialog")).toHaveCount(0);
  await expect(page).toHaveTitle(/ · Alamein/);
  // The first of its questions is asked, and the others can be.
  const question = page.getByLabel("Question of this case");
  await expect(question).toHaveValue("1");
  await expect(page.locator(".ruling h3")).toBeVisible();
  const first = await page.locator(".ruling footer").textContent();
  await question.selectOption({ index: 2 });
  await expect(page.locator(".ruling footer")).not.toHaveText(first ?? "");
  await page.getByRole("button", { name: "Exchange firer and target" }).click();
  await expect(question).toHaveValue("0");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a file is dropped on the page, or pasted into it", async ({ page, site }) => {
  await visit(page, site);
  const drop = (text: string) =>
    page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "it.json"));
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
      );
    }, text);
  await drop(read("tests/cases/hillock-tem.json"));
  await expect(page.locator(".bar .title")).not.toHaveText("The example of F4");
  // One is pasted likewise, wherever nothing is written.
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    read("docs/maps/chapter-f.toml"),
  );
  await page.locator(".bar .title").click();
  await page.keyboard.press("Control+v");
  await expect(page.locator(".bar .title")).toHaveText("A hillock, a deir, sand and a dune");
  await drop("{ this is nothing");
  await expect(page.getByRole("alert")).toContainText("JSON");
});

test("a large map is drawn, picked from and looked over", async ({ page, site }) => {
  await visit(page, site);
  await page.getByRole("button", { name: "Open…" }).click();
  const map = {
    board: [{ columns: 60, rows: 60 }],
    layers: { hillock: { hexes: ["Z30", "Z31"] } },
  };
  await page.getByLabel("Or its text").fill(JSON.stringify(map));
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.locator(".bar .title")).toHaveText("A map");
  await expect(page.locator(".board text", { hasText: /^Z30$/ })).toBeInViewport();
  const name = await page.locator(".board text", { hasText: /^AA32$/ }).boundingBox();
  await page.mouse.click((name?.x ?? 0) + 5, (name?.y ?? 0) + 30);
  await expect(page.getByLabel("Firer", { exact: true })).toHaveValue("AA32");
  await page.getByRole("button", { name: "Show the whole map" }).click();
  // So far away the names are left out.
  await expect(page.locator(".board text", { hasText: /^Z30$/ })).toBeHidden();
  await shoot(page, "large-map");
});

test("counters are added, changed and removed", async ({ page, site }) => {
  await visit(page, site);
  await page.getByRole("tab", { name: "Counters" }).click();
  await clickHex(page, "U7");
  await page.getByRole("button", { name: "Add a counter in U7" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("N");
  await expect(page.locator('[data-counter="N"]')).toHaveCount(1);
  await page.getByLabel("Class").selectOption("truck");
  await page.getByLabel("burning").check();
  // A name that another has is not taken, nor a hex that is not there.
  await page.getByLabel("Name", { exact: true }).fill("A");
  await expect(page.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("N");
  await page.getByLabel("Hex", { exact: true }).fill("ZZ9");
  await page.getByLabel("Hex", { exact: true }).press("Enter");
  await expect(page.getByLabel("Hex", { exact: true })).toHaveValue("U7");
  await shoot(page, "counters");
  // One is chosen on the map as well.
  await page.locator('[data-counter="K"]').click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("K");
  await page.getByRole("button", { name: "Remove K" }).click();
  await expect(page.locator('[data-counter="K"]')).toHaveCount(0);
  // It was the target.
  await page.getByRole("tab", { name: "Fire" }).click();
  await expect(page.getByRole("alert")).toContainText("UNKNOWN_COUNTER");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
