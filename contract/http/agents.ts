import type { Agent } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';

/** An import would evaluate all of its exports, and with WebSocket load undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

/**
 * An agent that keeps a connection to an address open from request to request. A session of TLS is not resumed: it
 * would not show the certificates again.
 * @param sharing `one`: requests wait for that one connection; `apart`: those at the same time have further ones
 */
export function keeping({ protocol }: URL, sharing: 'one' | 'apart' = 'one'): Agent {
  const bounds = sharing === 'one' ? { maxSockets: 1 } : { maxFreeSockets: 1 };
  return strict(
    protocol === 'https:'
      ? new https.Agent({ keepAlive: true, maxCachedSessions: 0, ...bounds })
      : new http.Agent({ keepAlive: true, ...bounds }),
  );
}

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
