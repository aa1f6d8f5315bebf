import type { Agent } from 'node:http';
import { keeping, retire } from './agents.ts';
import type { Ask } from './request.ts';

/**
 * Which requests share a kept connection. `one`: all of them. `apart`: plain ones with a valid token share one, others
 * with a valid token the second, and those without one the third, so that no answer depends on what its connection was
 * allowed or refused before; a request about its connection has its own.
 */
export type Sharing = 'one' | 'apart';

/** Headers that are about the connection, or make an intermediary close it. */
const aboutTheConnection =
  /^(connection|expect|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/i;

const hasOwnConnection = ({ version, chunked, headers = {} }: Ask): boolean =>
  version !== undefined ||
  chunked === true ||
  Object.keys(headers).some((name) => aboutTheConnection.test(name));

export interface KeptConnections {
  /** The agent for a request; undefined for a connection of its own. */
  readonly of: (ask: Ask) => Agent | undefined;
  /** Requests that are under way end before their connections do. */
  close(): void;
}

/** How a request uses a valid token: as it is meant to be used, in any other way, or not at all. */
export type Use = 'plain' | 'odd' | 'none';

/** Connections to an origin that are kept open until `close`. */
export function keptConnections(
  origin: URL,
  sharing: Sharing,
  useOf: (ask: Ask) => Use,
): KeptConnections {
  const agents = {
    plain: keeping(origin, sharing),
    odd: keeping(origin, sharing),
    none: keeping(origin, sharing),
  };
  return {
    of(ask) {
      if (sharing === 'one') return agents.none;
      return hasOwnConnection(ask) ? undefined : agents[useOf(ask)];
    },
    close() {
      for (const agent of Object.values(agents)) retire(agent);
    },
  };
}
