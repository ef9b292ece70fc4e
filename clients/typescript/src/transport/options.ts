import type { Interceptor, Transport } from "@connectrpc/connect";

/** What one is known by, and whom one takes for the service. Browsers see to it themselves. */
export interface TlsOptions {
  /** The certificates that vouch for the service's own, in PEM. Without them those that Node trusts. */
  readonly ca?: string | Uint8Array;
  /** A certificate of one's own, in PEM, where the service asks for one. */
  readonly cert?: string | Uint8Array;
  /** Its private key, in PEM. */
  readonly key?: string | Uint8Array;
}

/** How to reach a service. */
export interface Way {
  readonly address: string;
  readonly tls: TlsOptions | undefined;
  readonly interceptors: Interceptor[];
  readonly longestAnswer: number;
}

/** A way to a service that is open. */
export interface Opened {
  readonly transport: Transport;
  /** Ends what is under way, and the connection. */
  close(): void;
}
