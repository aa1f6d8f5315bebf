import { createHmac, randomBytes } from 'node:crypto';
import { type Account, open, type Secret } from '../secrets/secret.ts';
import type { Forgery } from '../token-form.ts';
import { type ForgedKey, forgedKey, publicKeysIn, type Signer } from './forged-keys.ts';
import { encoded, isJwt, type Jwt, jwtIn } from './jwt.ts';

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

/** How a forged JWT differs from the valid one, and its text. */
type Row = readonly [how: string, text: string];

function forged(token: Secret, rows: (jwt: Jwt) => readonly Row[]): Forgery[] {
  const jwt = jwtIn(token);
  if (jwt === undefined) return [];
  return rows(jwt).map(([how, text]) => ({ how, secret: token.derive(() => text) }));
}

/** The header with some members changed. A member that is undefined is omitted. */
const headed = ({ header }: Jwt, change: object): string => encoded({ ...header, ...change });

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64url');

/**
 * The JWT without a valid signature: the algorithm `none` in every spelling (RFC 8725 2.1), no signature, one of
 * zeros (CVE-2022-21449) or in another case, or a wrong number of parts.
 */
export const unsigned = (token: Secret): Forgery[] =>
  forged(token, (jwt) => {
    const [head, body, signature] = jwt.parts;
    const none = headed(jwt, { alg: 'none' });
    const length = Buffer.from(signature, 'base64url').length;
    const es256 = headed(jwt, { alg: 'ES256' });
    const jwe = encoded({ alg: 'dir', enc: 'A256GCM' });
    const encrypted = `${jwe}..${zeros(12)}.${body}.${zeros(16)}`;
    return [
      ...['none', 'None', 'NONE', 'nOnE', '', null, undefined].map((alg): Row => {
        const name = alg === undefined ? 'left out' : JSON.stringify(alg);
        return [`unsigned, with the algorithm ${name}`, `${headed(jwt, { alg })}.${body}.`];
      }),
      ['of the algorithm none, with its old signature', `${none}.${body}.${signature}`],
      ['of the algorithm none, in two parts', `${none}.${body}`],
      ['with its signature in small letters', `${head}.${body}.${signature.toLowerCase()}`],
      ['with an empty signature', `${head}.${body}.`],
      ['without its third part', `${head}.${body}`],
      ['with a signature of zeros', `${head}.${body}.${zeros(length)}`],
      ['of ES256, with a signature of zeros', `${es256}.${body}.${zeros(64)}`],
      ['with a fourth part', `${head}.${body}.${signature}.${signature}`],
      ['in the five parts of a JWE, its claims not encrypted', encrypted],
    ];
  });

/** The JWT with other claims or another header, and the old signature. */
export const tampered = (token: Secret): Forgery[] =>
  forged(token, (jwt) => {
    const { claims, parts } = jwt;
    const [head, body, signature] = parts;
    const claiming = (change: object) =>
      `${head}.${encoded({ ...claims, ...change })}.${signature}`;
    const heading = (change: object) => `${headed(jwt, change)}.${body}.${signature}`;
    const now = Math.floor(Date.now() / 1000);
    const end = typeof claims.exp === 'number' ? claims.exp : now;
    const issued = typeof claims.iat === 'number' ? claims.iat + 60 : now;
    const later = end + 365 * 86_400;
    const twice = Buffer.from(JSON.stringify(claims).replace(/\}$/, `,"exp":${later}}`));
    const tried = ['exp', 'iat', 'nbf', 'sub', 'scope', 'role'];
    const others = Object.keys(claims)
      .filter((name) => !tried.includes(name))
      .slice(0, 4);
    return [
      ['with a later end', claiming({ exp: later })],
      ['without an end', claiming({ exp: undefined })],
      ['with the end null', claiming({ exp: null })],
      ['with its end in milliseconds', claiming({ exp: end * 1000 })],
      ['with a later end as a text', claiming({ exp: String(later) })],
      ['of another subject', claiming({ sub: 'another-subject' })],
      ['with a later iat', claiming({ iat: issued })],
      ['with further rights', claiming({ nbf: 0, scope: 'admin', role: 'admin' })],
      ['with a second and later end', `${head}.${twice.toString('base64url')}.${signature}`],
      ['with another type in its header', heading({ typ: 'other' })],
      ['with an unknown critical header', heading({ crit: ['x'], x: 1 })],
      ...others.map((name): Row => [`with another ${name}`, claiming({ [name]: 'another-value' })]),
    ];
  });

/** The claims, signed with another key. @param header what changes in it besides the algorithm */
function signed(jwt: Jwt, { alg, sign }: Signer, header: object = {}): string {
  const text = `${headed(jwt, { alg, ...header })}.${jwt.parts[1]}`;
  return `${text}.${sign(text)}`;
}

/** An HMAC. @param bits of its SHA-2 hash */
const hmac = (key: string | Buffer, bits = 256): Signer => ({
  alg: `HS${bits}`,
  sign: (text) => createHmac(`sha${bits}`, key).update(text).digest('base64url'),
});

/** The JWT's own claims, signed with a key that an attacker may have or guess, or with an unknown key. */
export async function resigned(token: Secret, account: Account): Promise<Forgery[]> {
  if (!isJwt(token)) return [];
  const rsa = await forgedKey('RS256');
  const ec = await forgedKey('ES256');
  return forged(token, (jwt) => {
    const keys: readonly (readonly [called: string, key: Signer])[] = [
      ...wellKnown.map((key) => [`the key ${JSON.stringify(key)}`, hmac(key)] as const),
      [`the key that is ${ofSpring} in base64`, hmac(Buffer.from(ofSpring, 'base64'))],
      ['an empty key (HS384)', hmac('', 384)],
      ['an empty key (HS512)', hmac('', 512)],
      ['the API key', hmac(open(account.apiKey))],
      ['the secret key', hmac(open(account.secretKey))],
      ['a random key', hmac(randomBytes(32))],
      ['another key (RS256)', rsa],
      ['another key (ES256)', ec],
      ...publicKeysIn(jwt).map((pem) => ['the public key in its header', hmac(pem)] as const),
    ];
    return keys.map(([called, key]) => [`signed again with ${called}`, signed(jwt, key)]);
  });
}

/** Keys from tutorials and documentation, and the text that an unset key may become. */
const wellKnown = [
  '',
  ...`secret changeme your-256-bit-secret jwt-secret shhhhh mysecret supersecret super-secret secretkey
    jwt_secret JWT_SECRET your_jwt_secret your-secret-key 12345678 undefined
    a-string-secret-at-least-256-bits-long`.split(/\s+/),
  // The documentation of FastAPI and NestJS.
  '09d25e094faa6ca2556c818166b7a956' + '3b93f7099f6f0f4caa6cf63b88e8d3e7',
  'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET AND KEEP IT SAFE ' +
    'OUTSIDE OF THE SOURCE CODE.',
];

/** Tutorials of Spring Security decode it from base64. */
const ofSpring = '404E635266556A586E3272357538782F' + '413F4428472B4B6250645367566B5970';

/** The JWT's own claims under a key that its header contains or names (RFC 8725 3.10, 2.1). */
export async function carryingKeys(token: Secret): Promise<Forgery[]> {
  if (!isJwt(token)) return [];
  const rsa = await forgedKey('RS256');
  const ec = await forgedKey('ES256');
  const ed = await forgedKey('EdDSA');
  const oct = randomBytes(32);
  const jwk = { kty: 'oct', k: oct.toString('base64url') };
  return forged(token, (jwt) => {
    // What a careless lookup finds under a kid: a file, a row, or nothing.
    const found = (key: string, kid: string) => signed(jwt, hmac(key), { kid });
    const file = `${'../'.repeat(8)}dev/null`;
    const query = "' UNION SELECT 'key' -- ";
    return [
      ['signed by the key in its jwk or jku', signed(jwt, rsa, withKeySet(rsa))],
      ['signed by the key in its jwk or jku (ES256)', signed(jwt, ec, withKeySet(ec))],
      ['signed by the key in its jwk (EdDSA)', signed(jwt, ed, { jwk: ed.jwk })],
      ['signed again with the HMAC key in its jwk', signed(jwt, hmac(oct), { jwk })],
      ['signed with the empty file that its kid names', found('', file)],
      ['signed with the key that its kid makes a query select', found('key', query)],
      ['signed with an empty key under an empty kid', found('', '')],
      ['signed with an empty key under an unknown kid', found('', 'no-such-key')],
      ['signed with the key "undefined" under an unknown kid', found('undefined', 'no-such-key')],
    ];
  });
}

/** A header with the key, and with a JWK Set (RFC 7517 5) at a URL that needs no server. */
const withKeySet = ({ jwk }: ForgedKey): object => ({
  jwk,
  jku: `data:application/json,${encodeURIComponent(JSON.stringify({ keys: [jwk] }))}`,
});
