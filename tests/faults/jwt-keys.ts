import {
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign as signWith,
  verify as verifyWith,
} from 'node:crypto';
import path from 'node:path';
import type { Behaviour } from '../../sandbox/behaviour.ts';
import { fault, isUnset, type Mutant } from './fault.ts';
import { claimsAt, jwtKey, trusting, verifiedBy } from './forgery.ts';
import { encode, mac, type Parsed, verify } from './jwt.ts';

/** Signatures are valid under an HMAC key that the header names. */
const keyedBy = (key: (header: Parsed['header']) => string | undefined): Partial<Behaviour> =>
  trusting(({ header, signed, signature }) => {
    const found = key(header);
    return found !== undefined && signature === mac(signed, found);
  });

/** Signatures are valid under a public key that the header names. */
const signedBy = (key: (header: Parsed['header']) => KeyObject | undefined): Partial<Behaviour> =>
  trusting(({ header, signed, signature }) => {
    try {
      const found = key(header);
      return found !== undefined && isSigned(found, signed, signature);
    } catch {
      return false;
    }
  });

export function isSigned(key: KeyObject, signed: string, signature: string): boolean {
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const how = { key, dsaEncoding: 'ieee-p1363' } as const;
  return verifyWith(digest, Buffer.from(signed), how, Buffer.from(signature, 'base64url'));
}

/** The content of a `data:` address. */
const fetched = (address: unknown): string =>
  decodeURIComponent(/^data:[^,]*,(.*)$/s.exec(String(address))?.[1] ?? '');

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

/** HS256 is verified with the public key too. */
const confused = (): Partial<Behaviour> => {
  const { publicKey, mint } = es256();
  const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
  return {
    ...trusting(({ alg, signed, signature }) =>
      alg === 'HS256' ? signature === mac(signed, pem) : isSigned(publicKey, signed, signature),
    ),
    mint,
  };
};

/** Keys of tutorials and samples. */
const sampleKeys = [
  ...['mysecret', 'supersecret', 'secretkey', 'jwt_secret', 'JWT_SECRET', 'your_jwt_secret'],
  ...['your-secret-key', '12345678', 'super-secret'],
].map((key) =>
  jwtKey(
    `jwt-key-${key === 'JWT_SECRET' ? 'in-capitals' : key.replaceAll('_', '-')}`,
    `JWTs are also verified with the key ${key}`,
    key,
  ),
);

/** Keys of documentation that many services were copied from. */
const documentedKeys: readonly Mutant[] = [
  jwtKey(
    'jwt-key-of-fastapi',
    "JWTs are also verified with the key of FastAPI's documentation",
    '09d25e094faa6ca2556c818166b7a956' + '3b93f7099f6f0f4caa6cf63b88e8d3e7',
  ),
  jwtKey(
    'jwt-key-of-nestjs',
    "JWTs are also verified with the key of NestJS's documentation",
    'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET AND KEEP IT SAFE ' +
      'OUTSIDE OF THE SOURCE CODE.',
  ),
  jwtKey(
    'jwt-key-of-a-spring-tutorial',
    'JWTs are also verified with the key that tutorials of Spring decode from base64',
    Buffer.from('404E635266556A586E3272357538782F' + '413F4428472B4B6250645367566B5970', 'base64'),
  ),
];

/** JWTs are verified with a key that their header contains or names, or that others know. */
export const jwtKeyMutants: readonly Mutant[] = [
  fault(
    'jwt-key-in-its-header',
    'JWTs are also verified with the public key in their header (jwk)',
    () =>
      signedBy(({ jwk }) =>
        isUnset(jwk) ? undefined : createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }),
      ),
  ),
  fault(
    'jwt-hmac-key-in-its-header',
    'JWTs are also verified with the HMAC key in their header (jwk of the type oct)',
    () =>
      trusting(({ header, signed, signature }) => {
        const { k } = (header.jwk ?? {}) as { k?: string };
        return k !== undefined && signature === mac(signed, Buffer.from(k, 'base64url'));
      }),
  ),
  fault(
    'jwt-key-set-at-its-address',
    'JWTs are verified with the key set at the address in their header (jku)',
    () =>
      signedBy(({ jku }) => {
        const { keys } = JSON.parse(fetched(jku));
        return createPublicKey({ key: keys[0], format: 'jwk' });
      }),
  ),
  fault(
    'jwt-kid-is-a-path',
    'The kid of a JWT is the name of a file with its key, also of an empty one elsewhere',
    () =>
      keyedBy(({ kid }) =>
        typeof kid === 'string' && path.posix.resolve('/srv/keys', kid) === '/dev/null'
          ? ''
          : undefined,
      ),
  ),
  fault('jwt-kid-in-sql', 'The kid of a JWT is pasted into the SQL that selects its key', () =>
    keyedBy(({ kid }) => /' UNION SELECT '([^']*)'/i.exec(String(kid))?.[1]),
  ),
  fault('jwt-unknown-kid', 'A kid that is not known leads to an empty key', () =>
    keyedBy(({ kid }) => (isUnset(kid) ? undefined : '')),
  ),
  fault('jwt-empty-kid', 'An empty kid leads to an empty key', () =>
    keyedBy(({ kid }) => (kid === '' ? '' : undefined)),
  ),
  fault('jwt-key-not-set', 'JWTs are also verified with a key that is not set, as a text', () =>
    keyedBy(() => String(undefined)),
  ),
  fault('jwt-hs384-with-an-empty-key', 'The key of HS384 is empty', () =>
    trusting(({ alg, signed, signature }) => alg === 'HS384' && signature === mac(signed, '', 384)),
  ),
  fault('jwt-hs512-with-an-empty-key', 'The key of HS512 is empty', () =>
    trusting(({ alg, signed, signature }) => alg === 'HS512' && signature === mac(signed, '', 512)),
  ),
  ...sampleKeys,
  ...documentedKeys,
  fault('jwt-key-is-secret-key', 'JWTs are also verified with the secret key of the account', () =>
    verifiedBy((text, { secretKey }) => verify(text, secretKey)),
  ),
  fault(
    'jwt-asymmetric-not-verified',
    'Signatures of RS256 are not verified, because no key is known for them',
    () => trusting(({ alg }) => alg === 'RS256'),
  ),
  fault(
    'jwt-public-key-as-hmac-key',
    'JWTs of ES256 are verified as HS256 too, and their public key is then the HMAC key',
    confused,
  ),
];
