import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { proxyTo } from "./proxy.js";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Where the service is, while the page is worked on; afterwards the service serves the page itself.
const service = process.env["ALAMEIN_URL"] ?? "http://127.0.0.1:50051";
const proxy = proxyTo(service);

export default defineConfig({
  // The page may lie anywhere on a server.
  base: "./",
  resolve: {
    alias: [
      { find: "#transport", replacement: file("../clients/typescript/src/transport/web.ts") },
      {
        find: "@alamein/client/cases",
        replacement: file("../clients/typescript/src/cases/index.ts"),
      },
      { find: "@alamein/client", replacement: file("../clients/typescript/src/index.ts") },
    ],
    // The client's sources take what they need from here.
    dedupe: ["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web"],
  },
  build: {
    target: "es2022",
    // What is built is the same everywhere, and can be compared.
    sourcemap: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy },
  preview: { proxy },
  test: { include: ["test/**/*.test.ts"] },
});
