import type { Agent } from 'node:http';
import { type Keeping, keeping, retire } from './agents.ts';
import type { Ask } from './request.ts';

/**
 * Which requests share a kept connection. `one`: all of them. `apart`: plain ones with a valid token share one, others
 * with a valid token the second, and those without one the third, so that no answer depends on what its connection was
 * allowed or refused before; a request about its connection has its own. `shared`: the same, but the connections are
 * those that the whole client shares, if it has any.
 */
export type Sharing = 'one' | 'apart' | 'shared';

/** Headers that are about the connection, or make an intermediary close it. */
const aboutTheConnection =
  /^(connection|expect|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/i;

const hasOwnConnection = ({ version, chunked, headers = {} }: Ask): boolean =>
  version !== undefined ||
  chunked === true ||
  Object.keys(headers).some((name) => aboutTheConnection.test(name));

/** How a request uses a valid token: as it is meant to be used, in any other way, or not at all. */
export type Use = 'plain' | 'odd' | 'none';

/** Connections to an origin that are kept open until `close`, apart by how requests use a valid token. */
export class KeptConnections {
  readonly #origin: URL;
  readonly #bounds: Keeping;
  readonly #agents: Partial<Record<Use, Agent>> = {};

  constructor(origin: URL, bounds: Keeping) {
    this.#origin = origin;
    this.#bounds = bounds;
  }

  /** The agent for a request; undefined for a connection of its own. */
  of(ask: Ask, use: Use): Agent | undefined {
    if (hasOwnConnection(ask)) return undefined;
    this.#agents[use] ??= keeping(this.#origin, this.#bounds);
    return this.#agents[use];
  }

  /** Requests that are under way end before their connections do. */
  close(): void {
    for (const agent of Object.values(this.#agents)) retire(agent);
  }
}

/**
 * Connections for some requests that follow one another.
 * @param shared those of the client
 * @returns `of` finds the agent of a request; `close` closes what is not shared
 */
export function connectionsFor(
  origin: URL,
  sharing: Sharing,
  shared?: KeptConnections,
): Pick<KeptConnections, 'of' | 'close'> {
  if (sharing === 'one') {
    const agent = keeping(origin, { maxSockets: 1 });
    return { of: () => agent, close: () => retire(agent) };
  }
  if (sharing === 'shared' && shared !== undefined)
    return { of: (ask, use) => shared.of(ask, use), close: () => {} };
  return new KeptConnections(origin, { maxFreeSockets: 1 });
}
