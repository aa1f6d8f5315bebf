import { createHmac, createPublicKey, generateKeyPair, type JsonWebKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { isObject } from '../json-value.ts';
import { remembering } from '../remembering.ts';

/** A key whose signatures the service must not trust, its algorithm (RFC 7518), and a function that signs. */
export interface ForgedKey {
  readonly alg: 'RS256' | 'ES256' | 'EdDSA';
  /** The public key as a JWK (RFC 7517). */
  readonly jwk: JsonWebKey;
  /** The signature in base64url. */
  sign(signed: string): string;
}

/** A key of this process, generated on first use, off the main thread: RSA takes a tenth of a second. */
export const forgedKey = remembering(async (alg: ForgedKey['alg']): Promise<ForgedKey> => {
  const make = promisify(generateKeyPair);
  const { publicKey, privateKey } =
    alg === 'RS256'
      ? await make('rsa', { modulusLength: 2048 })
      : alg === 'ES256'
        ? await make('ec', { namedCurve: 'P-256' })
        : await make('ed25519');
  const digest = alg === 'EdDSA' ? null : 'sha256';
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return {
    alg,
    jwk: publicKey.export({ format: 'jwk' }),
    sign: (signed) => sign(digest, Buffer.from(signed), key).toString('base64url'),
  };
});

/**
 * The public key in the header of a JWT (`jwk`) as PEM: a verifier that lets the token choose the algorithm uses it as
 * the key of an HMAC (RFC 8725 2.1). There is no other source of the provider's key.
 */
export function publicKeyIn({ jwk }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isObject(jwk)) return undefined;
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return String(key.export({ type: 'spki', format: 'pem' }));
  } catch {
    return undefined;
  }
}

/** The signature of an HMAC with SHA-2 of `bits` bits, in base64url. */
export const hmac = (bits: number, key: string | Buffer, signed: string): string =>
  createHmac(`sha${bits}`, key).update(signed).digest('base64url');
