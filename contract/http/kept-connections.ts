import type { Agent } from 'node:http';
import { type KeepAliveOptions, keepAliveAgent, retire } from './agents.ts';
import { type CallOptions, type Endpoint, usualMethods } from './request.ts';

/**
 * Which requests share a kept connection. `one`: all of them. `apart`: plain requests with a valid token share one,
 * other requests with a valid token share a second, and requests without a valid token share a third. So no answer
 * depends on whether its connection was authorised before. A request that is about its connection, or has an unusual
 * method, has a connection of its own. `shared`: as `apart`, but with the connections of the whole client, if there
 * are any. `renewed`: as `shared`, but the first request opens a new connection, which later requests of the client
 * share.
 */
export type Sharing = 'one' | 'apart' | 'shared' | 'renewed';

/** Headers that are about the connection, or make an intermediary close it. */
const aboutTheConnection =
  /^(connection|expect|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/i;

/**
 * Whether a request is about its connection, or has a method after which some servers leave the connection unusable,
 * as Puma does.
 */
const hasOwnConnection = (
  { method }: Endpoint,
  { version, chunked, headers = {} }: CallOptions,
): boolean =>
  !usualMethods.includes(method) ||
  version !== undefined ||
  chunked === true ||
  Object.keys(headers).some((name) => aboutTheConnection.test(name));

/** How a request uses a valid token: in the intended way, in any other way, or not at all. */
export type Use = 'plain' | 'odd' | 'none';

/** Connections that stay open until `close`. */
export interface OpenConnections {
  /** The agent for a request; undefined for a connection of its own. */
  of(to: Endpoint, options: CallOptions, use: Use): Agent | undefined;
  close(): void;
}

/** Connections to an origin, separated by how requests use a valid token. */
export class KeptConnections implements OpenConnections {
  readonly #origin: URL;
  readonly #bounds: KeepAliveOptions;
  readonly #agents: Partial<Record<Use, Agent>> = {};

  constructor(origin: URL, bounds: KeepAliveOptions) {
    this.#origin = origin;
    this.#bounds = bounds;
  }

  of(to: Endpoint, options: CallOptions, use: Use): Agent | undefined {
    if (hasOwnConnection(to, options)) return undefined;
    this.#agents[use] ??= keepAliveAgent(this.#origin, this.#bounds);
    return this.#agents[use];
  }

  /** The same connections, each of which is opened again at the first request that uses it here. */
  renewed(): OpenConnections {
    const opened = new Set<Use>();
    const of: OpenConnections['of'] = (to, options, use) => {
      const known = this.#agents[use];
      if (hasOwnConnection(to, options) || opened.has(use)) return this.of(to, options, use);
      opened.add(use);
      if (known !== undefined) retire(known);
      delete this.#agents[use];
      return this.of(to, options, use);
    };
    return { of, close: () => {} };
  }

  /** Pending requests end before their connections close. */
  close(): void {
    for (const agent of Object.values(this.#agents)) retire(agent);
  }
}

/**
 * How many idle connections of each kind a run keeps. After concurrent requests it could keep more, but many servers
 * reserve a thread for each. With 32 kept, a round against Puma with its usual five threads took five times as long.
 */
const mostKept = 1;

/**
 * Connections for the requests of one run.
 * @param shared those of the client, which `close` keeps open
 */
export function connectionsFor(
  origin: URL,
  sharing: Sharing,
  shared?: KeptConnections,
): OpenConnections {
  if (sharing === 'one') {
    const agent = keepAliveAgent(origin, { maxSockets: 1 });
    return { of: () => agent, close: () => retire(agent) };
  }
  if (sharing === 'renewed' && shared !== undefined) return shared.renewed();
  if (sharing === 'shared' && shared !== undefined)
    return { of: (...request) => shared.of(...request), close: () => {} };
  return new KeptConnections(origin, { maxFreeSockets: mostKept });
}
