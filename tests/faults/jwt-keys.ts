import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signWith,
  verify as verifyWith,
} from 'node:crypto';
import path from 'node:path';
import type { Behaviour } from '../../sandbox/behaviour.ts';
import { breaking, type Fault, family, isUnset, texts } from './fault.ts';
import { claimsAt, encode, mac, type Parsed, trusting, verifiedBy, verify } from './jwt.ts';

type Header = Parsed['header'];

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

/** A public key in JWK, from the header or from the `data:` address in it. */
const publicKeys: Readonly<Record<string, (header: Header) => unknown>> = {
  'in-its-header': ({ jwk }) => jwk,
  'set-at-its-address': ({ jku }) => {
    const content = /^data:[^,]*,(.*)$/s.exec(String(jku))?.[1] ?? '';
    return JSON.parse(decodeURIComponent(content)).keys[0];
  },
};

/** The HMAC key that a header leads to. */
const hmacKeys: Readonly<Record<string, (header: Header) => string | undefined>> = {
  'kid-is-a-path': ({ kid }) =>
    typeof kid === 'string' && path.posix.resolve('/srv/keys', kid) === '/dev/null'
      ? ''
      : undefined,
  'kid-in-sql': ({ kid }) => /' UNION SELECT '([^']*)'/i.exec(String(kid))?.[1],
  'unknown-kid': ({ kid }) => (isUnset(kid) ? undefined : ''),
  'empty-kid': ({ kid }) => (kid === '' ? '' : undefined),
  'key-not-set': () => String(undefined),
};

/** Keys that others know. */
const knownKeys: Readonly<Record<string, string | Buffer>> = {
  empty: '',
  'in-capitals': 'JWT_SECRET',
  // The debugger of jwt.io shows it.
  'of-jwt-io': 'a-string-secret-at-least-256-bits-long',
  'of-fastapi': '09d25e094faa6ca2556c818166b7a956' + '3b93f7099f6f0f4caa6cf63b88e8d3e7',
  'of-nestjs':
    'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET AND KEEP IT SAFE ' +
    'OUTSIDE OF THE SOURCE CODE.',
  'of-a-spring-tutorial': Buffer.from(
    '404E635266556A586E3272357538782F' + '413F4428472B4B6250645367566B5970',
    'base64',
  ),
};

const signedWith = (key: string | Buffer): Fault => verifiedBy((text) => verify(text, key));

/** JWTs are verified with a key that their header contains or names, or that others know. */
export const jwtKeyFaults = breaking('BEARER-3', {
  ...family('jwt-key-*', publicKeys, (keyOf) =>
    trusting(({ header, signed, signature }) => {
      try {
        const key = createPublicKey({ key: Object(keyOf(header)), format: 'jwk' });
        return isSigned(key, signed, signature);
      } catch {
        return false;
      }
    }),
  ),
  'jwt-hmac-key-in-its-header': trusting(({ header, signed, signature }) => {
    const { k } = Object(header.jwk);
    return k !== undefined && signature === mac(signed, Buffer.from(k, 'base64url'));
  }),
  ...family('jwt-*', hmacKeys, (keyOf) =>
    trusting(({ header, signed, signature }) => {
      const key = keyOf(header);
      return key !== undefined && signature === mac(signed, key);
    }),
  ),
  ...family('jwt-hs*-with-an-empty-key', { 384: 384, 512: 512 }, (bits) =>
    trusting(
      ({ alg, signed, signature }) => alg === `HS${bits}` && signature === mac(signed, '', bits),
    ),
  ),
  ...family('jwt-key-*', knownKeys, signedWith),
  ...family('jwt-key-*', texts('secret', 'mysecret', 'supersecret', 'secretkey'), signedWith),
  ...family('jwt-key-*', texts('jwt_secret', 'your_jwt_secret', 'your-secret-key'), signedWith),
  ...family('jwt-key-*', texts('12345678', 'super-secret'), signedWith),
  'jwt-key-is-api-key': verifiedBy((text, { apiKey }) => verify(text, apiKey)),
  'jwt-key-is-secret-key': verifiedBy((text, { secretKey }) => verify(text, secretKey)),
  'jwt-asymmetric-not-verified': trusting(({ alg }) => alg === 'RS256'),
  'jwt-public-key-as-hmac-key'() {
    const { publicKey, mint } = es256();
    const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
    return {
      ...trusting(({ alg, signed, signature }) =>
        alg === 'HS256' ? signature === mac(signed, pem) : isSigned(publicKey, signed, signature),
      ),
      mint,
    };
  },
});
