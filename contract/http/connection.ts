import type net from 'node:net';
import type { Proxies } from './proxy.ts';

/** Where requests go, and their limits. */
export interface Connection {
  readonly origin: URL;
  /** The limit of the whole exchange, from the name lookup to the last byte. */
  readonly timeoutMs: number;
  /** The limit of a body after decompression. */
  readonly maxBodyBytes: number;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
  /** A socket file (or a Windows pipe) that leads to the origin, instead of its name and port. */
  readonly socketPath?: string;
  /** Which requests go through a proxy; by default none, whatever the environment variables are. */
  readonly proxies?: Proxies;
  /** Looks names up instead of Node's own function: a test's. */
  readonly lookup?: net.LookupFunction;
  /**
   * How long each address of a name but the last may take to connect (milliseconds). Node tries them one after the
   * other and by default gives each 250 ms, which a distant provider or a lost packet exceeds.
   */
  readonly attemptMs?: number;
  /** Where the provider's operators may write to, for the User-Agent. */
  readonly contact?: string;
  readonly signal?: AbortSignal;
}

/** An option of requests that Node passes on to net.connect, although its types lack it there. */
export type AttemptTimeout = Pick<net.TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'>;
