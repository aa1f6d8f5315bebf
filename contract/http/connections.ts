import type { Agent, AgentOptions, ClientRequest } from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import { memoize } from '../remembering.ts';
import { open, type Secret } from '../secrets/secret.ts';
import { encodeRequest, type HttpRequest } from './http-request.ts';
import type { Proxies } from './proxy.ts';
import { usualMethods, withDefaults } from './request.ts';

/** Where requests go, and their limits. */
export interface Connection {
  readonly origin: URL;
  /** The limit of the whole exchange, from the name lookup to the last byte. */
  readonly timeoutMs: number;
  /** The limit of a body after decompression. */
  readonly maxBodyBytes: number;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
  /** The certificate (PEM) with which this client proves who it is, and its key. */
  readonly client?: { readonly cert: string; readonly key: Secret };
  /** Which requests go through a tunnel of a proxy; by default none, whatever the environment variables are. */
  readonly proxies?: Proxies;
  /** Headers that a gateway needs of every request; one that the request has itself stays. */
  readonly headers?: readonly (readonly [string, Secret])[];
  readonly signal?: AbortSignal;
}

/** An import would evaluate its export WebSocket, which loads undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

type Destination = Pick<Connection, 'origin' | 'proxies'>;

/** Node's agent, with https through the proxy. A resumed TLS session would not show the certificates again. */
export function newAgent({ origin, proxies }: Destination, options: AgentOptions = {}): Agent {
  if (origin.protocol === 'http:') return new http.Agent(options);
  const proxy = proxies?.(origin);
  const proxyEnv = proxy && { HTTPS_PROXY: open(proxy.address) };
  return new https.Agent({ maxCachedSessions: 0, ...options, proxyEnv });
}

/** Begins a request of node:http, which is sent when it is ended. @throws OpenSSL's errors */
export function openRequest(request: HttpRequest, connection: Connection): ClientRequest {
  const { origin, ca, client, signal, proxies, timeoutMs, headers: ofGateway = [] } = connection;
  const isHttps = origin.protocol === 'https:';
  const outgoing = { ...request, headers: withDefaults(request.headers, ofGateway) };
  const { headers, ...line } = encodeRequest(origin, outgoing);
  const options = {
    ...line,
    headers: headers.flat(),
    // An IPv6 address without its brackets, as node:net expects it.
    host: origin.hostname.replace(/^\[|\]$/g, ''),
    port: origin.port,
    agent: request.agent ?? newAgent(connection),
    // No environment variable may weaken this.
    rejectUnauthorized: true,
    secureContext: isHttps ? secureContextFor(client)(ca) : undefined,
    // Node's 250 ms for each address of a name are too short for a distant provider, and for a lost packet.
    autoSelectFamilyAttemptTimeout: 1500,
    signal,
    // This ends the wait for a proxy that does not answer, after the exchange itself has ended.
    timeout: proxies && timeoutMs + 1000,
  };
  const opened = (isHttps ? https : http).request(options);
  // Node would drop the headers after the thousandth, such as Content-Encoding. Their size is limited all the same.
  opened.maxHeadersCount = 0;
  // A monkey patch: Node always writes HTTP/1.1, and a method in capitals.
  const head = String(Reflect.get(opened, '_header')).slice(opened.method.length);
  const corrected = head.replace(' HTTP/1.1\r\n', ` HTTP/${request.version ?? '1.1'}\r\n`);
  Reflect.set(opened, '_header', request.method + corrected);
  return opened;
}

/** What TLS connections share: to read certificates for each would take a seventh of the time of a request. */
const secureContextFor = memoize((client?: Connection['client']) =>
  memoize((ca?: string) =>
    tls.createSecureContext({ ca, ...(client && { cert: client.cert, key: open(client.key) }) }),
  ),
);

/** Headers that are about the connection, or make an intermediary close it. */
const aboutTheConnection =
  /^(connection|expect|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/i;

/** Some servers, such as Puma, leave a connection unusable after an unusual method. */
const needsOwnConnection = ({ method, version, chunked, headers }: HttpRequest): boolean =>
  !usualMethods.includes(method) ||
  version !== undefined ||
  chunked === true ||
  headers.some(([name]) => aboutTheConnection.test(name));

export type KeptConnections = ReturnType<typeof keepConnections>;

/**
 * Connections that stay open, by default one idle one of each kind: many servers reserve a thread for each.
 * @param options of the agents; with `maxSockets: 1` all requests share one connection
 */
export function keepConnections(destination: Destination, options: AgentOptions = {}) {
  const agents = new Map<boolean, Agent>();
  const isOne = options.maxSockets === 1;
  return {
    /** The agent for a request; undefined for a connection of its own. */
    agentFor(request: HttpRequest, isAuthorised: boolean): Agent | undefined {
      if (!isOne && needsOwnConnection(request)) return undefined;
      const kind = isOne || isAuthorised;
      const kept = { keepAlive: true, maxFreeSockets: 1, ...options };
      const agent = agents.get(kind) ?? newAgent(destination, kept);
      agents.set(kind, agent);
      return agent;
    },
    /** Closes connections, after their pending requests: later ones open new ones. @param only those for valid tokens */
    close(only?: 'authorised'): void {
      for (const [isAuthorised, agent] of agents) {
        if (only === 'authorised' && !isAuthorised) continue;
        agent.maxFreeSockets = 0;
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
        agents.delete(isAuthorised);
      }
    },
  };
}
