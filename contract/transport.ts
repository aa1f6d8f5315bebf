import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Phases } from './answer.ts';
import { open, Secret } from './secret.ts';
import { type Reason, reasonOf, Unreachable } from './unreachable.ts';

/** Where requests go, and what bounds them. */
export interface Wire {
  readonly origin: URL;
  /** Bound on the whole exchange, from the look-up of the name to the last byte. */
  readonly timeoutMs: number;
  /** Bound on a body after decompression. */
  readonly maxBodyBytes: number;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
}

/** One request exactly as it shall stand on the wire. */
export interface Shot {
  readonly method: string;
  readonly path: string | Secret;
  readonly headers: readonly (readonly [string, string | Secret])[];
  readonly body?: string | Secret;
  readonly version?: '1.0' | '1.1';
  readonly chunked?: boolean;
  /** A connection kept from one request to the next; without it each request has one of its own. */
  readonly agent?: http.Agent;
}

/** What came back, before anybody has looked at it. */
export interface Received {
  readonly status: number;
  readonly httpVersion: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly phases: Phases;
}

const text = (value: string | Secret): string => (value instanceof Secret ? open(value) : value);

/**
 * Sends one request and reads its whole answer: no redirect, no retry, no fallback.
 * @param where names the request in errors; it must hold no secret
 * @throws Unreachable when there is no complete answer within the bounds
 */
export function exchange(wire: Wire, shot: Shot, where: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = prepare(wire, shot);
    const phases = stopwatch(request);
    let answered = false;
    const fail = (error: unknown): void => {
      clearTimeout(deadline);
      request.destroy();
      reject(error instanceof Unreachable ? error : unreachable(error, where, answered, request));
    };
    const deadline = setTimeout(
      () => fail(new Unreachable('timeout', where, `${wire.timeoutMs} ms`)),
      wire.timeoutMs,
    );
    request.on('error', fail);
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new Unreachable('protocol', where, 'an upgrade'));
    });
    request.on('response', (response) => {
      answered = true;
      readBody(response, wire.maxBodyBytes, where).then((body) => {
        clearTimeout(deadline);
        resolve({
          status: response.statusCode ?? 0,
          httpVersion: response.httpVersion,
          headers: pairs(response.rawHeaders),
          body,
          phases: phases(),
        });
      }, fail);
    });
    request.end(shot.body === undefined ? undefined : text(shot.body));
  });
}

function prepare(wire: Wire, shot: Shot): http.ClientRequest {
  const { origin } = wire;
  const secure = origin.protocol === 'https:';
  const host = origin.hostname.replace(/^\[|\]$/g, '');
  const body = shot.body === undefined ? undefined : text(shot.body);
  const length: [string, string][] =
    shot.chunked === true
      ? [['Transfer-Encoding', 'chunked']]
      : body === undefined && /^(GET|HEAD|OPTIONS|DELETE)$/.test(shot.method)
        ? []
        : [['Content-Length', String(Buffer.byteLength(body ?? ''))]];
  const headers = [['Host', origin.host] as const, ...shot.headers, ...length];
  return (secure ? https : http).request({
    host,
    port: origin.port === '' ? (secure ? 443 : 80) : Number(origin.port),
    method: shot.method,
    path: text(shot.path),
    headers: headers.flatMap(([name, value]) => [name, text(value)]),
    agent: shot.agent ?? false,
    ...(wire.ca === undefined ? {} : { ca: wire.ca }),
    ...(shot.version === '1.0'
      ? { createConnection: (options: object) => speakingHttp10(secure, options) }
      : {}),
  });
}

/** node:http writes HTTP/1.1 into every request; on this connection the first line is corrected as it passes. */
function speakingHttp10(secure: boolean, options: object): net.Socket {
  const socket = secure ? tls.connect(options) : net.connect(options as net.NetConnectOpts);
  const write = socket.write;
  socket.write = (chunk: unknown, ...rest: unknown[]) => {
    socket.write = write;
    return Reflect.apply(write, socket, [
      String(chunk).replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n'),
      ...rest,
    ]);
  };
  return socket;
}

const decoders = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
};

/** Reads at most so many bytes, before and after decompression. An empty body (HEAD, 204, 304) has nothing to decompress. */
async function readBody(
  response: http.IncomingMessage,
  maxBytes: number,
  where: string,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw new Unreachable('too-large', where, `over ${maxBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  const body = Buffer.concat(chunks);
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? '';
  if (bytes === 0 || !Object.hasOwn(decoders, encoding)) return body;
  return decoders[encoding as keyof typeof decoders](body, { maxOutputLength: maxBytes });
}

function unreachable(
  error: unknown,
  where: string,
  answered: boolean,
  request: http.ClientRequest,
): unknown {
  if (!(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const handshaking =
    request.socket instanceof tls.TLSSocket && !request.socket.authorized && !answered;
  const reason: Reason | undefined =
    handshaking && /^(ECONNRESET|EPROTO)/.test(code) ? 'tls' : reasonOf(code, answered);
  return reason === undefined ? error : new Unreachable(reason, where, code);
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : [],
  );

/**
 * Takes the times of an exchange on the monotonic clock, to the microsecond: a step of the wall clock moves nothing.
 * @returns reads them; to be called when the body has ended
 */
function stopwatch(request: http.ClientRequest): () => Phases {
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
