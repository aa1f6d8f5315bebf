import { isObject, parsedJson } from '../json-value.ts';
import type { Secret } from '../secrets/secret.ts';

/** A signed JWT in its parts (RFC 7519, in the compact form of RFC 7515). */
export interface Jwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The three parts as they are in the token. */
  readonly parts: readonly [header: string, claims: string, signature: string];
}

/** The parts of a token; undefined if it is not a JWT. */
export function jwtIn(token: Secret): Jwt | undefined {
  let jwt: Jwt | undefined;
  token.is((text) => {
    jwt = parseJwt(text);
    return true;
  });
  return jwt;
}

function parseJwt(text: string): Jwt | undefined {
  const [head = '', body = '', signature, ...more] = text.split('.');
  if (signature === undefined || more.length > 0) return undefined;
  const [header, claims] = [head, body].map((part) =>
    parsedJson(Buffer.from(part, 'base64url').toString()),
  );
  if (!isObject(header) || typeof header.alg !== 'string' || !isObject(claims)) return undefined;
  return { header, claims, parts: [head, body, signature] };
}

export const isJwt = (token: Secret): boolean => jwtIn(token) !== undefined;

/** When a JWT was issued: its `iat`, here in milliseconds since 1970; undefined if it has none. */
export function issuedAt(token: Secret): number | undefined {
  const iat = jwtIn(token)?.claims.iat;
  return typeof iat === 'number' ? iat * 1000 : undefined;
}

/** A JSON value as a part of a JWT. */
export const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
