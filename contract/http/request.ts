import { isUtf8 } from 'node:buffer';
import { Secret, type Token } from '../secrets/secret.ts';

/** What every path begins with, and where the token endpoint is. */
export const apiPrefix = '/public-api/v1/';
export const tokenPath = `${apiPrefix}auth/token`;

export const usualMethods: readonly string[] = 'GET HEAD POST PUT PATCH DELETE OPTIONS'.split(' ');

/** A protected endpoint, as its owner configures it: the contract names none. */
export interface Endpoint {
  readonly method: string;
  /** Below the base address; begins with `/public-api/v1/`, and may have a query. */
  readonly path: string;
  /** Sent with every call, unless the call itself sets the header. No secrets, and no Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with every call without a body, if the call uses the endpoint's method or one that takes a body. */
  readonly body?: { readonly json: unknown };
  /** Deep probes run on it too, besides the first endpoint that changes nothing. */
  readonly deep?: true;
}

/** As findings, reports and metrics name it: `GET /public-api/v1/widgets`. */
export const endpointName = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method} ${path}`;

export const hasBody = ({ method }: Pick<Endpoint, 'method'>): boolean => method !== 'HEAD';

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
  /** Appended to the path, without the question mark. */
  readonly query?: Secret;
  readonly headers?: Readonly<Record<string, string | Secret>>;
  /** Headers that every request has, and this one lacks. */
  readonly without?: readonly ('Accept' | 'User-Agent' | 'traceparent')[];
  readonly body?: Body;
  readonly version?: '1.0';
  /** Whether the caller wants an answer of a status, even if it means "unavailable" or asks for a pause. */
  readonly accepts?: (status: number) => boolean;
  readonly chunked?: true;
  /** Whether the request target is the absolute address, as for proxies (RFC 9112 3.2.2). */
  readonly absolute?: true;
}

/** A body, and its media type unless a header sets it. A JSON value may hold secrets. */
export type Body =
  | { readonly type?: string; readonly text: string | Secret | Buffer }
  | { readonly json: unknown };

/** A request to an endpoint, with what the endpoint's owner configures. Those values are not shown. */
export interface Call extends CallOptions {
  readonly method: string;
  readonly path: string;
  readonly hasOwnBody: boolean;
}

/** What is shown instead of an endpoint's own value. */
export const ownValue = '…';

export type Headers = readonly (readonly [name: string, value: string | Secret])[];

/** Headers, behind those of others that they do not replace. The case of a name does not matter. */
export function withDefaults(headers: Headers, defaults: Headers): Headers {
  const names = headers.map(([name]) => name.toLowerCase());
  return [...defaults.filter(([name]) => !names.includes(name.toLowerCase())), ...headers];
}

/** A call with the endpoint's headers that it does not replace, without those that describe another body. */
export function createCall(endpoint: Endpoint, options: CallOptions): Call {
  const { method = endpoint.method, path = endpoint.path, headers = {}, body } = options;
  const call = { ...options, method, path, hasOwnBody: false };
  if (path.split('?')[0] === tokenPath) return call;
  const ownHeaders = Object.entries(endpoint.headers ?? {})
    .filter(([name]) => body === undefined || !/^content-/i.test(name))
    .map(([name, value]) => [name, new Secret(value, ownValue)] as const);
  const takesBody = method === endpoint.method || /^(POST|PUT|PATCH)$/.test(method);
  return {
    ...call,
    headers: Object.fromEntries(withDefaults(Object.entries(headers), ownHeaders)),
    body: body ?? (takesBody ? endpoint.body : undefined),
    hasOwnBody: body === undefined && takesBody && endpoint.body !== undefined,
  };
}

/** The separator before a further parameter: the endpoint may have a query of its own. */
export const querySign = (path: string): string => (path.includes('?') ? '&' : '?');

/** The request as it may be shown, in one line. A secret inside a JSON body is shown as `[secret]`. */
export function describeCall(call: Call): string {
  const { method, path, query, authorization = [], headers = {} } = call;
  const where = `${method} ${path}`;
  return [
    query === undefined ? where : `${where}${querySign(where)}${query}`,
    ...[authorization].flat().map((value) => `Authorization: ${value}`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(call.without ?? []).map((name) => `without ${name}`),
    call.version && 'over HTTP/1.0',
    call.chunked && 'in chunks',
    call.absolute && 'with its whole address',
    call.hasOwnBody ? 'its own body' : call.body && bodyText(call.body),
  ]
    .filter((part) => part !== undefined)
    .join('   ');
}

export function bodyText(body: Body): string {
  if ('json' in body) return JSON.stringify(body.json);
  const { text } = body;
  return text instanceof Buffer && !isUtf8(text) ? `(${text.length} bytes)` : `${text}`;
}
