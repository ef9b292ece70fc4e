import { ServerResponse } from "node:http";
import type { ProxyOptions } from "vite";

/** Hands the calls of the page on to a service, and answers as proxies do where nobody is there. */
export function proxyTo(target: string): Record<string, ProxyOptions> {
  const configure: ProxyOptions["configure"] = (proxy) =>
    proxy.on("error", (_, __, response) => {
      if (response instanceof ServerResponse && !response.headersSent)
        response.writeHead(502).end();
    });
  return { "^/(alamein|grpc)\\.": { target, configure } };
}
