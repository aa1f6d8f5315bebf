import { createHmac } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { jwtForgeries } from '../../contract/attempts/jwt-forgeries.ts';
import type { Forgery } from '../../contract/attempts/tokens.ts';
import { open, Secret } from '../../contract/secrets/secret.ts';
import { encode, issuedAt, jwtIn } from '../../contract/token-form.ts';

const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** A JWT that is signed with the key `the key`. */
function jwtOf(header: object, claims: object): Secret {
  const signed = `${encode(header)}.${encode(claims)}`;
  const mac = createHmac('sha256', 'the key').update(signed).digest('base64url');
  return new Secret(`${signed}.${mac}`);
}

const header = { alg: 'HS256', typ: 'JWT', kid: '7' };
const claims = { sub: 'client', iat: 1_799_913_600, exp: 1_800_000_000, jti: 'one', aud: 'api' };
const jwt = jwtOf(header, claims);
const opaque = new Secret('thirty-two-characters-of-a-token');
const account = { apiKey: new Secret('an API key'), secretKey: new Secret('a secret key') };

/** The forgeries whose description matches. */
const forged = (pattern: RegExp, token = jwt): readonly Forgery[] =>
  jwtForgeries(token, account).filter(({ how }) => pattern.test(how));

const partsOf = ({ secret }: Forgery): string[] => open(secret).split('.');

test('a JWT is distinguished from its look-alikes', () => {
  expect(jwtIn(jwt)).toMatchObject({ header, claims });
  expect(issuedAt(jwt)).toBe(1_799_913_600_000);
  const [head = '', body = '', mac = ''] = open(jwt).split('.');
  for (const text of [
    'a.b.c',
    `${head}.${body}`,
    `${head}.${body}.${mac}.more`,
    `${encode([1])}.${body}.${mac}`,
    'v4.local.c2VjcmV0',
    open(opaque),
  ]) {
    expect(jwtIn(new Secret(text)), text).toBe(undefined);
    expect(issuedAt(new Secret(text)), text).toBe(undefined);
  }
});

test('every forgery differs from the token, is made once, and is described', () => {
  const all = jwtForgeries(jwt, account);
  expect(new Set([open(jwt), ...all.map(({ secret }) => open(secret))]).size).toBe(all.length + 1);
  expect(new Set(all.map(({ how }) => how)).size).toBe(all.length);
  expect(all.length).toBeLessThanOrEqual(65);
});

test('a token that is not a JWT gives no forgeries of one', () => {
  expect(jwtForgeries(opaque, account)).toEqual([]);
});

test('a JWT with other claims or another header keeps its signature', () => {
  const [head, body, mac] = open(jwt).split('.');
  const changed = forged(/^(?!signed).*(\bend\b|another|rights)/).map((forgery) => {
    const parts = partsOf(forgery);
    expect(parts[2], forgery.how).toBe(mac);
    expect((parts[0] === head) !== (parts[1] === body), forgery.how).toBe(true);
    return [forgery.how, decode(parts[1]).exp, decode(parts[1]).jti];
  });
  expect(changed.slice(0, 2)).toEqual([
    ['with a later end', claims.exp + 365 * 86_400, 'one'],
    ['without an end', undefined, 'one'],
  ]);
});

test('a re-signed JWT is valid under the key that it names', () => {
  const keys = { secret: 'secret', 'the API key': 'an API key', 'the secret key': 'a secret key' };
  for (const [called, key] of Object.entries(keys)) {
    const how =
      called === key ? `signed again with the key "${key}"` : `signed again with ${called}`;
    const forgery = jwtForgeries(jwt, account).find((candidate) => candidate.how === how);
    const [head, body, signature] = open(forgery?.secret ?? opaque).split('.');
    const right = createHmac('sha256', key).update(`${head}.${body}`).digest('base64url');
    expect(decode(head)).toEqual(header);
    expect(decode(body)).toEqual(claims);
    expect(signature, how).toBe(right);
  }
});

test('a JWT that has no end is not forged by leaving it out', () => {
  const { exp: _, ...endless } = claims;
  expect(forged(/^without an end$/, jwtOf(header, endless))).toEqual([]);
  expect(forged(/^without an end$/)).toHaveLength(1);
});
