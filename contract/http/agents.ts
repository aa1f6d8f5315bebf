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
  /** How long a connection is kept while it is idle (milliseconds); for ever unless said. */
  readonly timeout?: number;
}

/**
 * An agent that keeps connections to an address open from request to request. A session of TLS is not resumed: it
 * would not show the certificates again.
 */
export const keeping = ({ protocol }: URL, bounds: Keeping): Agent =>
  strict(
    protocol === 'https:'
      ? new https.Agent({ keepAlive: true, maxCachedSessions: 0, ...bounds })
      : new http.Agent({ keepAlive: true, ...bounds }),
  );

/** The same agent, which gives a connection up on which bytes come that no request has asked for. */
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

/** Lets an agent's requests that are under way end, and closes its connections then. */
export function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}
