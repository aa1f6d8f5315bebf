import type { ClientRequest, IncomingMessage } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import type { Phases, Received, TlsFacts } from './answer.ts';
import { decode, pairs, readBody } from './answer-body.ts';
import { type Connection, openRequest } from './connections.ts';
import { bodyOf, type HttpRequest } from './http-request.ts';
import { type HttpProxy, withoutBrackets } from './proxy.ts';
import { Unreachable, unreachableOf } from './unreachable.ts';

/**
 * Sends one request and reads its whole answer: no redirect, no fallback, no retry. There are two exceptions: either
 * side may close a kept connection at any time (RFC 9112 9.5). If that happens before the first byte of the answer,
 * the request is sent over a new connection. And if Node gave up an address of the name after 250 ms, so that nothing
 * was sent, it is tried once more with more time.
 * @param where names the request in errors; it must hold no secret
 * @throws Unreachable when there is no complete answer within the limits
 * @throws Unsendable
 */
export async function exchange(
  connection: Connection,
  request: HttpRequest,
  where: string,
): Promise<Received> {
  const endsAt = performance.now() + connection.timeoutMs;
  for (let attemptMs: number | undefined; ; ) {
    const sent = new Exchange(connection, request, where, { endsAt, attemptMs });
    try {
      return await sent.received();
    } catch (error) {
      if (sent.gaveUpEarly && attemptMs === undefined) attemptMs = (endsAt - performance.now()) / 2;
      else if (!sent.lostKeptConnection) throw error;
    }
  }
}

/** The time limits of one try. */
interface Limits {
  /** When the time of all tries is over, by performance.now. */
  readonly endsAt: number;
  /** How long (milliseconds) each address of a name but the last may take to connect: by default Node's 250 ms. */
  readonly attemptMs?: number;
}

/** One request on its way, and what was observed of it. */
class Exchange {
  /** Whether a kept connection broke before the first byte of the answer. */
  lostKeptConnection = false;
  /** Whether no address could be connected to, and one of them had less than the whole time. */
  gaveUpEarly = false;
  /** Whether the name is being looked up: a timeout during that is a DNS failure. */
  #isResolving = false;
  #isAnswered = false;
  /** Whether the whole body has arrived. */
  #isRead = false;
  #isSettled = false;
  /** What the handshake showed, also one of an earlier request on the same connection. */
  #tls: TlsFacts | undefined;
  #bytesBefore = 0;
  // When the phases ended, on the monotonic clock: changes of the wall clock have no effect.
  readonly #startedAt = performance.now();
  #resolvedAt = this.#startedAt;
  #connectedAt = this.#startedAt;
  #securedAt = this.#startedAt;
  #answeredAt = this.#startedAt;
  readonly #connection: Connection;
  readonly #outgoing: HttpRequest;
  readonly #proxy: HttpProxy | undefined;
  readonly #where: string;
  readonly #request: ClientRequest;
  readonly #deadline: NodeJS.Timeout;
  readonly #result = Promise.withResolvers<Received>();

  constructor(connection: Connection, outgoing: HttpRequest, where: string, limits: Limits) {
    const { origin, socketPath, proxies } = connection;
    this.#connection = connection;
    this.#outgoing = outgoing;
    this.#proxy = socketPath === undefined ? proxies?.for(origin) : undefined;
    this.#where =
      this.#proxy === undefined
        ? where
        : `${where} through the proxy ${this.#proxy.host}:${this.#proxy.port}`;
    this.#request = openRequest(outgoing, connection, {
      where: this.#where,
      proxy: this.#proxy,
      attemptMs: limits.attemptMs,
    });
    this.#deadline = setTimeout(() => this.#onTimeout(), limits.endsAt - this.#startedAt);
  }

  /** @throws Unreachable */
  received(): Promise<Received> {
    this.#request.on('socket', (socket) => this.#onSocket(socket));
    this.#request.on('error', (error) => {
      // Once the answer is complete, the connection may break: its body is still being decompressed.
      if (!this.#isRead) this.#fail(error);
    });
    this.#request.on('upgrade', (response, socket) => {
      socket.destroy();
      this.#onUpgrade(response);
    });
    this.#request.on('response', (response) => {
      this.#onResponse(response).catch((error: unknown) => this.#fail(error));
    });
    this.#request.end(bodyOf(this.#outgoing));
    return this.#result.promise;
  }

  #onSocket(socket: net.Socket): void {
    this.#bytesBefore = socket.bytesRead;
    if (socket instanceof tls.TLSSocket) {
      if (socket.connecting)
        socket.prependOnceListener('secure', () => this.#readHandshake(socket));
      else this.#readHandshake(socket);
    }
    // A tunnel is ready for the request when Node hands it over.
    if (!socket.connecting && this.#proxy !== undefined && !this.#request.reusedSocket)
      this.#securedAt = this.#connectedAt = performance.now();
    // A kept connection has no such phases, and each of its requests would add a listener.
    if (!socket.connecting) return;
    this.#isResolving = this.#hasName();
    socket.once('lookup', () => {
      this.#isResolving = false;
      this.#securedAt = this.#connectedAt = this.#resolvedAt = performance.now();
    });
    socket.once('connect', () => {
      this.#securedAt = this.#connectedAt = performance.now();
    });
    socket.once('secureConnect', () => {
      this.#securedAt = performance.now();
    });
  }

  /** Whether a name is looked up: neither an address nor a socket file needs that. */
  #hasName(): boolean {
    const { origin, socketPath } = this.#connection;
    const host = withoutBrackets(this.#proxy?.host ?? origin.hostname);
    return socketPath === undefined && net.isIP(host) === 0;
  }

  /**
   * Reads the certificates before Node verifies them. So the end of an expired certificate is known too, and no byte
   * is sent to an untrusted provider.
   */
  #readHandshake(socket: tls.TLSSocket): void {
    // Not getPeerX509Certificate(): after it, Node 24 finds no name in the certificate, and rejects a valid one.
    const certificate = socket.getPeerCertificate(true);
    // A monkey patch: Node reads it again to verify it. Parsing it twice would noticeably slow down a request.
    socket.getPeerCertificate = () => certificate;
    const earliestExpiry = Math.min(...endsOf(certificate));
    const version = socket.getProtocol();
    if (version !== null && Number.isFinite(earliestExpiry))
      this.#tls = { version, earliestExpiry };
  }

  #onUpgrade({ httpVersion, rawHeaders }: IncomingMessage): void {
    if (this.#outgoing.headers.some(([name]) => name === 'Upgrade')) {
      // A 101 is the answer to a request for another protocol, and has no body.
      clearTimeout(this.#deadline);
      const [headers, body] = [pairs(rawHeaders), Buffer.alloc(0)];
      const phases = this.#phases();
      this.#result.resolve({ status: 101, httpVersion, headers, body, phases });
    } else this.#fail(new Unreachable('protocol', this.#where, 'an upgrade'));
  }

  async #onResponse(response: IncomingMessage): Promise<void> {
    this.#isAnswered = true;
    this.#answeredAt = performance.now();
    response.once('end', () => {
      this.#isRead = true;
    });
    const { statusCode: status = 0, httpVersion, rawHeaders } = response;
    if (status === 101) throw new Unreachable('protocol', this.#where, 'an upgrade');
    if (status === 407 && this.#proxy !== undefined)
      throw new Unreachable('connect', this.#where, 'the proxy answers 407');
    const { maxBodyBytes } = this.#connection;
    const raw = await readBody(response, maxBodyBytes, this.#where);
    const phases = this.#phases();
    const coding = response.headers['content-encoding'];
    const body = await decode(raw, coding, maxBodyBytes, this.#where);
    clearTimeout(this.#deadline);
    // After an early answer, the rest of the request would occupy a kept connection.
    if (this.#outgoing.agent === undefined || !this.#request.writableFinished)
      this.#request.destroy();
    const facts = this.#tls === undefined ? {} : { tls: this.#tls };
    const headers = pairs(rawHeaders);
    this.#result.resolve({ status, httpVersion, headers, body, phases, ...facts });
  }

  /** Seconds. Through a tunnel, `connect` lasts until the handshake with the provider has ended. */
  #phases(): Phases {
    return {
      resolve: (this.#resolvedAt - this.#startedAt) / 1000,
      connect: (this.#connectedAt - this.#resolvedAt) / 1000,
      tls: (this.#securedAt - this.#connectedAt) / 1000,
      processing: (this.#answeredAt - this.#securedAt) / 1000,
      transfer: (performance.now() - this.#answeredAt) / 1000,
    };
  }

  #onTimeout(): void {
    const detail = `${this.#connection.timeoutMs} ms`;
    this.#fail(new Unreachable(this.#isResolving ? 'dns' : 'timeout', this.#where, detail));
  }

  #fail(error: unknown): void {
    // After an abort Node also reports a connection reset a moment later.
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    const { socket, reusedSocket } = this.#request;
    const isHandshaking =
      !this.#isAnswered && socket instanceof tls.TLSSocket && !socket.authorized;
    const failure = unreachableOf(error, this.#where, {
      answered: this.#isAnswered,
      handshaking: isHandshaking,
    });
    if (failure instanceof Unreachable) {
      failure.tls = this.#tls;
      this.lostKeptConnection =
        failure.reason === 'reset' && reusedSocket && socket?.bytesRead === this.#bytesBefore;
      this.gaveUpEarly =
        error instanceof AggregateError && error.errors.some(({ code }) => code === 'ETIMEDOUT');
    }
    this.#request.destroy();
    this.#result.reject(failure);
  }
}

/** The ends of validity of a certificate and of its issuers. A self-signed certificate is its own issuer. */
function endsOf(certificate: tls.DetailedPeerCertificate): number[] {
  const { valid_to: end, issuerCertificate: issuer } = certificate;
  const above = issuer === undefined || issuer === certificate ? [] : endsOf(issuer);
  return [Date.parse(end), ...above];
}
