import { defineConfig, devices } from "@playwright/test";

// Debian's Chromium: nothing is downloaded.
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "test/browser",
  outputDir: "../target/web/results",
  // The machine may be busy.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  workers: 1,
  reporter: [["list"], ["json", { outputFile: "../target/web/browser.json" }]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1400, height: 860 },
    launchOptions: { executablePath, args: ["--no-sandbox"] },
    permissions: ["clipboard-read", "clipboard-write"],
    trace: "retain-on-failure",
  },
});
