import { randomBytes } from 'node:crypto';
import { type Account, open, type Secret } from '../secrets/secret.ts';
import type { Forgery } from '../token-form.ts';
import { type ForgedKey, forgedKey, hmac, publicKeyIn } from './forged-keys.ts';
import { encoded, isJwt, type Jwt, parseJwt } from './jwt.ts';

/*
 * JWTs that the service did not generate, derived from one that it did: the attacks of RFC 8725 and the CVEs of JWT
 * libraries. A token that is not a JWT has no forgeries. An HMAC with a public key is tried only if the token
 * contains that key, because the contract names no place for the provider's keys.
 */

/** All of these tokens. */
export const jwtForgeries = async (
  token: Secret,
  account: Account,
): Promise<readonly Forgery[]> => [
  ...unsigned(token),
  ...tampered(token),
  ...(await resigned(token, account)),
  ...(await carryingKeys(token)),
];

/** A change of a JWT, and the token that it makes. */
type Change = readonly [how: string, change: (jwt: Jwt) => string];

function forged(token: Secret, changes: readonly Change[]): Forgery[] {
  if (!isJwt(token)) return [];
  return changes.map(([how, change]) => ({
    how,
    secret: token.derive((text) => {
      const jwt = parseJwt(text);
      return jwt === undefined ? text : change(jwt);
    }),
  }));
}

/** The signed part: the header with a change, and the claims. A member that is undefined is omitted. */
const headed = ({ header, parts }: Jwt, change: object): string =>
  `${encoded({ ...header, ...change })}.${parts[1]}`;

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64url');

/**
 * The JWT without a valid signature: the algorithm `none` in every spelling (RFC 8725 2.1), no signature, one of
 * zeros (CVE-2022-21449) or in another case, or a wrong number of parts.
 */
export const unsigned = (token: Secret): Forgery[] => forged(token, unsignedChanges);

const unsignedChanges: readonly Change[] = [
  ...['none', 'None', 'NONE', 'nOnE', '', null, undefined].map(
    (alg): Change => [
      `unsigned, with the algorithm ${alg === undefined ? 'left out' : JSON.stringify(alg)}`,
      (jwt) => `${headed(jwt, { alg })}.`,
    ],
  ),
  [
    'of the algorithm none, with its old signature',
    (jwt) => `${headed(jwt, { alg: 'none' })}.${jwt.parts[2]}`,
  ],
  ['of the algorithm none, in two parts', (jwt) => headed(jwt, { alg: 'none' })],
  [
    'with its signature in small letters',
    ({ parts }) => `${parts[0]}.${parts[1]}.${parts[2].toLowerCase()}`,
  ],
  ['with an empty signature', ({ parts }) => `${parts[0]}.${parts[1]}.`],
  ['without its third part', ({ parts }) => `${parts[0]}.${parts[1]}`],
  [
    'with a signature of zeros',
    ({ parts }) => `${parts[0]}.${parts[1]}.${zeros(Buffer.from(parts[2], 'base64url').length)}`,
  ],
  ['of ES256, with a signature of zeros', (jwt) => `${headed(jwt, { alg: 'ES256' })}.${zeros(64)}`],
  ['with a fourth part', ({ parts }) => `${parts.join('.')}.${parts[2]}`],
  [
    'in the five parts of a JWE, its claims not encrypted',
    ({ parts }) =>
      `${encoded({ alg: 'dir', enc: 'A256GCM' })}..${zeros(12)}.${parts[1]}.${zeros(16)}`,
  ],
];

/** The JWT with other claims or another header, and the old signature. */
export const tampered = (token: Secret): Forgery[] =>
  forged(token, [...tamperingChanges, ...furtherClaims(token)]);

/** One change for each claim that no other forgery changes, of four at most. */
function furtherClaims(token: Secret): Change[] {
  const names: string[] = [];
  token.is((text) => names.push(...Object.keys(parseJwt(text)?.claims ?? {})) > 0);
  return names
    .filter((name) => !['exp', 'iat', 'nbf', 'sub', 'scope', 'role'].includes(name))
    .slice(0, 4)
    .map((name) => claiming(`with another ${name}`, () => ({ [name]: 'another-value' })));
}

const year = 365 * 86_400;

const endOf = ({ claims }: Jwt): number =>
  typeof claims.exp === 'number' ? claims.exp : Math.floor(Date.now() / 1000);

/** The claims with some changed, under the old signature. */
const claiming = (how: string, change: (jwt: Jwt) => object): Change => [
  how,
  (jwt) => `${jwt.parts[0]}.${encoded({ ...jwt.claims, ...change(jwt) })}.${jwt.parts[2]}`,
];

const tamperingChanges: readonly Change[] = [
  claiming('with a later end', (jwt) => ({ exp: endOf(jwt) + year })),
  claiming('without an end', () => ({ exp: undefined })),
  claiming('with the end null', () => ({ exp: null })),
  claiming('with its end in milliseconds', (jwt) => ({ exp: endOf(jwt) * 1000 })),
  claiming('with a later end as a text', (jwt) => ({ exp: String(endOf(jwt) + year) })),
  claiming('of another subject', () => ({ sub: 'another-subject' })),
  claiming('with a later iat', ({ claims: { iat } }) => ({
    iat: typeof iat === 'number' ? iat + 60 : Math.floor(Date.now() / 1000),
  })),
  claiming('with further rights', () => ({ nbf: 0, scope: 'admin', role: 'admin' })),
  [
    'with a second and later end',
    (jwt) => {
      const more = `,"exp":${endOf(jwt) + year}}`;
      const body = JSON.stringify(jwt.claims).replace(/\}$/, more);
      return `${jwt.parts[0]}.${Buffer.from(body).toString('base64url')}.${jwt.parts[2]}`;
    },
  ],
  ['with another type in its header', (jwt) => `${headed(jwt, { typ: 'other' })}.${jwt.parts[2]}`],
  [
    'with an unknown critical header',
    (jwt) => `${headed(jwt, { crit: ['x'], x: 1 })}.${jwt.parts[2]}`,
  ],
];

/** The JWT's own claims under an HMAC with a key that an attacker may have or guess, or with an unknown key. */
export async function resigned(token: Secret, account: Account): Promise<Forgery[]> {
  if (!isJwt(token)) return [];
  const strangers = await Promise.all([forgedKey('RS256'), forgedKey('ES256')]);
  const random = randomBytes(32);
  return forged(token, [
    ...wellKnown.map((key) => keyed(key, `the key ${JSON.stringify(key)}`)),
    keyed(Buffer.from(ofSpring, 'base64'), `the key that is ${ofSpring} in base64`),
    keyed('', 'an empty key', 384),
    keyed('', 'an empty key', 512),
    keyed(open(account.apiKey), 'the API key'),
    keyed(open(account.secretKey), 'the secret key'),
    keyed(random, 'a random key'),
    ...strangers.map((key) =>
      bringing(key, `signed again with another key (${key.alg})`, () => ({})),
    ),
    ...ofItsPublicKey(token),
  ]);
}

/** The claims under an HMAC with a key. */
const keyed = (
  key: string | Buffer,
  called: string,
  bits: 256 | 384 | 512 = 256,
  header: object = {},
  how = 'signed again',
): Change => [
  `${how} with ${called}${bits === 256 ? '' : ` (HS${bits})`}`,
  (jwt) => {
    const signed = headed(jwt, { alg: `HS${bits}`, ...header });
    return `${signed}.${hmac(bits, key, signed)}`;
  },
];

/** Keys from tutorials and documentation, and the text that an unset key may become. */
const wellKnown = [
  '',
  ...['secret', 'changeme', 'your-256-bit-secret', 'jwt-secret', 'shhhhh', 'mysecret'],
  ...['supersecret', 'super-secret', 'secretkey', 'jwt_secret', 'JWT_SECRET', 'your_jwt_secret'],
  ...['your-secret-key', '12345678', 'undefined', 'a-string-secret-at-least-256-bits-long'],
  // The documentation of FastAPI and NestJS.
  '09d25e094faa6ca2556c818166b7a956' + '3b93f7099f6f0f4caa6cf63b88e8d3e7',
  'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET AND KEEP IT SAFE ' +
    'OUTSIDE OF THE SOURCE CODE.',
];

/** Tutorials of Spring Security decode it from base64. */
const ofSpring = '404E635266556A586E3272357538782F' + '413F4428472B4B6250645367566B5970';

/** An HMAC with a public key, as PEM with and without its last line break. */
function ofItsPublicKey(token: Secret): Change[] {
  let pem: string | undefined;
  token.is((text) => {
    pem = publicKeyIn(parseJwt(text)?.header ?? {});
    return pem !== undefined;
  });
  if (pem === undefined) return [];
  return [pem, pem.trimEnd()].map((key) => keyed(key, 'the public key in its header'));
}

/** The JWT's own claims under a key that its header contains or names (RFC 8725 3.10, 2.1). */
export async function carryingKeys(token: Secret): Promise<Forgery[]> {
  if (!isJwt(token)) return [];
  const [rsa, ec, ed] = await Promise.all([
    forgedKey('RS256'),
    forgedKey('ES256'),
    forgedKey('EdDSA'),
  ]);
  const oct = randomBytes(32);
  return forged(token, [
    bringing(rsa, 'signed by the key in its jwk or jku', withKeySet),
    bringing(ec, 'signed by the key in its jwk or jku (ES256)', withKeySet),
    bringing(ed, 'signed by the key in its jwk (EdDSA)', ({ jwk }) => ({ jwk })),
    keyed(oct, 'the HMAC key in its jwk', 256, {
      jwk: { kty: 'oct', k: oct.toString('base64url') },
    }),
    ...namedKeys.map(([kid, key, called]) => keyed(key, called, 256, { kid }, 'signed')),
  ]);
}

/** The claims, signed by a private key, and a header that refers to that key. */
const bringing = (key: ForgedKey, how: string, header: (key: ForgedKey) => object): Change => [
  how,
  (jwt) => {
    const signed = headed(jwt, { alg: key.alg, ...header(key) });
    return `${signed}.${key.sign(signed)}`;
  },
];

/** A header with the key, and with a JWK Set (RFC 7517 5) at a URL that needs no server. */
const withKeySet = ({ jwk }: ForgedKey): object => ({
  jwk,
  jku: `data:application/json,${encodeURIComponent(JSON.stringify({ keys: [jwk] }))}`,
});

/** Values of `kid`, and the key that a careless lookup finds under each: a file, a row, or nothing. */
const namedKeys: readonly (readonly [kid: unknown, key: string, called: string])[] = [
  ['../../../../../../../../dev/null', '', 'the empty file that its kid names'],
  ["' UNION SELECT 'key' -- ", 'key', 'the key that its kid makes a query select'],
  ['', '', 'an empty key under an empty kid'],
  ['no-such-key', '', 'an empty key under an unknown kid'],
  ['no-such-key', 'undefined', 'the key "undefined" under an unknown kid'],
];
