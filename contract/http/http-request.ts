import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { joinParts, open, type Part, Secret, seal } from '../secrets/secret.ts';
import { acceptEncoding } from './answer-body.ts';
import type { HttpProxy } from './proxy.ts';
import {
  type Body,
  bodyToSend,
  type CallOptions,
  type Endpoint,
  joint,
  ownHeaders,
  prefix,
} from './request.ts';

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

/** The version of this suite. */
export const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/**
 * Who sends a request (RFC 9110 10.1.5): `public-api-contract/1.2.3 (+ops@example.com)`.
 * @param contact where the provider's operators may write to; a character that would end the comment is escaped
 */
export const userAgent = (contact: string | undefined): string =>
  `public-api-contract/${version}${contact === undefined ? '' : ` (+${contact.replace(/[()\\]/g, '\\$&')})`}`;

/**
 * A request in a random trace (W3C Trace Context), by whose id the provider's team finds it in their logs; unchanged if
 * it has its own trace or must not have one. The flag *sampled* is not set: it states that the caller records a span,
 * which this suite does not. It would also make providers record a span for each of a thousand requests.
 */
export function traced(
  request: HttpRequest,
  { without }: CallOptions,
): { readonly request: HttpRequest; readonly trace?: string } {
  const isOwn = request.headers.some(([name]) => name.toLowerCase() === 'traceparent');
  if (isOwn || without?.includes('traceparent')) return { request };
  const trace = randomBytes(16).toString('hex');
  const traceparent = `00-${trace}-${randomBytes(8).toString('hex')}-00`;
  return {
    trace,
    request: { ...request, headers: [...request.headers, ['traceparent', traceparent]] },
  };
}

/**
 * The request of a probe, as it is sent, without its trace.
 * @param origin the provider's address, which may carry a path prefix
 */
export function outgoingRequest(
  { origin, contact }: { readonly origin: URL; readonly contact?: string },
  to: Endpoint,
  options: CallOptions,
): HttpRequest {
  const { secretPath, query } = options;
  const isBelow = (path: string): boolean => path.startsWith(prefix);
  if (!isBelow(to.path) || secretPath?.is(isBelow) === false)
    throw new Error(`VERSION-1: ${secretPath ?? to.path} is not below ${prefix}`);
  const base = origin.pathname.replace(/\/$/, '');
  const absolute = origin.origin + base + to.path;
  const target = options.address === 'target' ? absolute : base + to.path;
  const path = secretPath === undefined ? target : seal`${base}${secretPath}`;
  const referer = { Referer: absolute, Origin: origin.origin };
  const { headers } = options;
  const chosen = options.address === 'Referer' ? { ...referer, ...headers } : headers;
  return {
    method: to.method,
    path: query === undefined ? path : seal`${path}${joint(to.path)}${query}`,
    headers: headersOf(to, { ...options, headers: chosen }, userAgent(contact)),
    body: contentOf(bodyToSend(to, options)),
    version: options.version,
    chunked: options.chunked,
  };
}

function headersOf(to: Endpoint, options: CallOptions, agent: string): HttpRequest['headers'] {
  const { authorization = [], headers = {}, without = [] } = options;
  const own = ownHeaders(to, options);
  const chosen = Object.entries(headers);
  const names = new Set(
    [...[...own, ...chosen].map(([name]) => name), ...without].map((name) => name.toLowerCase()),
  );
  const usual = Object.entries({
    Accept: 'application/json',
    'Accept-Encoding': acceptEncoding,
    'User-Agent': agent,
    ...typeOf(bodyToSend(to, options)),
  });
  return [
    ...usual.filter(([name]) => !names.has(name.toLowerCase())),
    ...[authorization].flat().map((value) => ['Authorization', value] as const),
    ...own,
    ...chosen,
  ];
}

function typeOf(body: Body | undefined): { readonly 'Content-Type'?: string } {
  if (body === undefined || 'bytes' in body) return {};
  return { 'Content-Type': 'json' in body ? 'application/json' : body.type };
}

function contentOf(body: Body | undefined): HttpRequest['body'] {
  if (body === undefined) return undefined;
  if ('text' in body) return body.text;
  return 'bytes' in body ? body.bytes : sealedJson(body.json);
}

/** Marks a secret in JSON. It is random, so that no JSON of a probe contains it. */
const mark = crypto.randomUUID();

/** JSON with the texts of secrets in it. */
function sealedJson(json: unknown): string | Secret {
  const secrets: Secret[] = [];
  const text = JSON.stringify(json, function (this: Record<string, unknown>, key, shown) {
    const value = this[key];
    return value instanceof Secret ? `${mark}${secrets.push(value) - 1}${mark}` : shown;
  });
  if (text === undefined || secrets.length === 0) return text ?? '';
  const parts = text.split(mark).map((part, index): Part => {
    const secret = index % 2 === 0 ? undefined : secrets[Number(part)];
    return secret?.derive((plain) => JSON.stringify(plain).slice(1, -1)) ?? part;
  });
  return joinParts(parts);
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

/** The body of a request: a text is sent in UTF-8. */
export const bodyOf = ({ body }: HttpRequest): string | Buffer | undefined =>
  body === undefined ? undefined : text(body);

const text = <Plain>(value: Plain | Secret): Plain | string =>
  value instanceof Secret ? open(value) : value;

/** Encodes a header beyond Latin-1, which node:http refuses, in UTF-8. */
const octetsOf = (value: string): string =>
  /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;

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
  const target = forwarder !== undefined && path.startsWith('/') ? origin.origin + path : path;
  return {
    method: request.method,
    // Percent-encodes the characters that a path cannot hold.
    path: target.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent),
    headers: headers.map(([name, value]) => [name, octetsOf(value)] as const),
  };
}
