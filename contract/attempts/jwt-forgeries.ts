import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { numberIn } from '../json-value.ts';
import { memoize } from '../remembering.ts';
import { type Account, open, type Secret } from '../secrets/secret.ts';
import { encode, type Jwt, jwtIn } from '../token-form.ts';
import { expand } from './deviation.ts';
import type { Forgery } from './tokens.ts';

/**
 * How a forged JWT differs from the valid one: by its end, which may be a signature of what precedes it, and by other
 * members of its header and its claims. A member that is undefined is omitted.
 */
type Row = readonly [
  how: string,
  end: string | ((signed: string) => string),
  header?: object,
  claims?: object,
];

/** The attacks of RFC 8725 and the CVEs of JWT libraries; none for a token that is not a JWT. */
export function jwtForgeries(token: Secret, account: Account): readonly Forgery[] {
  const jwt = jwtIn(token);
  if (jwt === undefined) return [];
  return (
    [...unsignedRows(jwt), ...signedRows(account)]
      .map(([how, end, header, claims]) => {
        const head = header === undefined ? jwt.head : encode({ ...jwt.header, ...header });
        const body = claims === undefined ? jwt.body : encode({ ...jwt.claims, ...claims });
        const signed = `${head}.${body}`;
        const text = signed + (typeof end === 'string' ? end : end(signed));
        return { how, secret: token.derive(() => text) };
      })
      // A JWT that has no end is itself the one without an end.
      .filter(({ secret }) => !secret.equals(token))
  );
}

/**
 * The algorithm `none` in every spelling (RFC 8725 2.1), no signature, or one of zeros (CVE-2022-21449), and other
 * claims or another header under the old signature.
 */
function unsignedRows({ claims, signature }: Jwt): Row[] {
  const { length } = Buffer.from(signature, 'base64url');
  const zeros = (bytes: number): string => `.${Buffer.alloc(bytes).toString('base64url')}`;
  const old = `.${signature}`;
  const now = Math.floor(Date.now() / 1000);
  return [
    ...['none', 'None', 'NONE', 'nOnE', '', null, undefined].map((alg): Row => {
      const name = JSON.stringify(alg) ?? 'left out';
      return [`unsigned, with the algorithm ${name}`, '.', { alg }];
    }),
    ['of the algorithm none, yet signed', old, { alg: 'none' }],
    ['with an empty signature', '.'],
    ['without its third part', ''],
    ['with a signature of zeros', zeros(length)],
    ['of ES256, with a signature of zeros', zeros(64), { alg: 'ES256' }],
    ['with a later end', old, undefined, { exp: (numberIn(claims, 'exp') ?? now) + 365 * 86_400 }],
    ['without an end', old, undefined, { exp: undefined }],
    ['of another subject', old, undefined, { sub: 'another-subject' }],
    ['with a later iat', old, undefined, { iat: (numberIn(claims, 'iat') ?? now - 60) + 60 }],
    ['with further rights', old, undefined, { nbf: 0, scope: 'admin', role: 'admin' }],
  ];
}

/** Signed with a key that an attacker may have or guess, or that the header contains or names (RFC 8725 3.10). */
function signedRows({ apiKey, secretKey }: Account): Row[] {
  const rsa = forgedKey(2048);
  const oct = randomBytes(32);
  const octSet = { jwk: { kty: 'oct', k: oct.toString('base64url') } };
  const query = "' UNION SELECT 'key' -- ";
  const hmac = (how: string, key: string | Buffer, header?: object): Row => [
    `signed ${how}`,
    (signed) => `.${createHmac('sha256', key).update(signed).digest('base64url')}`,
    { alg: 'HS256', ...header },
  ];
  return [
    ...wellKnown.map((key) => hmac(`again with the key ${JSON.stringify(key)}`, key)),
    hmac('again with the API key', open(apiKey)),
    hmac('again with the secret key', open(secretKey)),
    ['signed by the key in its jwk', rsa.signature, { alg: 'RS256', jwk: rsa.jwk }],
    hmac('again with the HMAC key in its jwk', oct, octSet),
    // What a careless lookup finds under a kid: a file, a row, or nothing.
    hmac('with the empty file that its kid names', '', { kid: `${'../'.repeat(8)}dev/null` }),
    hmac('with the key that its kid makes a query select', 'key', { kid: query }),
    hmac('with an empty key under an unknown kid', '', { kid: 'no-such-key' }),
  ];
}

/** Keys from tutorials and documentation (at last FastAPI's and NestJS's), and what an unset key may become. */
const wellKnown = [
  '',
  ...expand(`
    secret changeme your-256-bit-secret jwt-secret shhhhh mysecret supersecret super-secret secretkey jwt_secret
    JWT_SECRET your_jwt_secret your-secret-key 12345678 undefined a-string-secret-at-least-256-bits-long
  `),
  '09d25e094faa6ca2556c818166b7a956' + '3b93f7099f6f0f4caa6cf63b88e8d3e7',
  'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET AND KEEP IT SAFE OUTSIDE OF THE SOURCE CODE.',
];

/** A key of this process, generated on first use, which takes a tenth of a second. */
const forgedKey = memoize((modulusLength: number) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return {
    jwk: publicKey.export({ format: 'jwk' }),
    signature: (signed: string) =>
      `.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`,
  };
});
