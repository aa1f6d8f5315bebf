import { createPublicKey, generateKeyPair, type JsonWebKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { isObject } from '../json-value.ts';
import { remembering } from '../remembering.ts';
import type { Jwt } from './jwt.ts';

/** An algorithm (RFC 7518), and its signature of a text in base64url. */
export interface Signer {
  readonly alg: string;
  readonly sign: (text: string) => string;
}

/** A key whose signatures the service must not trust. */
export interface ForgedKey extends Signer {
  /** The public key as a JWK (RFC 7517). */
  readonly jwk: JsonWebKey;
}

/** A key of this process, generated on first use, off the main thread: RSA takes a tenth of a second. */
export const forgedKey = remembering(
  async (alg: 'RS256' | 'ES256' | 'EdDSA'): Promise<ForgedKey> => {
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
      sign: (text) => sign(digest, Buffer.from(text), key).toString('base64url'),
    };
  },
);

/**
 * The public key in the header of a JWT (`jwk`) as PEM, with and without its last line break: a verifier that lets the
 * token choose the algorithm uses it as the key of an HMAC (RFC 8725 2.1). The provider's key has no other source.
 */
export function publicKeysIn({ header: { jwk } }: Jwt): string[] {
  if (!isObject(jwk)) return [];
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const pem = String(key.export({ type: 'spki', format: 'pem' }));
    return [pem, pem.trimEnd()];
  } catch {
    return [];
  }
}
