import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import tls from 'node:tls';
import type { Phases, TlsFacts } from './answer.ts';
import { decoded } from './coding.ts';
import { handshakeOf } from './handshake.ts';
import { readBody } from './read-body.ts';
import { bodyOf, encodeRequest, type HttpRequest } from './request-encoding.ts';
import { resolvingOf } from './resolving.ts';
import { type Reason, reasonOf, Unreachable } from './unreachable.ts';

/** An import would evaluate all of its exports, and with WebSocket load undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

/** Where requests go, and what bounds them. */
export interface Connection {
  readonly origin: URL;
  /** Bound on the whole exchange, from the look-up of the name to the last byte. */
  readonly timeoutMs: number;
  /** Bound on a body after decompression. */
  readonly maxBodyBytes: number;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
  /** A socket file (or a Windows pipe) that leads to the origin, instead of its name and port. */
  readonly socketPath?: string;
  /** Looks names up instead of Node's own function, which waits in one of a few threads. */
  readonly lookup?: net.LookupFunction;
  /** Abandons what is under way. */
  readonly signal?: AbortSignal;
}

/** What came back, before anybody has looked at it. */
export interface Received {
  readonly status: number;
  readonly httpVersion: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly phases: Phases;
  /** For https. */
  readonly tls?: TlsFacts;
}

/**
 * An agent that keeps a connection to an address open from request to request. A session of TLS is not resumed: it
 * would not show the certificates again.
 * @param sharing `one`: requests wait for that one connection; `apart`: those at the same time have further ones
 */
export function keeping({ protocol }: URL, sharing: 'one' | 'apart' = 'one'): Agent {
  const bounds = sharing === 'one' ? { maxSockets: 1 } : { maxFreeSockets: 1 };
  return protocol === 'https:'
    ? new https.Agent({ keepAlive: true, maxCachedSessions: 0, ...bounds })
    : new http.Agent({ keepAlive: true, ...bounds });
}

/**
 * Sends one request and reads its whole answer: no redirect, no fallback, no retry. Only where a kept connection was
 * closed before any byte of the answer came, as either side may at any time (RFC 9112 9.5), a new one is opened.
 * @param where names the request in errors; it must hold no secret
 * @throws Unreachable when there is no complete answer within the bounds
 * @throws Unsendable
 */
export function exchange(
  connection: Connection,
  outgoing: HttpRequest,
  where: string,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = prepare(connection, outgoing, where);
    const phases = stopwatch(request);
    const handshake = handshakeOf(request);
    const hostname = connection.socketPath === undefined ? connection.origin.hostname : undefined;
    const isResolving = resolvingOf(request, hostname);
    const startedAt = performance.now();
    let [answered, failed] = [false, false];
    const isUnanswered = unansweredOn(request);
    const fail = (error: unknown): void => {
      // A caller that abandons a request gets a connection reset a moment later.
      if (failed) return;
      failed = true;
      clearTimeout(deadline);
      request.destroy();
      const message =
        error instanceof Unreachable ? error : unreachable(error, where, answered, request);
      if (isUnanswered() && message instanceof Unreachable && message.reason === 'reset') {
        const timeoutMs = Math.max(1, connection.timeoutMs - (performance.now() - startedAt));
        resolve(exchange({ ...connection, timeoutMs }, outgoing, where));
      } else reject(knowing(message, handshake()));
    };
    const deadline = setTimeout(
      () =>
        fail(
          new Unreachable(isResolving() ? 'dns' : 'timeout', where, `${connection.timeoutMs} ms`),
        ),
      connection.timeoutMs,
    );
    request.on('error', fail);
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      if (!outgoing.headers.some(([name]) => name === 'Upgrade'))
        return fail(new Unreachable('protocol', where, 'an upgrade'));
      // A request for another protocol is answered by the 101 itself: it has no body.
      clearTimeout(deadline);
      const { httpVersion, rawHeaders } = response;
      const headers = pairs(rawHeaders);
      resolve({ status: 101, httpVersion, headers, body: Buffer.alloc(0), phases: phases() });
    });
    request.on('response', (response) => {
      answered = true;
      if (response.statusCode === 101)
        return fail(new Unreachable('protocol', where, 'an upgrade'));
      receive(response, connection.maxBodyBytes, where, phases).then((received) => {
        clearTimeout(deadline);
        if (outgoing.agent === undefined) request.destroy();
        const tlsFacts = handshake();
        resolve(tlsFacts === undefined ? received : { ...received, tls: tlsFacts });
      }, fail);
    });
    request.end(bodyOf(outgoing));
  });
}

/** Whether a request went over a kept connection, and no byte has come on it since. */
function unansweredOn(request: ClientRequest): () => boolean {
  let used: net.Socket | undefined;
  let bytesBefore = 0;
  request.once('socket', (socket) => {
    used = socket;
    bytesBefore = socket.bytesRead;
  });
  return () => request.reusedSocket && used?.bytesRead === bytesBefore;
}

function prepare(connection: Connection, outgoing: HttpRequest, where: string): ClientRequest {
  const { origin } = connection;
  const secure = origin.protocol === 'https:';
  const { method, path, headers } = encodeRequest(origin, outgoing, where);
  const request = (secure ? https : http).request({
    ...(connection.socketPath === undefined
      ? addressOf(origin)
      : { socketPath: connection.socketPath }),
    method,
    path,
    headers: headers.flat(),
    agent: outgoing.agent ?? false,
    // No variable of the environment may loosen this.
    rejectUnauthorized: true,
    ca: connection.ca,
    lookup: connection.lookup,
    signal: connection.signal,
  });
  const line = ` HTTP/${outgoing.version ?? '1.1'}\r\n`;
  if (outgoing.version === '1.0' || outgoing.method !== request.method)
    request.once('socket', (socket) => correctFirstLine(socket, request, outgoing.method, line));
  return request;
}

const addressOf = ({ hostname, port, protocol }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
});

/** node:http writes HTTP/1.1, and the method in capitals, into every request: the first line is corrected. */
function correctFirstLine(
  socket: net.Socket,
  { method: written }: ClientRequest,
  method: string,
  end: string,
): void {
  const write = socket.write;
  socket.write = (chunk: unknown, ...rest: unknown[]) => {
    socket.write = write;
    const line = method + String(chunk).slice(written.length).replace(' HTTP/1.1\r\n', end);
    return Reflect.apply(write, socket, [line, ...rest]);
  };
}

/** A gateway that says so is not the service's own answer: nothing is judged by it. */
export function refuseOutage({ status }: Received, where: string): void {
  if (status === 502 || status === 503 || status === 504)
    throw new Unreachable('unavailable', where, `status ${status}`);
}

async function receive(
  response: IncomingMessage,
  maxBytes: number,
  where: string,
  phases: () => Phases,
): Promise<Received> {
  const raw = await readBody(response, maxBytes, where);
  const taken = phases();
  return {
    status: response.statusCode ?? 0,
    httpVersion: response.httpVersion,
    headers: pairs(response.rawHeaders),
    body: await decoded(raw, response.headers['content-encoding'], maxBytes, where),
    phases: taken,
  };
}

function unreachable(
  error: unknown,
  where: string,
  answered: boolean,
  request: ClientRequest,
): unknown {
  if (!(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const handshaking =
    request.socket instanceof tls.TLSSocket && !request.socket.authorized && !answered;
  const reason: Reason | undefined =
    handshaking && /^(ECONNRESET|EPIPE|EPROTO)/.test(code)
      ? 'tls'
      : (reasonOf(code, answered) ?? (handshaking ? 'tls' : undefined));
  return reason === undefined ? error : new Unreachable(reason, where, code);
}

/** An error that says what the handshake had shown. */
function knowing(error: unknown, facts: TlsFacts | undefined): unknown {
  if (error instanceof Unreachable && facts !== undefined) error.tls = facts;
  return error;
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : [],
  );

/**
 * Takes the times of an exchange on the monotonic clock, to the microsecond: a step of the wall clock moves nothing.
 * @returns reads them; to be called when the body has ended
 */
function stopwatch(request: ClientRequest): () => Phases {
  const start = performance.now();
  let [resolved, connected, secured, answered] = [start, start, start, start];
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    socket.once('lookup', () => {
      resolved = connected = secured = performance.now();
    });
    socket.once('connect', () => {
      connected = secured = performance.now();
    });
    socket.once('secureConnect', () => {
      secured = performance.now();
    });
  });
  request.once('response', () => {
    answered = performance.now();
  });
  return () => ({
    resolve: (resolved - start) / 1000,
    connect: (connected - resolved) / 1000,
    tls: (secured - connected) / 1000,
    processing: (answered - secured) / 1000,
    transfer: (performance.now() - answered) / 1000,
  });
}
