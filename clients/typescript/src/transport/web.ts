import { createGrpcWebTransport } from "@connectrpc/connect-web";
import type { Opened, Way } from "./options.js";

/** Opens gRPC-Web over the browser's `fetch`. Connections and certificates are the browser's own. */
export function open({ address, tls, interceptors }: Way): Opened {
  if (tls) throw new TypeError("tls: a browser decides by itself whom it trusts");
  return {
    transport: createGrpcWebTransport({ baseUrl: address, interceptors }),
    close: () => {},
  };
}
