import { devices } from "@playwright/test";
import { accessible, expect, shoot, test, visit } from "./harness.js";

const MODES = ["Fire", "View", "Move", "Counters"];

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`axe finds nothing to object to, in ${colorScheme}`, async ({ page, site }) => {
      await visit(page, site);
      for (const mode of MODES) {
        await page.getByRole("tab", { name: mode }).click();
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
        if (mode === "Fire")
          for (const more of await page.locator("summary").all()) await more.click();
        if (mode === "Move") {
          await page.getByLabel("Mover").selectOption({ index: 4 });
          await page.getByLabel("Shade what it reaches").check();
        }
        if (mode === "Counters") await page.getByRole("button", { name: /^J squad/ }).click();
        await accessible(page);
        await shoot(page, `${colorScheme}-${mode.toLowerCase()}`);
      }
      await page.getByRole("tab", { name: "Fire" }).click();
      await page.getByLabel("Compare with other rules").check();
      await expect(page.locator(".ruling")).toHaveCount(2);
      await accessible(page);
      await page.getByRole("button", { name: /Ask the same/ }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await accessible(page);
      await shoot(page, `${colorScheme}-request`);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Open…" }).click();
      await accessible(page);
    });
  });
}

test("the colours can be chosen, and stay", async ({ page, site }) => {
  await visit(page, site);
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.body.parentElement as Element).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Colours: auto" }).click();
  await page.getByRole("button", { name: "Colours: light" }).click();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  await expect(page.getByRole("button", { name: "Colours: dark" })).toBeVisible();
  expect(await ground()).toBe(dark);
});

test("the map is worked by keys, and says what it does", async ({ page, site }) => {
  await visit(page, site, "mode=fire&from=.P5&attack=direct");
  const map = page.getByRole("application");
  await expect(map).toHaveAccessibleName(/The example of F4/);
  await expect(map).toHaveAccessibleDescription(/Arrow keys/);
  // From the top of the page by Tab alone.
  await page.locator(".bar").click();
  for (let at = 0; at < 12 && !(await map.evaluate((it) => it === document.activeElement)); at++) {
    await page.keyboard.press("Tab");
  }
  await expect(map).toBeFocused();
  const said = page.locator(".board [role=status]");
  await page.keyboard.press("ArrowDown");
  await expect(said).toHaveText("R6, deir, A tank of axis");
  await page.keyboard.press("ArrowDown");
  await expect(said).toHaveText("R7, deir, J squad of axis");
  await page.keyboard.press("ArrowLeft");
  await expect(said).toHaveText("Q7, deir, K squad of axis");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Target", { exact: true })).toHaveValue("K");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("f");
  await expect(page.getByLabel("Firer", { exact: true })).toHaveValue("Q6");
  await expect(page.locator(".ruling h3")).toBeVisible();
  // A counter is taken up, carried and set down.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("m");
  await expect(said).toContainText("K is taken up");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(said).toHaveText("K is now in Q8");
  await page.getByRole("tab", { name: "Fire" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("tab", { name: "Counters" })).toBeFocused();
  await expect(page.getByRole("button", { name: /^K squad/ })).toContainText("Q8");
  await page.keyboard.press("Control+z");
  await expect(page.getByRole("button", { name: /^K squad/ })).toContainText("Q7");
});

test("those who do not see the map are told what is on it", async ({ page, site }) => {
  await visit(page, site);
  const words = page.locator("#words");
  await expect(words).toContainText("deir, 15 hexes");
  await expect(words).toContainText("A tank R6 axis");
  await expect(page.locator(".ruling header")).toHaveAttribute("aria-live", "polite");
});

test.describe("a phone", () => {
  const { defaultBrowserType: _, ...phone } = devices["Pixel 7"];
  test.use(phone);

  test("has room for everything", async ({ page, site }) => {
    await visit(page, site);
    for (const mode of MODES) {
      await page.getByRole("tab", { name: mode }).tap();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(over, `${mode} is wider than the window`).toBeLessThanOrEqual(0);
      await accessible(page);
      await shoot(page, `phone-${mode.toLowerCase()}`, true);
    }
    await page.getByRole("tab", { name: "Fire" }).tap();
    await page.getByRole("button", { name: "Pick the firer on the map" }).tap();
    await page.locator('[data-counter="E"]').tap();
    await expect(page.getByLabel("Firer", { exact: true })).toHaveValue("E");
    await page.locator('[data-counter="B"]').tap();
    await expect(page.getByLabel("Target", { exact: true })).toHaveValue("B");
    await page.getByLabel("Compare with other rules").check();
    await expect(page.locator(".ruling")).toHaveCount(2);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over).toBeLessThanOrEqual(0);
  });

  test("zooms by two fingers, and pans by one", async ({ page, site }) => {
    await visit(page, site);
    const svg = page.locator(".board > svg");
    const box = () =>
      svg.evaluate((it) => (it.getAttribute("viewBox") ?? "").split(" ").map(Number));
    const [x = 0, , width = 0] = await box();
    const touch = await page.context().newCDPSession(page);
    const send = (type: string, points: [number, number][]) =>
      touch.send("Input.dispatchTouchEvent", {
        type: type as "touchStart",
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      });
    await send("touchStart", [[60, 130]]);
    await send("touchMove", [[100, 130]]);
    await send("touchMove", [[140, 130]]);
    await send("touchEnd", []);
    expect((await box())[0]).toBeLessThan(x);
    await send("touchStart", [
      [150, 250],
      [250, 250],
    ]);
    await send("touchMove", [
      [130, 250],
      [270, 250],
    ]);
    await send("touchMove", [
      [100, 250],
      [300, 250],
    ]);
    await send("touchEnd", []);
    expect((await box())[2]).toBeLessThan(width * 0.7);
    await expect(page.getByLabel("Target", { exact: true })).toHaveValue("K");
  });
});
