import { createHmac } from 'node:crypto';

/** The claims that the sandbox's JWTs carry: whole seconds, as RFC 7519 customarily has them. */
export interface Claims {
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
}

const signingKey = 'b0a1-signing-key-of-the-sandbox-only-9f';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function sign(claims: Claims, key = signingKey): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${mac(signed, key)}`;
}

export const mac = (signed: string, key: string): string =>
  createHmac('sha256', key).update(signed).digest('base64url');

/** A JWT taken apart; undefined when it is none. */
export function parse(
  text: string,
): { alg: string; claims: Claims; signed: string; signature: string } | undefined {
  const [header = '', claims = '', signature] = text.split('.');
  if (signature === undefined || text.split('.').length !== 3) return undefined;
  try {
    const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const value = JSON.parse(Buffer.from(claims, 'base64url').toString());
    return { alg: String(alg), claims: value, signed: `${header}.${claims}`, signature };
  } catch {
    return undefined;
  }
}

/** The claims of a JWT whose signature is right under a key. */
export function verify(text: string, key = signingKey): Claims | undefined {
  const jwt = parse(text);
  return jwt !== undefined && jwt.alg === 'HS256' && jwt.signature === mac(jwt.signed, key)
    ? jwt.claims
    : undefined;
}
