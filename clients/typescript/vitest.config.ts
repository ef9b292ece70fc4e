import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The same tests over both ways to the service: gRPC, and gRPC-Web by `fetch`, as browsers have it.
const over = (way: "node" | "web", include: string[]) => ({
  resolve: { alias: { "#transport": file(`./src/transport/${way}.ts`) } },
  define: { "import.meta.env.WAY": JSON.stringify(way) },
  test: { name: way, include, testTimeout: 60_000, hookTimeout: 60_000 },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: "test/support/needed.ts",
    projects: [
      over("node", ["test/**/*.test.ts"]),
      over("web", ["test/cases/*.test.ts", "test/client.test.ts", "test/games.test.ts"]),
    ],
  },
});
