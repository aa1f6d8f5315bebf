import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import type tls from 'node:tls';
import type { Phases, TlsFacts } from './answer.ts';
import { decoded } from './coding.ts';
import { correctFirstLine } from './first-line.ts';
import { handshakeOf, isHandshaking } from './handshake.ts';
import { readBody } from './read-body.ts';
import { bodyOf, encodeRequest, type HttpRequest } from './request-encoding.ts';
import { resolvingOf } from './resolving.ts';
import { secureContextFor } from './secure-context.ts';
import { stopwatch } from './stopwatch.ts';
import { Unreachable, unreachableOf, withHandshake } from './unreachable.ts';

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
  /** Where the provider's operators may write to, for the User-Agent. */
  readonly contact?: string;
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
    new Exchange({ connection, outgoing, where, resolve, reject }).begin();
  });
}

/** One request, and what becomes of it. */
interface Sending {
  readonly connection: Connection;
  readonly outgoing: HttpRequest;
  readonly where: string;
  readonly resolve: (received: Received | Promise<Received>) => void;
  readonly reject: (error: unknown) => void;
}

class Exchange {
  readonly #sending: Sending;
  readonly #request: ClientRequest;
  readonly #phases: () => Phases;
  readonly #handshake: () => TlsFacts | undefined;
  readonly #isResolving: () => boolean;
  readonly #isUnanswered: () => boolean;
  readonly #startedAt: number;
  #deadline: NodeJS.Timeout | undefined;
  #answered = false;
  #failed = false;

  constructor(sending: Sending) {
    const { connection, outgoing, where } = sending;
    this.#sending = sending;
    this.#request = prepare(connection, outgoing, where);
    this.#phases = stopwatch(this.#request);
    this.#handshake = handshakeOf(this.#request);
    const hostname = connection.socketPath === undefined ? connection.origin.hostname : undefined;
    this.#isResolving = resolvingOf(this.#request, hostname);
    this.#startedAt = performance.now();
    this.#isUnanswered = unansweredOn(this.#request);
  }

  begin(): void {
    const { timeoutMs } = this.#sending.connection;
    this.#deadline = setTimeout(() => this.#fail(this.#timeout()), timeoutMs);
    this.#request.on('error', (error) => this.#fail(error));
    this.#request.on('upgrade', (response, socket) => {
      socket.destroy();
      this.#onUpgrade(response);
    });
    this.#request.on('response', (response) => this.#onResponse(response));
    this.#request.end(bodyOf(this.#sending.outgoing));
  }

  #timeout(): Unreachable {
    const { connection, where } = this.#sending;
    const reason = this.#isResolving() ? 'dns' : 'timeout';
    return new Unreachable(reason, where, `${connection.timeoutMs} ms`);
  }

  #onUpgrade({ httpVersion, rawHeaders }: IncomingMessage): void {
    const { outgoing, resolve } = this.#sending;
    if (outgoing.headers.some(([name]) => name === 'Upgrade')) {
      // A request for another protocol is answered by the 101 itself: it has no body.
      clearTimeout(this.#deadline);
      const [headers, body] = [pairs(rawHeaders), Buffer.alloc(0)];
      resolve({ status: 101, httpVersion, headers, body, phases: this.#phases() });
    } else this.#fail(this.#unasked());
  }

  #onResponse(response: IncomingMessage): void {
    const { connection, where } = this.#sending;
    this.#answered = true;
    if (response.statusCode === 101) this.#fail(this.#unasked());
    else
      receive(response, connection.maxBodyBytes, where, this.#phases).then(
        (received) => this.#end(received),
        (error: unknown) => this.#fail(error),
      );
  }

  #end(received: Received): void {
    clearTimeout(this.#deadline);
    if (this.#sending.outgoing.agent === undefined) this.#request.destroy();
    const tlsFacts = this.#handshake();
    this.#sending.resolve(tlsFacts === undefined ? received : { ...received, tls: tlsFacts });
  }

  #unasked(): Unreachable {
    return new Unreachable('protocol', this.#sending.where, 'an upgrade');
  }

  #fail(error: unknown): void {
    // A caller that abandons a request gets a connection reset a moment later.
    if (this.#failed) return;
    this.#failed = true;
    clearTimeout(this.#deadline);
    this.#request.destroy();
    const { where, resolve, reject } = this.#sending;
    const answered = this.#answered;
    const handshaking = !answered && isHandshaking(this.#request);
    const failure = unreachableOf(error, where, { answered, handshaking });
    if (failure instanceof Unreachable) {
      if (failure.reason === 'reset' && this.#isUnanswered()) resolve(this.#again());
      else reject(withHandshake(failure, this.#handshake()));
    } else reject(failure);
  }

  /** The same request over a new connection, in the time that is left. */
  #again(): Promise<Received> {
    const { connection, outgoing, where } = this.#sending;
    const elapsedMs = performance.now() - this.#startedAt;
    const timeoutMs = Math.max(1, connection.timeoutMs - elapsedMs);
    return exchange({ ...connection, timeoutMs }, outgoing, where);
  }
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
  const options: https.RequestOptions & Pick<tls.ConnectionOptions, 'secureContext'> = {
    ...(connection.socketPath === undefined
      ? addressOf(origin)
      : { socketPath: connection.socketPath }),
    method,
    path,
    headers: headers.flat(),
    agent: outgoing.agent ?? false,
    // No variable of the environment may loosen this.
    rejectUnauthorized: true,
    secureContext: secure ? secureContextFor(connection.ca) : undefined,
    lookup: connection.lookup,
    signal: connection.signal,
  };
  const request = (secure ? https : http).request(options);
  const line = ` HTTP/${outgoing.version ?? '1.1'}\r\n`;
  if (outgoing.version === '1.0' || outgoing.method !== request.method)
    request.once('socket', (socket) => correctFirstLine(socket, request, outgoing.method, line));
  return request;
}

const addressOf = ({ hostname, port, protocol }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
});

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

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : [],
  );
