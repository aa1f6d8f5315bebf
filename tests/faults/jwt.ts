import {
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  sign as signWith,
  verify as verifyWith,
} from 'node:crypto';
import { type Behaviour, day, type Issued, type ServiceState } from '../../sandbox/behaviour.ts';

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

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

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
  const [head = '', claims = '', signature, more] = text.split('.');
  const [header, value] = [decode(head), decode(claims)];
  if (signature === undefined || more !== undefined) return undefined;
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

/** The claims of a token that is issued at an instant (milliseconds since 1970). */
export const claimsAt = (now: number): Claims => {
  const iat = Math.floor(now / 1000);
  return { sub: 'client-1', iat, exp: iat + 86_400 };
};

/** The token that a JWT with these claims is. */
export const tokenWith = (text: string, { exp = Number.POSITIVE_INFINITY }: Claims): Issued => ({
  text,
  madeAt: exp * 1000 - day,
  memo: new Map(),
});

/** The sandbox with stateless JWTs. @param claimsOf of a JWT that is accepted besides the right ones */
export const verifiedBy = (
  claimsOf: (text: string, account: ServiceState['account']) => Claims | undefined,
): Pick<Behaviour, 'mint' | 'keep' | 'find'> => ({
  mint: (_state, now) => sign(claimsAt(now)),
  keep: () => undefined,
  find(text, { account }) {
    const claims = verify(text) ?? claimsOf(text, account);
    return claims && tokenWith(text, claims);
  },
});

/** Stateless JWTs with whole seconds, as all nine examined libraries make them. */
export const jwt = verifiedBy(() => undefined);

/** JWTs are also accepted because of a rule. */
export const trusting = (trusted: (jwt: Parsed) => boolean): Partial<Behaviour> =>
  verifiedBy((text) => {
    const jwt = parse(text);
    return jwt !== undefined && trusted(jwt) ? jwt.claims : undefined;
  });

export function isSigned(key: KeyObject, signed: string, signature: string): boolean {
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const how = { key, dsaEncoding: 'ieee-p1363' } as const;
  return verifyWith(digest, Buffer.from(signed), how, Buffer.from(signature, 'base64url'));
}

/** JWTs of ES256 whose public key is in their header. */
export const es256 = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = encode({ alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) });
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const mint: Behaviour['mint'] = (_state, now) => {
    const signed = `${header}.${encode(claimsAt(now))}`;
    return `${signed}.${signWith('sha256', Buffer.from(signed), key).toString('base64url')}`;
  };
  return { publicKey, mint };
};
