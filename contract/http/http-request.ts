import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { open, Secret, seal } from '../secrets/secret.ts';
import { acceptEncoding } from './answer.ts';
import {
  apiPrefix,
  type Body,
  type Call,
  endpointName,
  type Headers,
  querySign,
  withDefaults,
} from './request.ts';
import { UnprovenError } from './unreachable.ts';

export interface HttpRequest {
  /** Sent unchanged, also in lower case. */
  readonly method: string;
  readonly path: string | Secret;
  /** `Host` replaces the origin's. */
  readonly headers: Headers;
  readonly body?: string | Secret | Buffer;
  readonly version?: '1.0';
  readonly chunked?: boolean;
  /** A connection that is kept between requests; without it each request has its own. */
  readonly agent?: Agent;
}

export const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

const userAgent = `public-api-contract/${version}`;

/** A call as it is sent, and what its client remembers of it. @throws UnprovenError for what cannot be written as HTTP */
export function prepareRequest(origin: URL, call: Call) {
  if (!call.path.startsWith(apiPrefix))
    throw new Error(`VERSION-1: ${call.path} is not below ${apiPrefix}`);
  const base = origin.pathname.replace(/\/$/, '');
  const path = (call.absolute ? origin.origin : '') + base + call.path;
  const { type, text: body } = encodedBody(call.body);
  const { method, query, version, chunked, authorization = [], headers: own = {} } = call;
  const tokens = [authorization].flat().map((value) => ['Authorization', value] as const);
  // A trace (W3C Trace Context) that is not *sampled*: providers would record a span for each request.
  const [trace, span] = [randomBytes(16), randomBytes(8)].map((bytes) => bytes.toString('hex'));
  const traceparent = ['traceparent', `00-${trace}-${span}-00`] as const;
  const usual = given([
    ['Accept', 'application/json'],
    ['Accept-Encoding', acceptEncoding],
    ['User-Agent', userAgent],
    ['Content-Type', type],
    traceparent,
  ]).filter(([name]) => !call.without?.some((unwanted) => unwanted === name));
  const headers = withDefaults([...tokens, ...Object.entries(own)], usual);
  const target = query === undefined ? path : seal`${path}${querySign(call.path)}${query}`;
  const request: HttpRequest = { method, path: target, headers, body, version, chunked };
  const values = headers.map(([, value]) => value);
  if (!values.every((value) => fitsHeader(text(value))))
    throw new UnprovenError(`${endpointName(call)}: control characters cannot stand in a header`);
  return {
    request,
    /** The id of its trace; undefined without a trace of ours. */
    trace: headers.some(([, value]) => value === traceparent[1]) ? trace : undefined,
    /** How long its path is, or the longest of its headers: characters. */
    longestLine: Math.max(target.length, ...values.map(({ length }) => length)),
    /** The secrets in it that the client must learn. */
    secrets: [target, body, ...values].flatMap((part) =>
      part instanceof Secret ? part.toLearn : [],
    ),
  };
}

const given = <Value>(headers: readonly (readonly [string, Value | undefined])[]) =>
  headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));

function encodedBody(body?: Body): { readonly type?: string; text?: HttpRequest['body'] } {
  if (body === undefined || 'text' in body) return body ?? {};
  return { type: 'application/json', text: sealedJson(body.json) };
}

/** JSON with the texts of secrets in it. */
function sealedJson(json: unknown): string | Secret {
  const secrets: Secret[] = [];
  const text = JSON.stringify(json, function (this: Record<string, unknown>, key, shown) {
    const value = this[key];
    if (!(value instanceof Secret)) return shown;
    secrets.push(value);
    return open(value);
  });
  if (secrets.length === 0) return text ?? '';
  const learn = secrets.flatMap(({ toLearn }) => toLearn);
  return new Secret(text, '[secret]', learn);
}

/** Whether a text is a header name (RFC 9110 5.1). */
export const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/** Whether a text can be a header value (RFC 9110 5.5): no control character except the tab, no lone surrogate. */
export const fitsHeader = (value: string): boolean =>
  !/[\0-\x08\x0a-\x1f\x7f]/.test(value) && value.isWellFormed();

/** Whether a token can follow `Bearer `. Characters outside of `b64token` (RFC 6750 2.1) are in use, and are sent. */
export const fitsBearer = (token: string): boolean =>
  fitsHeader(token) && /^[^\0-\x20]+$/.test(token);

/** What a finding expects instead of a token that does not fit. */
export const fittingToken = 'a token that can stand in an Authorization header';

/** The body of a request: a text is sent in UTF-8. */
export const encodeBody = ({ body }: HttpRequest): string | Buffer | undefined => text(body);

const text = <Plain>(value: Plain | Secret): Plain | string =>
  value instanceof Secret ? open(value) : value;

/** Encodes a header beyond Latin-1, which node:http refuses, in UTF-8. */
const encodeOctets = (value: string): string =>
  /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;

/** Whether a request without a body has `Content-Length: 0` (RFC 9110 8.6). */
export const encodesLength = (method: string): boolean =>
  !/^(GET|HEAD|OPTIONS|DELETE|CONNECT)$/.test(method);

/** The first line and the headers of a request as node:http expects them: texts are octets in Latin-1. */
export function encodeRequest(origin: URL, request: HttpRequest) {
  const { method, chunked } = request;
  const body = encodeBody(request);
  const hasLength = !chunked && (body !== undefined || encodesLength(method));
  const headers = given([
    ...withDefaults(request.headers, [['Host', origin.host]]),
    ['Transfer-Encoding', chunked ? 'chunked' : undefined],
    ['Content-Length', hasLength ? `${Buffer.byteLength(body ?? '')}` : undefined],
  ]);
  return {
    method,
    // Percent-encodes the characters that a path cannot hold.
    path: text(request.path)
      .toWellFormed()
      .replace(/[^\x21-\x7e]+/g, encodeURIComponent),
    headers: headers.map(([name, value]) => [name, encodeOctets(text(value))] as const),
  };
}
