import { createHmac, createPublicKey, generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { numberIn } from '../json-value.ts';
import { remembering } from '../remembering.ts';
import { type Account, open, type Secret } from '../secrets/secret.ts';
import { encoded, type Jwt, jwtIn } from '../token-form.ts';
import type { Forgery } from './tokens.ts';

/** How a forged JWT differs from the valid one, and its text. */
type Row = readonly [how: string, text: string];

/**
 * JWTs that the service did not generate, derived from one that it did: the attacks of RFC 8725 and the CVEs of JWT
 * libraries. A token that is not a JWT has no forgeries.
 */
export async function jwtForgeries(token: Secret, account: Account): Promise<readonly Forgery[]> {
  const jwt = jwtIn(token);
  if (jwt === undefined) return [];
  const rows = [...unsigned(jwt), ...tampered(jwt), ...(await signedAgain(jwt, account))];
  return (
    rows
      .map(([how, text]) => ({ how, secret: token.derive(() => text) }))
      // A JWT that has no end is itself the one without an end.
      .filter(({ secret }) => !secret.equals(token))
  );
}

/** The header with some members changed. A member that is undefined is omitted. */
const headed = ({ header }: Jwt, change: object): string => encoded({ ...header, ...change });

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64url');

/**
 * The JWT without a valid signature: the algorithm `none` in every spelling (RFC 8725 2.1), no signature, one of
 * zeros (CVE-2022-21449) or in another case, or a wrong number of parts.
 */
function unsigned(jwt: Jwt): Row[] {
  const { head, body, signature } = jwt;
  const none = headed(jwt, { alg: 'none' });
  const es256 = headed(jwt, { alg: 'ES256' });
  const jwe = encoded({ alg: 'dir', enc: 'A256GCM' });
  const encrypted = `${jwe}..${zeros(12)}.${body}.${zeros(16)}`;
  const { length } = Buffer.from(signature, 'base64url');
  return [
    ...['none', 'None', 'NONE', 'nOnE', '', null, undefined].map((alg): Row => {
      const name = JSON.stringify(alg) ?? 'left out';
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
}

/** The JWT with other claims or another header, and the old signature. */
function tampered(jwt: Jwt): Row[] {
  const { claims, head, body, signature } = jwt;
  const claiming = (change: object) => `${head}.${encoded({ ...claims, ...change })}.${signature}`;
  const heading = (change: object) => `${headed(jwt, change)}.${body}.${signature}`;
  const now = Math.floor(Date.now() / 1000);
  const end = numberIn(claims, 'exp') ?? now;
  const later = end + 365 * 86_400;
  const twice = Buffer.from(JSON.stringify(claims).replace(/\}$/, `,"exp":${later}}`));
  const tried = new Set(['exp', 'iat', 'nbf', 'sub', 'scope', 'role']);
  const others = Object.keys(claims)
    .filter((name) => !tried.has(name))
    .slice(0, 4);
  return [
    ['with a later end', claiming({ exp: later })],
    ['without an end', claiming({ exp: undefined })],
    ['with the end null', claiming({ exp: null })],
    ['with its end in milliseconds', claiming({ exp: end * 1000 })],
    ['with a later end as a text', claiming({ exp: String(later) })],
    ['of another subject', claiming({ sub: 'another-subject' })],
    ['with a later iat', claiming({ iat: (numberIn(claims, 'iat') ?? now - 60) + 60 })],
    ['with further rights', claiming({ nbf: 0, scope: 'admin', role: 'admin' })],
    ['with a second and later end', `${head}.${twice.toString('base64url')}.${signature}`],
    ['with another type in its header', heading({ typ: 'other' })],
    ['with an unknown critical header', heading({ crit: ['x'], x: 1 })],
    ...others.map((name): Row => [`with another ${name}`, claiming({ [name]: 'another-value' })]),
  ];
}

/**
 * The JWT's own claims, signed with a key that an attacker may have or guess, with an unknown key, or with a key that
 * its header contains or names (RFC 8725 3.10, 2.1).
 */
async function signedAgain(jwt: Jwt, account: Account): Promise<Row[]> {
  const rsa = await forgedKey('RS256');
  const ec = await forgedKey('ES256');
  const ed = await forgedKey('EdDSA');
  const oct = randomBytes(32);
  const octSet = { jwk: { kty: 'oct', k: oct.toString('base64url') } };
  const query = "' UNION SELECT 'key' -- ";
  const keys: readonly (readonly [key: Key, called: string, header?: object])[] = [
    ...wellKnown.map((key) => [hmac(key), `again with the key ${JSON.stringify(key)}`] as const),
    [hmac(Buffer.from(ofSpring, 'base64')), `again with the key that is ${ofSpring} in base64`],
    [hmac('', 384), 'again with an empty key (HS384)'],
    [hmac('', 512), 'again with an empty key (HS512)'],
    [hmac(open(account.apiKey)), 'again with the API key'],
    [hmac(open(account.secretKey)), 'again with the secret key'],
    [hmac(randomBytes(32)), 'again with a random key'],
    [rsa, 'again with another key (RS256)'],
    [ec, 'again with another key (ES256)'],
    ...publicKeysIn(jwt).map(
      (pem) => [hmac(pem), 'again with the public key in its header'] as const,
    ),
    [rsa, 'by the key in its jwk or jku', rsa.inHeader],
    [ec, 'by the key in its jwk or jku (ES256)', ec.inHeader],
    [ed, 'by the key in its jwk (EdDSA)', { jwk: ed.inHeader.jwk }],
    [hmac(oct), 'again with the HMAC key in its jwk', octSet],
    // What a careless lookup finds under a kid: a file, a row, or nothing.
    [hmac(''), 'with the empty file that its kid names', { kid: `${'../'.repeat(8)}dev/null` }],
    [hmac('key'), 'with the key that its kid makes a query select', { kid: query }],
    [hmac(''), 'with an empty key under an empty kid', { kid: '' }],
    [hmac(''), 'with an empty key under an unknown kid', { kid: 'no-such-key' }],
    [hmac('undefined'), 'with the key "undefined" under an unknown kid', { kid: 'no-such-key' }],
  ];
  return keys.map(([{ alg, sign }, called, header]) => {
    const text = `${headed(jwt, { alg, ...header })}.${jwt.body}`;
    return [`signed ${called}`, `${text}.${sign(text).toString('base64url')}`];
  });
}

/** Keys from tutorials and documentation (at last FastAPI's and NestJS's), and the text that an unset key may become. */
const wellKnown = [
  ...['', 'secret', 'changeme', 'your-256-bit-secret', 'jwt-secret', 'shhhhh', 'mysecret'],
  ...['supersecret', 'super-secret', 'secretkey', 'jwt_secret', 'JWT_SECRET', 'your_jwt_secret'],
  ...['your-secret-key', '12345678', 'undefined', 'a-string-secret-at-least-256-bits-long'],
  '09d25e094faa6ca2556c818166b7a956' + '3b93f7099f6f0f4caa6cf63b88e8d3e7',
  'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET AND KEEP IT SAFE OUTSIDE OF THE SOURCE CODE.',
];

/** Tutorials of Spring Security decode it from base64. */
const ofSpring = '404E635266556A586E3272357538782F' + '413F4428472B4B6250645367566B5970';

/** An algorithm (RFC 7518), and the signature of a text with a key. @param bits of the SHA-2 hash */
const hmac = (key: string | Buffer, bits = 256) => ({
  alg: `HS${bits}`,
  sign: (text: string): Buffer => createHmac(`sha${bits}`, key).update(text).digest(),
});
type Key = ReturnType<typeof hmac>;

const generate = promisify(generateKeyPair);
const keyPairs = {
  RS256: () => generate('rsa', { modulusLength: 2048 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generate('ed25519'),
};

/**
 * A key of this process, generated on first use, off the main thread: RSA takes a tenth of a second. In a header it is
 * a JWK, and a JWK Set (RFC 7517) at a URL that needs no server.
 */
const forgedKey = remembering(async (alg: keyof typeof keyPairs) => {
  const { publicKey, privateKey: key } = await keyPairs[alg]();
  const jwk = publicKey.export({ format: 'jwk' });
  const digest = alg === 'EdDSA' ? null : 'sha256';
  const set = encodeURIComponent(JSON.stringify({ keys: [jwk] }));
  return {
    alg,
    inHeader: { jwk, jku: `data:application/json,${set}` },
    sign: (text: string) => sign(digest, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }),
  };
});

/**
 * The public key in the header of a JWT as PEM, with and without its last line break: a verifier that lets the token
 * choose the algorithm uses it as the key of an HMAC (RFC 8725 2.1). The provider's key has no other source.
 */
function publicKeysIn({ header: { jwk } }: Jwt): string[] {
  try {
    const key = createPublicKey({ key: Object(jwk), format: 'jwk' });
    const pem = String(key.export({ type: 'spki', format: 'pem' }));
    return [pem, pem.trimEnd()];
  } catch {
    return [];
  }
}
