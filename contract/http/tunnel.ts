import type { ClientRequest, RequestOptions } from 'node:http';
import type net from 'node:net';
import type tls from 'node:tls';
import type { AttemptTimeout, Connection } from './connection.ts';
import { credentialsFor, type HttpProxy, portOf, withoutBrackets } from './proxy.ts';
import { encodeRequest } from './request-encoding.ts';
import { resolvingOf } from './resolving.ts';

/** An import would evaluate all of its exports. One of them, WebSocket, loads undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

/** The proxy answered CONNECT with a status other than a success. */
export class TunnelRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super('the proxy opens no tunnel');
    this.status = status;
  }
}

/** When a connection through a proxy was ready for TLS, on the monotonic clock (milliseconds). */
interface Opening {
  /** When the name of the proxy was resolved. */
  readonly resolvedAt: number;
  /** When the proxy had answered CONNECT. */
  readonly connectedAt: number;
}

const openings = new WeakMap<net.Socket, Opening>();

/** The opening of a connection, for the first request on it. */
export function takeOpening(socket: net.Socket): Opening | undefined {
  const opening = openings.get(socket);
  openings.delete(socket);
  return opening;
}

type Callback = (error: Error | null, socket?: net.Socket) => void;

/**
 * A connection through a proxy to a provider that uses TLS (RFC 9110 9.3.6). Node's own agents can open one too, but
 * return it only after the handshake. Then the phases and the facts of TLS would be lost.
 */
export class Tunnel {
  readonly #proxy: HttpProxy;
  readonly #connection: Connection;
  #isResolving = (): boolean => false;

  constructor(proxy: HttpProxy, connection: Connection) {
    this.#proxy = proxy;
    this.#connection = connection;
  }

  /** Whether the name of the proxy is being looked up. */
  isResolving(): boolean {
    return this.#isResolving();
  }

  /** @param secure begins TLS on a connection that leads to the provider @param callback gets its result, once */
  open(secure: (socket: net.Socket) => tls.TLSSocket, callback: Callback): void {
    const request = this.#connect();
    this.#isResolving = resolvingOf(request, this.#proxy.host);
    let resolvedAt = performance.now();
    request.once('socket', (socket) => {
      socket.once('lookup', () => {
        resolvedAt = performance.now();
      });
    });
    // The request that waits for the tunnel times out earlier, and reports the reason.
    const limit = setTimeout(() => request.destroy(), this.#connection.timeoutMs + 1000);
    request.once('close', () => clearTimeout(limit));
    request.on('error', (error) => callback(error));
    request.once('connect', ({ statusCode = 0 }, socket, head: Buffer) => {
      clearTimeout(limit);
      // In TLS the client sends first: bytes before that do not come from the provider.
      if (statusCode >= 200 && statusCode < 300 && head.length === 0) {
        const secured = secure(socket as net.Socket);
        openings.set(secured, { resolvedAt, connectedAt: performance.now() });
        callback(null, secured);
      } else {
        socket.destroy();
        callback(new TunnelRefused(statusCode));
      }
    });
    request.end();
  }

  #connect(): ClientRequest {
    const { host, port } = this.#proxy;
    const { origin, lookup, attemptMs, signal } = this.#connection;
    const authority = `${origin.hostname}:${portOf(origin)}`;
    const own = [['Host', authority] as const, ...credentialsFor(this.#proxy)];
    const request = { method: 'CONNECT', path: authority, headers: own };
    const { method, path, headers } = encodeRequest(origin, request, 'CONNECT');
    const options: RequestOptions & AttemptTimeout = {
      host: withoutBrackets(host),
      port,
      method,
      path,
      headers: headers.flat(),
      agent: false,
      lookup,
      signal,
      autoSelectFamilyAttemptTimeout: attemptMs,
    };
    return http.request(options);
  }
}
