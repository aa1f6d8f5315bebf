import type { ClientRequest, IncomingMessage } from 'node:http';
import type net from 'node:net';
import tls from 'node:tls';
import { decode, type Phases, type Received } from './answer.ts';
import { type Connection, openRequest } from './connections.ts';
import { encodeBody, type HttpRequest } from './http-request.ts';
import { toUnreachable, UnreachableError } from './unreachable.ts';

/**
 * Sends one request and reads its whole answer: no redirect, no retry. Only if a kept connection is closed before the
 * answer, the request is sent over a new one (RFC 9112 9.5).
 * @param where names the request in errors; it must hold no secret
 * @throws UnreachableError when there is no complete answer within the limits
 */
export async function exchange(
  connection: Connection,
  request: HttpRequest,
  where: string,
): Promise<Received> {
  const { origin, proxies, timeoutMs } = connection;
  const proxy = proxies?.(origin);
  const named = proxy ? `${where} through the proxy ${proxy.host}:${proxy.port}` : where;
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const sent = new Exchange(openRequest(request, connection), named);
    const deadline = setTimeout(
      () => sent.fail(new UnreachableError('timeout', named, `${timeoutMs} ms`)),
      endsAt - performance.now(),
    );
    try {
      return await sent.finish(request, connection.maxBodyBytes);
    } catch (error) {
      sent.request.destroy();
      const failure = sent.toUnreachable(error);
      const isReset = failure instanceof UnreachableError && failure.reason === 'reset';
      if (!isReset || !sent.request.reusedSocket) throw failure;
    } finally {
      clearTimeout(deadline);
    }
  }
}

/** One request on its way, and what was observed of it. */
class Exchange {
  readonly request: ClientRequest;
  readonly #where: string;
  readonly #failed = Promise.withResolvers<never>();
  readonly fail = this.#failed.reject;
  #answered = false;
  #certificate: Received['certificate'];
  /** Through a tunnel, `connect` lasts until the handshake with the provider has ended. */
  readonly #phases = { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 };
  /** When the last of them ended, on the monotonic clock: changes of the wall clock have no effect. */
  #endedAt = performance.now();

  constructor(request: ClientRequest, where: string) {
    this.request = request;
    this.#where = where;
    request.on('socket', (socket) => this.#observe(socket));
    request.on('error', this.fail);
  }

  /** Sends the request and reads the answer. @throws what `toUnreachable` converts */
  async finish(outgoing: HttpRequest, maxBodyBytes: number): Promise<Received> {
    const { request } = this;
    const responded = new Promise<IncomingMessage>((resolve) => {
      request.on('response', resolve);
      request.on('upgrade', (upgraded, socket) => {
        socket.destroy();
        resolve(upgraded);
      });
    });
    request.end(encodeBody(outgoing));
    const response = await Promise.race([responded, this.#failed.promise]);
    this.#end('processing');
    this.#answered = true;
    const { statusCode: status = 0, rawHeaders } = response;
    const isUpgrade = status === 101;
    // A 101 is the answer to a request for another protocol, and has no body.
    if (isUpgrade && !outgoing.headers.some(([name]) => name === 'Upgrade'))
      throw new UnreachableError('protocol', this.#where, 'an upgrade');
    const reading = isUpgrade ? [] : this.#read(response, maxBodyBytes);
    const raw = Buffer.concat(await Promise.race([reading, this.#failed.promise]));
    this.#end('transfer');
    const body = await decode(raw, response.headers['content-encoding'], maxBodyBytes, this.#where);
    // After an early answer, the rest of the request would occupy a kept connection.
    if (!request.shouldKeepAlive || !request.writableFinished) request.destroy();
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    );
    return { status, headers, body, phases: this.#phases, certificate: this.#certificate };
  }

  async #read(response: IncomingMessage, maxBytes: number): Promise<readonly Buffer[]> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new UnreachableError('too-large', this.#where, `over ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return chunks;
  }

  /** The `UnreachableError` for an error of this request; an error of another kind is returned unchanged. */
  toUnreachable(error: unknown): unknown {
    const { socket } = this.request;
    const answered = this.#answered;
    const handshaking = !answered && socket instanceof tls.TLSSocket && !socket.authorized;
    const failure = toUnreachable(error, this.#where, { answered, handshaking });
    if (failure instanceof UnreachableError) failure.certificate = this.#certificate;
    return failure;
  }

  #observe(socket: net.Socket): void {
    // A kept connection has no such phases, and each of its requests would add a listener.
    if (this.request.reusedSocket) return;
    const readCertificate = (): void => {
      // Not getPeerX509Certificate(): after it, Node 24 finds no name in the certificate, and rejects a valid one.
      const shown = socket instanceof tls.TLSSocket ? socket.getPeerCertificate(true) : undefined;
      if (shown?.raw !== undefined) this.#certificate = shown;
    };
    if (!socket.connecting) {
      // The tunnel of a proxy is ready for the request when Node hands it over.
      readCertificate();
      this.#end('connect');
      return;
    }
    // Before Node verifies the certificates, so that the end of an expired one is known too.
    socket.prependOnceListener('secure', readCertificate);
    socket.once('lookup', () => this.#end('resolve'));
    socket.once('connect', () => this.#end('connect'));
    socket.once('secureConnect', () => this.#end('tls'));
  }

  #end(phase: keyof Phases): void {
    const now = performance.now();
    this.#phases[phase] = (now - this.#endedAt) / 1000;
    this.#endedAt = now;
  }
}
