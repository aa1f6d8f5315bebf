import type { Agent, ClientRequest } from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import tls from 'node:tls';
import { remembering } from '../remembering.ts';
import { open, Secret } from '../secrets/secret.ts';
import { type Connection, http, newAgent } from './connections.ts';
import { type HttpProxy, portOf, withoutBrackets } from './proxy.ts';

/** One request exactly as it is sent. */
export interface HttpRequest {
  /** Sent unchanged, also in lower case. */
  readonly method: string;
  readonly path: string | Secret;
  /** `Host` replaces the origin's; an empty one is not sent. */
  readonly headers: readonly (readonly [string, string | Secret])[];
  readonly body?: string | Secret | Buffer;
  readonly version?: '1.0' | '1.1';
  readonly chunked?: boolean;
  /** A connection that is kept between requests; without it each request has its own. */
  readonly agent?: Agent;
}

/** A request that cannot be written as HTTP. Nothing was sent, so it proves nothing about the provider. */
export class Unsendable extends Error {
  constructor(where: string) {
    super(`${where}: control characters cannot stand in a header`);
    this.name = 'Unsendable';
  }
}

/** Whether a text is a header name (RFC 9110 5.1). */
export const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/** Whether a text can be a header value (RFC 9110 5.5): no control character except the tab, no lone surrogate. */
export const fitsHeader = (value: string): boolean =>
  !/[\0-\x08\x0a-\x1f\x7f]/.test(value) && value.isWellFormed();

/**
 * Whether a token can follow `Bearer ` (RFC 6750 2.1): it is not empty and has no white space and no control
 * character. Characters outside the RFC's `b64token` are in use, and are sent unchanged.
 */
export const fitsBearer = (token: string): boolean =>
  fitsHeader(token) && /^[^\0-\x20]+$/.test(token);

/**
 * Node accepts this number of characters in all headers together; other servers accept fewer. The contract does
 * not limit tokens (OPEN-8), so a longer one violates no clause. It is not sent.
 */
export const longestToken = 16_384;

/** What a finding expects instead of a token that does not fit. */
export const fittingToken = 'a token that can stand in an Authorization header';

const text = <Plain>(value: Plain | Secret): Plain | string =>
  value instanceof Secret ? open(value) : value;

const isWide = (text: string): boolean => /[^\0-\xff]/.test(text);

/** Encodes a header beyond Latin-1, which node:http refuses, in UTF-8. */
const octetsOf = (value: string): string =>
  isWide(value) ? Buffer.from(value).toString('latin1') : value;

/** Percent-encodes the characters that a path cannot hold. */
const sendable = (path: string): string =>
  path.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);

/** The body of a request: a text is sent in UTF-8. */
export const bodyOf = ({ body }: HttpRequest): string | Buffer | undefined =>
  body === undefined ? undefined : text(body);

/** Whether a request without a body has `Content-Length: 0` (RFC 9110 8.6). */
export const encodesLength = (method: string): boolean =>
  !/^(GET|HEAD|OPTIONS|DELETE|CONNECT)$/.test(method);

/** How long the path of a request is, or the longest of its headers: characters. */
export const longestOf = ({ path, headers }: HttpRequest): number =>
  headers.reduce((most, [, { length }]) => Math.max(most, length), path.length);

/** The secrets in a request that its client must learn. */
export const secretsIn = ({ path, headers, body }: HttpRequest): Secret[] =>
  [path, body, ...headers.map(([, value]) => value)].flatMap((part) =>
    part instanceof Secret ? part.toLearn : [],
  );

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

/**
 * The first line and the headers of a request as node:http expects them: texts are octets in Latin-1.
 * @param forwarder a proxy that forwards it: in absolute-form (RFC 9112 3.2.2), with the proxy's credentials
 * @throws Unsendable
 */
export function encodeRequest(
  origin: URL,
  request: HttpRequest,
  where: string,
  forwarder?: HttpProxy,
) {
  const body = bodyOf(request);
  const length: [string, string][] =
    request.chunked === true
      ? [['Transfer-Encoding', 'chunked']]
      : body === undefined && !encodesLength(request.method)
        ? []
        : [['Content-Length', String(Buffer.byteLength(body ?? ''))]];
  const host = request.headers.some(([name]) => name === 'Host') ? '' : origin.host;
  const credentials = forwarder?.authorization;
  const headers = [
    ['Host', host] as const,
    ...request.headers,
    ...(credentials === undefined ? [] : [['Proxy-Authorization', credentials] as const]),
    ...length,
  ]
    .map(([name, value]) => [name, text(value)] as const)
    .filter(([name, value]) => name !== 'Host' || value !== '');
  if (!headers.every(([, value]) => fitsHeader(value))) throw new Unsendable(where);
  const path = text(request.path);
  return {
    method: request.method,
    path: sendable(forwarder !== undefined && path.startsWith('/') ? origin.origin + path : path),
    headers: headers.map(([name, value]) => [name, octetsOf(value)] as const),
  };
}
