import { isObject, numberIn, parsedJson } from '../json-value.ts';
import type { Secret } from '../secrets/secret.ts';

/** A JWT in its parts (RFC 7519, in the compact form of RFC 7515). */
export type Jwt = NonNullable<ReturnType<typeof jwtIn>>;

/** The parts of a token between its dots. */
export function partsOf(token: Secret): string[] {
  const parts: string[] = [];
  token.is((text) => parts.push(...text.split('.')) > 0);
  return parts;
}

/** A signed JWT: what it says, and its three parts as they are in the token; undefined if a token is not one. */
export function jwtIn(token: Secret) {
  const [head = '', body = '', signature, ...more] = partsOf(token);
  if (signature === undefined || more.length > 0) return undefined;
  const [header, claims] = [head, body].map((part) =>
    parsedJson(Buffer.from(part, 'base64url').toString()),
  );
  if (!isObject(header) || typeof header.alg !== 'string' || !isObject(claims)) return undefined;
  return { header, claims, head, body, signature };
}

/** When a JWT was issued: its `iat`, here in milliseconds since 1970; undefined if it has none. */
export function issuedAt(token: Secret): number | undefined {
  const iat = numberIn(jwtIn(token)?.claims, 'iat');
  return iat && iat * 1000;
}

/** A JSON value as a part of a JWT. */
export const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
