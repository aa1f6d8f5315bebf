import type { Agent, AgentOptions, ClientRequest } from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import { addAbortSignal, type Duplex } from 'node:stream';
import tls from 'node:tls';
import { remembering } from '../remembering.ts';
import { open } from '../secrets/secret.ts';
import { encodeRequest, type HttpRequest } from './http-request.ts';
import { type HttpProxy, type Proxies, portOf, withoutBrackets } from './proxy.ts';
import { type CallOptions, type Endpoint, usualMethods } from './request.ts';

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

/** An import would evaluate all of its exports. One of them, WebSocket, loads undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

/** What `newAgent` needs to know. */
export type Destination = Pick<Connection, 'origin' | 'proxies' | 'signal'>;

/**
 * An agent of Node, which opens connections to an origin, with https through its proxy. It does not resume TLS
 * sessions, because a resumed session does not show the certificates again.
 */
function newAgent({ origin, proxies, signal }: Destination, options: AgentOptions = {}): Agent {
  if (origin.protocol === 'http:') return new http.Agent(options);
  const proxy = proxies?.for(origin);
  const proxyEnv = proxy && { HTTPS_PROXY: open(proxy.address) };
  const agent = new https.Agent({ maxCachedSessions: 0, ...options, proxyEnv });
  const connect = agent.createConnection;
  // A monkey patch: Node leaves the connection to a proxy open if the tunnel is refused or the request is aborted.
  if (proxy !== undefined)
    agent.createConnection = (requested, callback) => {
      const socket = connect.call(agent, requested, (error, tunnelled) => {
        if (error !== null) socket?.destroy();
        callback?.(error, tunnelled);
      });
      return signal && socket ? addAbortSignal(signal, socket) : socket;
    };
  return agent;
}

/** How many connections an agent keeps, and for how long an idle one (milliseconds, by default without limit). */
export type KeepAliveOptions = Pick<AgentOptions, 'maxSockets' | 'maxFreeSockets' | 'timeout'>;

/** An agent that keeps connections open between requests, and closes one that receives bytes of no request. */
export function keepAliveAgent(destination: Destination, options: KeepAliveOptions): Agent {
  const agent = newAgent(destination, { keepAlive: true, ...options });
  const { keepSocketAlive, reuseSocket } = agent;
  const drop = function (this: Duplex): void {
    this.destroy();
  };
  // A monkey patch: Node would only notice such bytes at the next request.
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

/** How a request gets to the provider. */
interface Way {
  /** Names the request in errors. */
  readonly where: string;
  readonly proxy: HttpProxy | undefined;
  /** How long each address of a name but the last may take to connect (milliseconds): by default Node's 250. */
  readonly attemptMs: number | undefined;
}

/** Begins a request of node:http, which is sent when it is ended. @throws Unsendable @throws OpenSSL's errors */
export function openRequest(request: HttpRequest, to: Connection, way: Way): ClientRequest {
  const { origin, socketPath } = to;
  const isHttps = origin.protocol === 'https:';
  // A proxy forwards plain HTTP; to a provider with TLS, the agent opens a tunnel through it.
  const forwarder = isHttps ? undefined : way.proxy;
  const host = withoutBrackets(forwarder?.host ?? origin.hostname);
  const { headers, ...line } = encodeRequest(origin, request, way.where, forwarder);
  const options: https.RequestOptions &
    Pick<net.TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> &
    Pick<tls.ConnectionOptions, 'secureContext'> = {
    ...line,
    headers: headers.flat(),
    ...(socketPath === undefined
      ? { host, port: forwarder?.port ?? portOf(origin) }
      : { socketPath }),
    agent: request.agent ?? newAgent(to),
    // No environment variable may weaken this.
    rejectUnauthorized: true,
    secureContext: isHttps ? secureContextFor(to.ca) : undefined,
    // A server is named without the trailing dot (RFC 6066 3): Go's servers refuse it.
    servername: host.endsWith('.') ? host.slice(0, -1) : undefined,
    lookup: to.lookup,
    autoSelectFamilyAttemptTimeout: way.attemptMs && Math.max(1, Math.ceil(way.attemptMs)),
    signal: to.signal,
    // This ends the wait for a proxy that does not answer, after the exchange itself has ended.
    timeout: way.proxy && to.timeoutMs + 1000,
  };
  const opened = (isHttps ? https : http).request(options);
  // Node would drop the headers after the thousandth, such as Content-Encoding. Their size is limited all the same.
  opened.maxHeadersCount = 0;
  if (request.version === '1.0' || request.method !== opened.method)
    opened.once('socket', (socket) => correctFirstLine(socket, opened, request));
  return opened;
}

/**
 * The part that TLS connections share. Reading certificates for each connection would take a seventh of the time of a
 * monitor's request.
 */
const secureContextFor = remembering((ca: string | undefined) => tls.createSecureContext({ ca }));

/** A monkey patch: node:http writes HTTP/1.1 and a method in capitals into the first line of every request. */
function correctFirstLine(
  socket: net.Socket,
  { method: written }: ClientRequest,
  { method, version = '1.1' }: HttpRequest,
): void {
  const write = socket.write;
  socket.write = (chunk: unknown, ...rest: unknown[]) => {
    socket.write = write;
    const target = String(chunk).slice(written.length);
    const line = method + target.replace(' HTTP/1.1\r\n', ` HTTP/${version}\r\n`);
    return Reflect.apply(write, socket, [line, ...rest]);
  };
}

/** Waits for an agent's pending requests to end, then closes its connections. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

/** Headers that are about the connection, or make an intermediary close it. */
const aboutTheConnection =
  /^(connection|expect|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/i;

/**
 * Whether a request is about its connection, or has a method after which some servers leave the connection unusable,
 * as Puma does.
 */
const needsOwnConnection = (
  { method }: Endpoint,
  { version, chunked, headers = {} }: CallOptions,
): boolean =>
  !usualMethods.includes(method) ||
  version !== undefined ||
  chunked === true ||
  Object.keys(headers).some((name) => aboutTheConnection.test(name));

/**
 * Which requests share a kept connection. `one`: all of them. `apart`: requests with a valid token share one, and those
 * without share another, so that no refusal depends on whether its connection was authorised before. A request that is
 * about its connection, or has an unusual method, has a connection of its own. `shared`: as `apart`, but with the
 * connections of the whole client, if there are any. `renewed`: as `shared`, but the first request opens a new
 * connection, which later requests of the client share.
 */
export type Sharing = 'one' | 'apart' | 'shared' | 'renewed';

/** Connections that stay open until `close`. */
export interface OpenConnections {
  /** The agent for a request; undefined for a connection of its own. */
  agentFor(to: Endpoint, options: CallOptions, isAuthorised: boolean): Agent | undefined;
  close(): void;
}

/** Connections of requests with a valid token, and of requests without one. */
export class KeptConnections implements OpenConnections {
  readonly #destination: Destination;
  readonly #options: KeepAliveOptions;
  readonly #agents = new Map<boolean, Agent>();

  constructor(destination: Destination, options: KeepAliveOptions) {
    this.#destination = destination;
    this.#options = options;
  }

  agentFor(to: Endpoint, options: CallOptions, isAuthorised: boolean): Agent | undefined {
    if (needsOwnConnection(to, options)) return undefined;
    const agent =
      this.#agents.get(isAuthorised) ?? keepAliveAgent(this.#destination, this.#options);
    this.#agents.set(isAuthorised, agent);
    return agent;
  }

  /** Later requests open new connections. */
  renew(): void {
    this.close();
    this.#agents.clear();
  }

  /** Pending requests end before their connections close. */
  close(): void {
    for (const agent of this.#agents.values()) retire(agent);
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
  destination: Destination,
  sharing: Sharing,
  shared?: KeptConnections,
): OpenConnections {
  if (sharing === 'one') {
    const agent = keepAliveAgent(destination, { maxSockets: 1 });
    return { agentFor: () => agent, close: () => retire(agent) };
  }
  if (sharing === 'apart' || shared === undefined)
    return new KeptConnections(destination, { maxFreeSockets: mostKept });
  if (sharing === 'renewed') shared.renew();
  return { agentFor: (...request) => shared.agentFor(...request), close: () => {} };
}
