import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import type tls from 'node:tls';
import { http, type TunnelOption, throughTunnel } from './agents.ts';
import type { Phases, TlsFacts } from './answer.ts';
import type { AttemptTimeout, Connection } from './connection.ts';
import { isOfTheProxy, refusedWith } from './proxy.ts';
import { pairs, type Received, receive } from './received.ts';
import { bodyOf, encodeRequest, type HttpRequest } from './request-encoding.ts';
import { resolvingOf } from './resolving.ts';
import { forwarded, type Route, routeTo } from './route.ts';
import { stopwatch } from './stopwatch.ts';
import { handshakeOf, isHandshaking, secureContextFor } from './tls.ts';
import { Unreachable, unreachableOf } from './unreachable.ts';

/**
 * Sends one request and reads its whole answer: no redirect, no fallback, no retry. There are two exceptions: either
 * side may close a kept connection at any time (RFC 9112 9.5). If that happens before the first byte of the answer,
 * the request is sent over a new connection. And if Node gave up an address of the name early, so that nothing was
 * sent, it is tried once more with more time.
 * @param where names the request in errors; it must hold no secret
 * @throws Unreachable when there is no complete answer within the limits
 * @throws Unsendable
 */
export function exchange(
  connection: Connection,
  outgoing: HttpRequest,
  where: string,
): Promise<Received> {
  return send({ connection, outgoing, where, startedAt: performance.now() });
}

function send(sending: Omit<Sending, 'route' | 'resolve' | 'reject'>): Promise<Received> {
  return new Promise((resolve, reject) => {
    const route = routeTo(sending.connection, sending.where);
    new Exchange({ ...sending, route, resolve, reject }).begin();
  });
}

/** One request with its route and its result. */
interface Sending {
  readonly connection: Connection;
  readonly outgoing: HttpRequest;
  readonly route: Route;
  readonly where: string;
  /** When it was first sent, by performance.now: from then on its time limit counts. */
  readonly startedAt: number;
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
  #deadline: NodeJS.Timeout | undefined;
  #answered = false;
  #isRead = false;
  #failed = false;

  constructor(sending: Sending) {
    const { tunnel, resolves } = sending.route;
    this.#sending = sending;
    this.#request = prepare(sending);
    this.#phases = stopwatch(this.#request);
    this.#handshake = handshakeOf(this.#request);
    this.#isResolving =
      tunnel === undefined ? resolvingOf(this.#request, resolves) : () => tunnel.isResolving();
    this.#isUnanswered = unansweredOn(this.#request);
  }

  begin(): void {
    this.#deadline = setTimeout(() => this.#fail(this.#timeout()), this.#remainingMs());
    this.#request.on('error', (error) => {
      // Once the answer is complete, the connection may break: its body is still being decompressed.
      if (!this.#isRead) this.#fail(error);
    });
    this.#request.on('upgrade', (response, socket) => {
      socket.destroy();
      this.#onUpgrade(response);
    });
    this.#request.on('response', (response) => this.#onResponse(response));
    this.#request.end(bodyOf(this.#sending.outgoing));
  }

  #remainingMs(): number {
    const { connection, startedAt } = this.#sending;
    return Math.max(1, startedAt + connection.timeoutMs - performance.now());
  }

  #timeout(): Unreachable {
    const { connection, route } = this.#sending;
    const reason = this.#isResolving() ? 'dns' : 'timeout';
    return new Unreachable(reason, route.where, `${connection.timeoutMs} ms`);
  }

  #onUpgrade({ httpVersion, rawHeaders }: IncomingMessage): void {
    const { outgoing, resolve } = this.#sending;
    if (outgoing.headers.some(([name]) => name === 'Upgrade')) {
      // A 101 is the answer to a request for another protocol, and has no body.
      clearTimeout(this.#deadline);
      const headers = pairs(rawHeaders);
      const body = Buffer.alloc(0);
      resolve({ status: 101, httpVersion, headers, body, phases: this.#phases() });
    } else this.#fail(this.#unasked());
  }

  #onResponse(response: IncomingMessage): void {
    const { connection, route } = this.#sending;
    this.#answered = true;
    response.once('end', () => {
      this.#isRead = true;
    });
    if (response.statusCode === 101) this.#fail(this.#unasked());
    else
      receive(response, connection.maxBodyBytes, route.where, this.#phases).then(
        (received) => this.#end(received),
        (error: unknown) => this.#fail(error),
      );
  }

  #end(received: Received): void {
    const { forwards, where } = this.#sending.route;
    if (forwards !== undefined && isOfTheProxy(received)) {
      this.#fail(new Unreachable('connect', where, refusedWith(received.status)));
      return;
    }
    clearTimeout(this.#deadline);
    // After an early answer, the rest of the request would occupy a kept connection.
    if (this.#sending.outgoing.agent === undefined || !this.#request.writableFinished)
      this.#request.destroy();
    const tlsFacts = this.#handshake();
    this.#sending.resolve(tlsFacts === undefined ? received : { ...received, tls: tlsFacts });
  }

  #unasked(): Unreachable {
    return new Unreachable('protocol', this.#sending.route.where, 'an upgrade');
  }

  #fail(error: unknown): void {
    // After an abort Node also reports a connection reset a moment later.
    if (this.#failed) return;
    this.#failed = true;
    clearTimeout(this.#deadline);
    this.#request.destroy();
    const { route, resolve, reject } = this.#sending;
    const answered = this.#answered;
    const handshaking = !answered && isHandshaking(this.#request);
    const failure = unreachableOf(error, route.where, { answered, handshaking });
    if (failure instanceof Unreachable) {
      if (failure.reason === 'reset' && this.#isUnanswered()) resolve(this.#again());
      else if (this.#gaveUpEarly(error)) resolve(this.#again({ isPatient: true }));
      else {
        failure.tls = this.#handshake();
        reject(failure);
      }
    } else reject(failure);
  }

  /** Whether no address could be connected to, and one of them had less than the whole time. */
  #gaveUpEarly(error: unknown): boolean {
    return (
      this.#sending.connection.attemptMs === undefined &&
      error instanceof AggregateError &&
      error.errors.some(({ code }) => code === 'ETIMEDOUT')
    );
  }

  /**
   * The same request over a new connection, within the remaining time.
   * @param isPatient whether an address may take half of that time
   */
  #again({ isPatient = false } = {}): Promise<Received> {
    const { connection, outgoing, where, startedAt } = this.#sending;
    const attemptMs = isPatient ? Math.ceil(this.#remainingMs() / 2) : connection.attemptMs;
    return send({ connection: { ...connection, attemptMs }, outgoing, where, startedAt });
  }
}

/** Whether a request used a kept connection, and has received no byte on it. */
function unansweredOn(request: ClientRequest): () => boolean {
  let used: net.Socket | undefined;
  let bytesBefore = 0;
  request.once('socket', (socket) => {
    used = socket;
    bytesBefore = socket.bytesRead;
  });
  return () => request.reusedSocket && used?.bytesRead === bytesBefore;
}

function prepare({ connection, outgoing, route, where }: Sending): ClientRequest {
  const { origin } = connection;
  const { address, tunnel, forwards } = route;
  const secure = origin.protocol === 'https:';
  const toSend = forwards === undefined ? outgoing : forwarded(outgoing, origin, forwards);
  const { method, path, headers } = encodeRequest(origin, toSend, where);
  const options: https.RequestOptions &
    TunnelOption &
    AttemptTimeout &
    Pick<tls.ConnectionOptions, 'secureContext'> = {
    ...address,
    tunnel,
    method,
    path,
    headers: headers.flat(),
    agent: outgoing.agent ?? (tunnel === undefined ? false : throughTunnel()),
    // No environment variable may weaken this.
    rejectUnauthorized: true,
    secureContext: secure ? secureContextFor(connection.ca) : undefined,
    // A server is named without the trailing dot (RFC 6066 3): Go's servers refuse it.
    servername: origin.hostname.endsWith('.') ? origin.hostname.slice(0, -1) : undefined,
    lookup: connection.lookup,
    autoSelectFamilyAttemptTimeout: connection.attemptMs,
    signal: connection.signal,
  };
  const request = (secure ? https : http).request(options);
  // Node would drop the headers after the thousandth, such as Content-Encoding. Their size is limited all the same.
  request.maxHeadersCount = 0;
  const line = ` HTTP/${outgoing.version ?? '1.1'}\r\n`;
  if (outgoing.version === '1.0' || outgoing.method !== request.method)
    request.once('socket', (socket) => correctFirstLine(socket, request, outgoing.method, line));
  return request;
}

/** node:http writes HTTP/1.1 and a method in capitals into every request: this corrects the first line. */
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

/** A gateway sends such an answer instead of the service: it is not judged. */
export function refuseOutage({ status }: Received, where: string): void {
  if (status === 502 || status === 503 || status === 504)
    throw new Unreachable('unavailable', where, `status ${status}`);
}
