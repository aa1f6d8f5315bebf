import type { Agent } from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import type { Duplex } from 'node:stream';
import type tls from 'node:tls';
import type { Tunnel } from './tunnel.ts';

/** An import would evaluate all of its exports. One of them, WebSocket, loads undici: 35 ms of each start. */
export const http = process.getBuiltinModule('node:http');

/** How many connections an agent keeps, and for how long. */
export interface KeepAliveOptions {
  /** Most connections at once: further requests wait. */
  readonly maxSockets?: number;
  /** Most connections that are kept while they are idle. */
  readonly maxFreeSockets?: number;
  /** How long an idle connection is kept (milliseconds); by default without limit. */
  readonly timeout?: number;
}

/**
 * An agent that keeps connections to an address open between requests. It does not resume TLS sessions, because a
 * resumed session does not show the certificates again.
 */
export const keepAliveAgent = ({ protocol }: URL, bounds: KeepAliveOptions): Agent =>
  strict(
    protocol === 'https:'
      ? tunnelling({ keepAlive: true, ...bounds })
      : new http.Agent({ keepAlive: true, ...bounds }),
  );

/** An agent for one request that goes through a tunnel. */
export const throughTunnel = (): Agent => tunnelling({});

/** An agent for HTTPS. If a request has the option `tunnel`, its connection is opened through that tunnel. */
function tunnelling(options: https.AgentOptions): Agent {
  const agent = new https.Agent({ maxCachedSessions: 0, ...options });
  const connect = agent.createConnection;
  agent.createConnection = (requested: https.RequestOptions & TunnelOption, callback) => {
    const { tunnel } = requested;
    if (tunnel === undefined) return connect.call(agent, requested, callback);
    const secure = (socket: net.Socket) =>
      connect.call(agent, { ...requested, socket } as https.RequestOptions) as tls.TLSSocket;
    tunnel.open(secure, (error, socket) => callback?.(error, socket as net.Socket));
    return undefined;
  };
  return agent;
}

/** An option of a request in addition to Node's own. */
export interface TunnelOption {
  readonly tunnel?: Tunnel;
}

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
