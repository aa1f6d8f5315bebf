import { isUtf8 } from 'node:buffer';
import { Secret, seal, type Token } from '../secrets/secret.ts';
import type { RequestSummary } from './answer.ts';

/** Where the token endpoint is, and what every path begins with. */
export const tokenPath = '/public-api/v1/auth/token';
export const prefix = '/public-api/v1/';

/** The methods that an endpoint may have. */
export const usualMethods: readonly string[] = 'GET HEAD POST PUT PATCH DELETE OPTIONS'.split(' ');

/** A protected endpoint, as its owner configures it: the contract names none. */
export interface Endpoint {
  readonly method: string;
  /** Below the base address; begins with `/public-api/v1/`, and may have a query. */
  readonly path: string;
  /** Sent with every call, unless the call itself sets the header. No secrets, and no Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with every call without a body, if the call uses the endpoint's method or one that takes a body. */
  readonly body?: Body;
  /** Deep probes run on it too, besides the first endpoint that changes nothing. */
  readonly deep?: true;
}

/** An endpoint as findings, reports and state metrics name it: `GET /public-api/v1/widgets`. */
export const endpointName = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method} ${path}`;

/** Whether its answers have a body to judge. */
export const hasBody = ({ method }: Pick<Endpoint, 'method'>): boolean => method !== 'HEAD';

/** The endpoint of a probe that runs once: the first whose answers have a body, if there is one. */
export const mainEndpoint = <One extends Endpoint>(endpoints: readonly [One, ...One[]]): One =>
  endpoints.find(hasBody) ?? endpoints[0];

export const tokenEndpoint: Endpoint = { method: 'POST', path: tokenPath };

/** The endpoint of findings that concern the service as a whole. */
export const tokenEndpointName = endpointName(tokenEndpoint);

/** All parts of a request that a probe may change. */
export interface CallOptions {
  readonly authorization?: string | Secret | readonly (string | Secret)[];
  /** The token inside `authorization`, so that findings can tell its age. */
  readonly token?: Token;
  readonly method?: string;
  readonly path?: string;
  /** Sent instead of the path, with a secret in it. It has the query of the endpoint, if there is one. */
  readonly secretPath?: Secret;
  /** Appended to the path, without the question mark. */
  readonly query?: Secret;
  readonly headers?: Readonly<Record<string, string | Secret>>;
  /** Headers that every request has, and this one lacks. */
  readonly without?: readonly ('Accept' | 'User-Agent' | 'traceparent')[];
  readonly body?: Body;
  readonly version?: '1.0';
  /** Whether the caller wants an answer of a status, even if it means "unavailable" or asks for a pause. */
  readonly accepts?: (status: number) => boolean;
  /** The provider may rightly reset odd requests: a reset is as good as a refusal, and one retry is enough. */
  readonly mayFail?: true;
  readonly chunked?: true;
  /** Where the absolute address is: in the request target, as for proxies (RFC 9112 3.2.2), or in Referer. */
  readonly address?: 'target' | 'Referer';
}

/** Whether a request has nothing special but a token under the scheme of this API, and a body. */
export function isPlain(options: CallOptions, token: Secret): boolean {
  const { authorization } = options;
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !ordinary.has(name)) return false;
  return authorization instanceof Secret && authorization.equals(seal`Bearer ${token}`);
}

const ordinary: ReadonlySet<string> = new Set(['authorization', 'token', 'body']);

/** A body and its media type, unless a header sets it. A JSON value may hold secrets. */
export type Body =
  | { readonly type: string; readonly text: string | Secret }
  | { readonly json: unknown }
  | { readonly bytes: Buffer | Secret };

/** The address of a call, and the parts of the endpoint's configuration that are sent with it. */
export function called(endpoint: Endpoint, options: CallOptions): Endpoint {
  const { headers, body } = endpoint;
  const method = options.method ?? endpoint.method;
  const path = options.path ?? endpoint.path;
  if (path.split('?')[0] === tokenPath) return { method, path };
  if (Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization'))
    throw new Error(
      `${method} ${path}: Authorization cannot be configured as an endpoint's header`,
    );
  const brings = method === endpoint.method || /^(POST|PUT|PATCH)$/.test(method);
  return {
    method,
    path,
    headers,
    ...(body === undefined || options.body !== undefined || !brings ? {} : { body }),
  };
}

/** The body of a call: its own, or the endpoint's. */
export const bodyToSend = (to: Endpoint, options: CallOptions): Body | undefined =>
  options.body ?? to.body;

/** The endpoint's own headers, except those that the call sets or that describe another body. */
export function ownHeaders(to: Endpoint, options: CallOptions): [string, string][] {
  const called = new Set(Object.keys(options.headers ?? {}).map((name) => name.toLowerCase()));
  return Object.entries(to.headers ?? {}).filter(
    ([name]) =>
      !called.has(name.toLowerCase()) && !(options.body !== undefined && /^content-/i.test(name)),
  );
}

/** The separator before a further parameter: the endpoint may have a query of its own. */
export const joint = (path: string): string => (path.includes('?') ? '&' : '?');

/**
 * The request as it may be shown. A secret inside a JSON body is shown as `[secret]`. Values of the endpoint's
 * own configuration are not shown.
 */
export function shown(to: Endpoint, options: CallOptions, now: number): RequestSummary {
  const { authorization, token, body } = options;
  const where =
    options.secretPath === undefined ? endpointName(to) : `${to.method} ${options.secretPath}`;
  const parts = [
    options.query === undefined ? where : `${where}${joint(where)}${options.query}`,
    ...(authorization === undefined
      ? []
      : [authorization].flat().map((value) => `Authorization: ${value}`)),
    ...ownHeaders(to, options).map(([name]) => `${name}: …`),
    ...Object.entries(options.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(options.without ?? []).map((name) => `without ${name}`),
    ...(options.version === undefined ? [] : ['over HTTP/1.0']),
    ...(options.chunked === undefined ? [] : ['in chunks']),
    ...(options.address === undefined ? [] : [`with its whole address as ${options.address}`]),
    ...(body === undefined ? [] : [bodyText(body)]),
    ...(to.body === undefined ? [] : ['its own body']),
  ];
  const age = token === undefined ? {} : { token, tokenAgeMs: now - token.madeAt };
  return { line: parts.join('   '), ...age };
}

/** A body as it may be shown. */
export function bodyText(body: Body): string {
  if ('json' in body) return JSON.stringify(body.json);
  if ('text' in body) return `${body.text}`;
  const { bytes } = body;
  return bytes instanceof Secret || isUtf8(bytes) ? `${bytes}` : `(${bytes.length} bytes)`;
}
