import { joinParts, type Part, Secret, seal } from '../secrets/secret.ts';
import type { HttpRequest } from './http-request.ts';
import {
  type Body,
  type CallOptions,
  type Endpoint,
  headersOf,
  joint,
  prefix,
  referredBy,
} from './request.ts';

/** Where requests go, and which user agent sends them. */
export interface RequestOrigin {
  /** The provider's address, which may carry a path prefix. */
  readonly origin: URL;
  readonly userAgent: string;
}

/** The request of a probe, as it is sent. */
export function outgoingRequest(
  { origin, userAgent }: RequestOrigin,
  to: Endpoint,
  options: CallOptions,
): Omit<HttpRequest, 'agent'> {
  const { method, path } = to;
  const { secretPath } = options;
  const isBelow = (text: string): boolean => text.startsWith(prefix);
  if (!isBelow(path) || secretPath?.is(isBelow) === false)
    throw new Error(`VERSION-1: ${secretPath ?? path} is not below ${prefix}`);
  const base = origin.pathname.replace(/\/$/, '');
  const below = base + path;
  const whole = origin.origin + below;
  const usual = options.address === 'target' ? whole : below;
  const target = secretPath === undefined ? usual : seal`${base}${secretPath}`;
  const body = options.body ?? to.body;
  return {
    method,
    path: options.query === undefined ? target : seal`${target}${joint(path)}${options.query}`,
    headers: headersOf(
      to,
      options.address === 'Referer' ? referredBy(whole, options) : options,
      userAgent,
    ),
    body: body === undefined ? undefined : contentOf(body),
    version: options.version,
    chunked: options.chunked,
  };
}

function contentOf(body: Body): HttpRequest['body'] {
  if ('text' in body) return body.text;
  if ('bytes' in body) return body.bytes;
  return jsonOf(body.json);
}

/** Marks a secret in JSON. It is random, so that no JSON of a probe contains it. */
const mark = crypto.randomUUID();

/** JSON with the texts of secrets in it. */
function jsonOf(json: unknown): string | Secret {
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
