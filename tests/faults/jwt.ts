import { createHmac } from 'node:crypto';

/** The claims of the sandbox's JWTs: whole seconds, as is usual with RFC 7519. */
export interface Claims {
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
}

/** A JWT in its parts, before any verification. */
export interface Parsed {
  readonly header: Readonly<Record<string, unknown>>;
  readonly alg: string;
  readonly claims: Claims;
  readonly signed: string;
  readonly signature: string;
}

const signingKey = 'b0a1-signing-key-of-the-sandbox-only-9f';

export const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** The JSON value in base64url; undefined when it is neither. */
export function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

export function sign(claims: Claims, key = signingKey): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${mac(signed, key)}`;
}

export const mac = (signed: string, key: string | Buffer, bits = 256): string =>
  createHmac(`sha${bits}`, key).update(signed).digest('base64url');

/** A text as a JWT; undefined when it is not a JWT. */
export function parse(text: string): Parsed | undefined {
  const [head = '', claims = '', signature] = text.split('.');
  if (signature === undefined || text.split('.').length !== 3) return undefined;
  const header = decode(head);
  const value = decode(claims);
  if (!isObject(header) || !isObject(value)) return undefined;
  return {
    header,
    alg: String(header.alg),
    claims: value as unknown as Claims,
    signed: `${head}.${claims}`,
    signature,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The claims of a JWT whose signature is valid under a key. */
export function verify(text: string, key: string | Buffer = signingKey): Claims | undefined {
  const jwt = parse(text);
  return jwt !== undefined && jwt.alg === 'HS256' && jwt.signature === mac(jwt.signed, key)
    ? jwt.claims
    : undefined;
}
