import { isUtf8 } from 'node:buffer';
import { Secret, type Token } from '../secrets/secret.ts';

/** What every path begins with, and where the token endpoint is. */
export const prefix = '/public-api/v1/';
export const tokenPath = `${prefix}auth/token`;

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
  readonly chunked?: true;
  /** Where the absolute address is: in the request target, as for proxies (RFC 9112 3.2.2), or in Referer. */
  readonly address?: 'target' | 'Referer';
}

/** A body and its media type, unless a header sets it. A JSON value may hold secrets. */
export type Body =
  | { readonly type: string; readonly text: string | Secret }
  | { readonly json: unknown }
  | { readonly bytes: Buffer | Secret };

/** A request to an endpoint, with the parts of the endpoint's configuration that are sent with it. */
export interface Call extends CallOptions {
  readonly method: string;
  readonly path: string;
  readonly ownHeaders: readonly (readonly [string, string])[];
  readonly ownBody?: Body;
}

/** A call without the endpoint's headers that it replaces, and without those that describe another body. */
export function called(endpoint: Endpoint, options: CallOptions): Call {
  const { method = endpoint.method, path = endpoint.path, headers = {}, body } = options;
  if (path.split('?')[0] === tokenPath) return { ...options, method, path, ownHeaders: [] };
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const takesBody = method === endpoint.method || /^(POST|PUT|PATCH)$/.test(method);
  return {
    ...options,
    method,
    path,
    ownHeaders: Object.entries(endpoint.headers ?? {}).filter(
      ([name]) =>
        !replaced.has(name.toLowerCase()) && !(body !== undefined && /^content-/i.test(name)),
    ),
    ownBody: body === undefined && takesBody ? endpoint.body : undefined,
  };
}

/** The separator before a further parameter: the endpoint may have a query of its own. */
export const joint = (path: string): string => (path.includes('?') ? '&' : '?');

/**
 * The request as it may be shown, in one line. A secret inside a JSON body is shown as `[secret]`, and values of the
 * endpoint's own configuration are not shown.
 */
export function shown(call: Call): string {
  const { method, path, secretPath = path, query, authorization = [], headers = {} } = call;
  const where = `${method} ${secretPath}`;
  return [
    query === undefined ? where : `${where}${joint(where)}${query}`,
    ...[authorization].flat().map((value) => `Authorization: ${value}`),
    ...call.ownHeaders.map(([name]) => `${name}: …`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(call.without ?? []).map((name) => `without ${name}`),
    call.version && 'over HTTP/1.0',
    call.chunked && 'in chunks',
    call.address && `with its whole address as ${call.address}`,
    call.body && bodyText(call.body),
    call.ownBody && 'its own body',
  ]
    .filter((part) => part !== undefined)
    .join('   ');
}

/** A body as it may be shown. */
export function bodyText(body: Body): string {
  if ('json' in body) return JSON.stringify(body.json);
  if ('text' in body) return `${body.text}`;
  const { bytes } = body;
  return bytes instanceof Secret || isUtf8(bytes) ? `${bytes}` : `(${bytes.length} bytes)`;
}
