import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { numberIn } from '../json-value.ts';
import { memoize } from '../remembering.ts';
import { type Account, open, type Secret } from '../secrets/secret.ts';
import { encode, type Jwt, jwtIn } from '../token-form.ts';
import { expand } from './deviation.ts';
import type { Forgery } from './tokens.ts';

/** How a forged JWT differs from the valid one, and its text. */
type Row = readonly [how: string, text: string];

/** The attacks of RFC 8725 and the CVEs of JWT libraries; none for a token that is not a JWT. */
export function jwtForgeries(token: Secret, account: Account): readonly Forgery[] {
  const jwt = jwtIn(token);
  if (jwt === undefined) return [];
  const rows = [...unsignedRows(jwt), ...tamperedRows(jwt), ...signedAgain(jwt, account)];
  return (
    rows
      .map(([how, text]) => ({ how, secret: token.derive(() => text) }))
      // A JWT that has no end is itself the one without an end.
      .filter(({ secret }) => !secret.equals(token))
  );
}

/** The header with some members changed. A member that is undefined is omitted. */
const headed = ({ header }: Jwt, change: object): string => encode({ ...header, ...change });

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64url');

/** The algorithm `none` in every spelling (RFC 8725 2.1), no signature, or one of zeros (CVE-2022-21449). */
function unsignedRows(jwt: Jwt): Row[] {
  const { head, body, signature } = jwt;
  const { length } = Buffer.from(signature, 'base64url');
  return [
    ...['none', 'None', 'NONE', 'nOnE', '', null, undefined].map((alg): Row => {
      const name = JSON.stringify(alg) ?? 'left out';
      return [`unsigned, with the algorithm ${name}`, `${headed(jwt, { alg })}.${body}.`];
    }),
    ['of the algorithm none, yet signed', `${headed(jwt, { alg: 'none' })}.${body}.${signature}`],
    ['with an empty signature', `${head}.${body}.`],
    ['without its third part', `${head}.${body}`],
    ['with a signature of zeros', `${head}.${body}.${zeros(length)}`],
    [
      'of ES256, with a signature of zeros',
      `${headed(jwt, { alg: 'ES256' })}.${body}.${zeros(64)}`,
    ],
  ];
}

/** The JWT with other claims or another header, and the old signature. */
function tamperedRows(jwt: Jwt): Row[] {
  const { claims, head, body, signature } = jwt;
  const now = Math.floor(Date.now() / 1000);
  const changes: readonly (readonly [how: string, change: object])[] = [
    ['with a later end', { exp: (numberIn(claims, 'exp') ?? now) + 365 * 86_400 }],
    ['without an end', { exp: undefined }],
    ['of another subject', { sub: 'another-subject' }],
    ['with a later iat', { iat: (numberIn(claims, 'iat') ?? now - 60) + 60 }],
    ['with further rights', { nbf: 0, scope: 'admin', role: 'admin' }],
  ];
  return [
    ...changes.map(([how, change]): Row => {
      return [how, `${head}.${encode({ ...claims, ...change })}.${signature}`];
    }),
    ['with another type in its header', `${headed(jwt, { typ: 'other' })}.${body}.${signature}`],
  ];
}

/** Signed with a key that an attacker may have or guess, or that the header contains or names (RFC 8725 3.10). */
function signedAgain(jwt: Jwt, account: Account): Row[] {
  const rsa = forgedKey('RS256');
  const oct = randomBytes(32);
  const octSet = { jwk: { kty: 'oct', k: oct.toString('base64url') } };
  const query = "' UNION SELECT 'key' -- ";
  const keys: readonly (readonly [key: Key, called: string, header?: object])[] = [
    ...wellKnown.map((key) => [hmac(key), `again with the key ${JSON.stringify(key)}`] as const),
    [hmac(open(account.apiKey)), 'again with the API key'],
    [hmac(open(account.secretKey)), 'again with the secret key'],
    [rsa, 'by the key in its jwk', { jwk: rsa.jwk }],
    [hmac(oct), 'again with the HMAC key in its jwk', octSet],
    // What a careless lookup finds under a kid: a file, a row, or nothing.
    [hmac(''), 'with the empty file that its kid names', { kid: `${'../'.repeat(8)}dev/null` }],
    [hmac('key'), 'with the key that its kid makes a query select', { kid: query }],
    [hmac(''), 'with an empty key under an unknown kid', { kid: 'no-such-key' }],
    [hmac('undefined'), 'with the key "undefined" under an unknown kid', { kid: 'no-such-key' }],
  ];
  return keys.map(([{ alg, sign }, called, header]) => {
    const text = `${headed(jwt, { alg, ...header })}.${jwt.body}`;
    return [`signed ${called}`, `${text}.${sign(text).toString('base64url')}`];
  });
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

/** An algorithm (RFC 7518), and the signature of a text with a key. */
const hmac = (key: string | Buffer) => ({
  alg: 'HS256',
  sign: (text: string): Buffer => createHmac('sha256', key).update(text).digest(),
});
type Key = ReturnType<typeof hmac>;

/** A key of this process, generated on first use, which takes a tenth of a second. */
const forgedKey = memoize((alg: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    alg,
    jwk: publicKey.export({ format: 'jwk' }),
    sign: (text: string) => sign('sha256', Buffer.from(text), privateKey),
  };
});
