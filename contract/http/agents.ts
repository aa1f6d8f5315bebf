import type { Agent } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';

/** An import would evaluate all of its exports, and with WebSocket load undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

/** How many connections an agent keeps, and for how long. */
export interface Keeping {
  /** Most connections at once: further requests wait. */
  readonly maxSockets?: number;
  /** Most connections that are kept while they are idle. */
  readonly maxFreeSockets?: number;
  /** How long an idle connection is kept (milliseconds); without it, without limit. */
  readonly timeout?: number;
}

/**
 * An agent that keeps connections to an address open between requests. It does not resume TLS sessions, because a
 * resumed session does not show the certificates again.
 */
export const keeping = ({ protocol }: URL, bounds: Keeping): Agent =>
  strict(
    protocol === 'https:'
      ? new https.Agent({ keepAlive: true, maxCachedSessions: 0, ...bounds })
      : new http.Agent({ keepAlive: true, ...bounds }),
  );

/** The same agent, which closes a connection when it receives bytes that belong to no request. */
function strict(agent: Agent): Agent {
  const { keepSocketAlive, reuseSocket } = agent;
  const drop = function (this: Duplex): void {
    this.destroy();
  };
  agent.keepSocketAlive = (socket) => {
    socket.once('data', drop);
    return keepSocketAlive.call(agent, socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', drop);
    reuseSocket.call(agent, socket, request);
  };
  return agent;
}

/** Waits for an agent's pending requests to end, then closes its connections. */
export function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}
