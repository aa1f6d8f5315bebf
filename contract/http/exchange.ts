import { X509Certificate } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type net from 'node:net';
import tls from 'node:tls';
import { memoize } from '../remembering.ts';
import { decode, type Phases, type Received, readBody } from './answer.ts';
import { type Connection, openRequest } from './connections.ts';
import { encodeBody, type HttpRequest } from './http-request.ts';
import { withDefaults } from './request.ts';
import { type TlsFacts, toUnreachable, UnreachableError } from './unreachable.ts';

/**
 * Sends one request and reads its whole answer: no redirect, no retry. Only if a kept connection is closed before the
 * answer, the request is sent over a new one (RFC 9112 9.5).
 * @param where names the request in errors; it must hold no secret
 * @throws UnreachableError when there is no complete answer within the limits @throws UnprovenError
 */
export async function exchange(
  connection: Connection,
  request: HttpRequest,
  where: string,
): Promise<Received> {
  const { origin, proxies, timeoutMs, headers = [] } = connection;
  const outgoing = { ...request, headers: withDefaults(request.headers, headers) };
  const proxy = proxies?.(origin);
  const named = proxy ? `${where} through the proxy ${proxy.host}:${proxy.port}` : where;
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const sent = new Exchange(outgoing, connection, named);
    const deadline = setTimeout(
      () => sent.fail(new UnreachableError('timeout', named, `${timeoutMs} ms`)),
      endsAt - performance.now(),
    );
    try {
      return await sent.received;
    } catch (error) {
      const failure = sent.toUnreachable(error);
      const isReset = failure instanceof UnreachableError && failure.reason === 'reset';
      if (!isReset || !sent.request.reusedSocket) throw failure;
    } finally {
      clearTimeout(deadline);
    }
  }
}

/** What the handshake of each connection showed: to read the certificates costs as much as a request. */
const handshakes = new WeakMap<net.Socket, TlsFacts>();

/** One request on its way, and what was observed of it. */
class Exchange {
  readonly #connection: Connection;
  readonly #where: string;
  readonly request: ClientRequest;
  readonly #result = Promise.withResolvers<Received>();
  /** @throws what `toUnreachable` converts */
  readonly received = this.#result.promise;
  /** What the handshake showed, also one of an earlier request on the same connection. */
  #tls: TlsFacts | undefined;
  /** Those that have ended. Through a tunnel, `connect` lasts until the handshake with the provider has ended. */
  readonly #phases: { -readonly [name in keyof Phases]?: number } = {};
  /** When the last of them ended, on the monotonic clock: changes of the wall clock have no effect. */
  #endedAt = performance.now();

  /** @throws UnprovenError @throws OpenSSL's errors */
  constructor(outgoing: HttpRequest, connection: Connection, where: string) {
    this.#connection = connection;
    this.#where = where;
    const request = openRequest(outgoing, connection, where);
    this.request = request;
    request.on('socket', (socket) => this.#observe(socket));
    request.on('error', (error) => {
      // Once the answer is complete, the connection may break: its body is still being decompressed.
      if (this.#phases.transfer === undefined) this.fail(error);
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      // A 101 is the answer to a request for another protocol, and has no body.
      if (outgoing.headers.some(([name]) => name === 'Upgrade'))
        this.#answer(response, Buffer.alloc(0));
      else this.fail(new UnreachableError('protocol', where, 'an upgrade'));
    });
    request.on('response', (response) => {
      this.#read(response).catch((error: unknown) => this.fail(error));
    });
    request.end(encodeBody(outgoing));
  }

  /** The `UnreachableError` for an error of this request; an error of another kind is returned unchanged. */
  toUnreachable(error: unknown): unknown {
    const { socket } = this.request;
    const answered = this.#phases.processing !== undefined;
    const handshaking = !answered && socket instanceof tls.TLSSocket && !socket.authorized;
    const failure = toUnreachable(error, this.#where, { answered, handshaking });
    if (failure instanceof UnreachableError) failure.tls = this.#tls;
    return failure;
  }

  fail(error: unknown): void {
    this.request.destroy();
    this.#result.reject(error);
  }

  #observe(socket: net.Socket): void {
    // A kept connection has no such phases, and each of its requests would add a listener.
    if (socket.connecting) {
      // Before Node verifies the certificates, so that the end of an expired one is known too.
      socket.prependOnceListener('secure', () => this.#readHandshake(socket));
      socket.once('lookup', () => this.#end('resolve'));
      socket.once('connect', () => this.#end('connect'));
      socket.once('secureConnect', () => this.#end('tls'));
      return;
    }
    this.#readHandshake(socket);
    // The tunnel of a proxy is ready for the request when Node hands it over.
    if (!this.request.reusedSocket) this.#end('connect');
  }

  #readHandshake(socket: net.Socket): void {
    this.#tls = handshakes.get(socket);
    if (!(socket instanceof tls.TLSSocket) || this.#tls !== undefined) return;
    // Not getPeerX509Certificate(): after it, Node 24 finds no name in the certificate, and rejects a valid one.
    const certificate = socket.getPeerCertificate(true);
    if (certificate.raw === undefined) return;
    this.#tls = findExpiries(certificate, this.#connection);
    handshakes.set(socket, this.#tls);
  }

  async #read(response: IncomingMessage): Promise<void> {
    this.#end('processing');
    response.once('end', () => this.#end('transfer'));
    const { statusCode, headers } = response;
    if (statusCode === 101) throw new UnreachableError('protocol', this.#where, 'an upgrade');
    const { maxBodyBytes } = this.#connection;
    const raw = await readBody(response, maxBodyBytes, this.#where);
    const coding = headers['content-encoding'];
    this.#answer(response, await decode(raw, coding, maxBodyBytes, this.#where));
    // After an early answer, the rest of the request would occupy a kept connection.
    if (!this.request.shouldKeepAlive || !this.request.writableFinished) this.request.destroy();
  }

  #answer({ statusCode: status = 0, rawHeaders }: IncomingMessage, body: Buffer): void {
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    );
    const none: Phases = { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 };
    const phases = { ...none, ...this.#phases };
    this.#result.resolve({ status, headers, body, phases, tls: this.#tls });
  }

  #end(phase: keyof Phases): void {
    const now = performance.now();
    this.#phases[phase] = (now - this.#endedAt) / 1000;
    this.#endedAt = now;
  }
}

/** What the certificates of the last handshake with a provider showed: to verify them takes longer than a request. */
const shown = new WeakMap<Connection, { readonly chain: string; readonly ends: TlsFacts }>();

/** The ends of the first certificate of a handshake to end, and of the first one of the chain to a trusted root. */
function findExpiries(certificate: tls.DetailedPeerCertificate, connection: Connection): TlsFacts {
  const sent = sentBy(certificate);
  const chain = sent.map(({ fingerprint256 }) => fingerprint256).join();
  const known = shown.get(connection);
  if (known?.chain === chain) return known.ends;
  const ends: number[] = [];
  let chainExpiry: number | undefined;
  for (const { raw } of sent) {
    const sent = new X509Certificate(raw);
    ends.push(expiresAt(sent));
    const root = trusted(connection.ca ?? '').find(
      ({ subject, publicKey }) => subject === sent.issuer && sent.verify(publicKey),
    );
    if (root !== undefined) chainExpiry ??= Math.min(...ends, expiresAt(root));
  }
  const read = { earliestExpiry: Math.min(...ends), chainExpiry };
  shown.set(connection, { chain, ends: read });
  return read;
}

const expiresAt = ({ validTo }: X509Certificate): number => Date.parse(validTo);

/** From the server's own certificate upwards. A self-signed certificate is its own issuer. */
function sentBy(certificate: tls.DetailedPeerCertificate): tls.DetailedPeerCertificate[] {
  const { issuerCertificate: issuer } = certificate;
  return [certificate, ...(issuer === undefined || issuer === certificate ? [] : sentBy(issuer))];
}

const trusted = memoize((ca: string): readonly X509Certificate[] => {
  const own = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return (own ?? tls.getCACertificates('default')).map((pem) => new X509Certificate(pem));
});
