import { isObject, parsedJson } from '../json-value.ts';
import type { Secret } from '../secrets/secret.ts';

/** A signed JWT in its parts (RFC 7519, in the compact form of RFC 7515). */
export interface Jwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The three parts as they are in the token. */
  readonly parts: readonly [header: string, claims: string, signature: string];
}

export function parseJwt(text: string): Jwt | undefined {
  const [head = '', body = '', signature, ...more] = text.split('.');
  if (signature === undefined || more.length > 0) return undefined;
  const header = decoded(head);
  const claims = decoded(body);
  if (typeof header?.alg !== 'string' || claims === undefined) return undefined;
  return { header, claims, parts: [head, body, signature] };
}

export const isJwt = (token: Secret): boolean => token.is((text) => parseJwt(text) !== undefined);

/**
 * The time at which a JWT was issued: its `iat` (RFC 7519), here in milliseconds since 1970; undefined if it has
 * none.
 */
export function issuedAt(token: Secret): number | undefined {
  let iat: unknown;
  token.is((text) => {
    iat = parseJwt(text)?.claims.iat;
    return true;
  });
  return typeof iat === 'number' ? iat * 1000 : undefined;
}

/** A JSON value as a part of a JWT. */
export const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

function decoded(part: string): Record<string, unknown> | undefined {
  const value = parsedJson(Buffer.from(part, 'base64url').toString());
  return isObject(value) ? value : undefined;
}
