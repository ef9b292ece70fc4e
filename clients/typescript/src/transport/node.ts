import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { Opened, Way } from "./options.js";

/** Opens gRPC over HTTP/2, which connects when it is first used. */
export function open({ address, tls, interceptors, longestAnswer }: Way): Opened {
  const buffer = (pem: string | Uint8Array) => (typeof pem === "string" ? pem : Buffer.from(pem));
  const sessionManager = new Http2SessionManager(
    address,
    { pingIntervalMs: 30_000, pingTimeoutMs: 15_000 },
    {
      ...(tls?.ca !== undefined && { ca: buffer(tls.ca) }),
      ...(tls?.cert !== undefined && { cert: buffer(tls.cert) }),
      ...(tls?.key !== undefined && { key: buffer(tls.key) }),
    },
  );
  const transport = createGrpcTransport({
    baseUrl: address,
    sessionManager,
    interceptors,
    readMaxBytes: longestAnswer,
  });
  return { transport, close: () => sessionManager.abort() };
}
