import type { Agent } from 'node:http';
import { keeping, retire } from './agents.ts';
import type { Ask } from './request.ts';

/**
 * Which requests share a kept connection. `one`: all of them. `apart`: those with a valid token share one and all
 * others another, so that no answer depends on what its connection was allowed or refused before; a request about its
 * connection has its own.
 */
export type Sharing = 'one' | 'apart';

/** Headers that are about the connection, or make an intermediary close it. */
const aboutTheConnection =
  /^(connection|expect|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/i;

const hasOwnConnection = ({ version, mayFail, chunked, headers = {} }: Ask): boolean =>
  version !== undefined ||
  mayFail === true ||
  chunked === true ||
  Object.keys(headers).some((name) => aboutTheConnection.test(name));

export interface KeptConnections {
  /** The agent for a request; undefined for a connection of its own. */
  readonly of: (ask: Ask) => Agent | undefined;
  /** Requests that are under way end before their connections do. */
  close(): void;
}

/** Connections to an origin that are kept open until `close`. @param isAuthorised has a valid token */
export function keptConnections(
  origin: URL,
  sharing: Sharing,
  isAuthorised: (ask: Ask) => boolean,
): KeptConnections {
  const [authorised, others] = [keeping(origin, sharing), keeping(origin, sharing)];
  return {
    of(ask) {
      if (sharing === 'one') return others;
      if (hasOwnConnection(ask)) return undefined;
      return isAuthorised(ask) ? authorised : others;
    },
    close() {
      retire(authorised);
      retire(others);
    },
  };
}
