import { createHmac } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { alter, type Forgery, forgeTokens } from '../../contract/attempts/tokens.ts';
import { open, Secret } from '../../contract/secrets/secret.ts';
import { describeForm, encode, randomLike } from '../../contract/token-form.ts';

/** The forgeries whose description matches. */
const forms =
  (pattern: RegExp) =>
  (token: Secret): Forgery[] =>
    forgeTokens(token).filter(({ how }) => pattern.test(how));

const shortened = forms(/^(without|cut)/);
const lengthened = forms(/^(with four|twice)/);
const recased = forms(/letters?\b/);

const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: 'client', exp: 1_800_000_000 })}`;
const mac = createHmac('sha256', 'the key').update(signed).digest('base64url');
const jwt = new Secret(`${signed}.${mac}`);
const opaque = new Secret(Buffer.from('thirty-two bytes of a good token').toString('base64url'));

const bytes = (text: string): string => Buffer.from(text, 'base64url').toString('hex');

for (const [what, forge] of [
  ['altered', alter],
  ['shortened', shortened],
  ['lengthened', lengthened],
  ['re-cased', recased],
  ['made up', forms(/^(random|of the same form)/)],
] as const)
  test(`a token that is ${what} encodes other bytes, so that no lenient decoder accepts it`, () => {
    const forgeries = forge(opaque);
    expect(forgeries.length).toBeGreaterThan(0);
    for (const { how, secret } of forgeries)
      expect(bytes(open(secret)), how).not.toBe(bytes(open(opaque)));
  });

test('a made-up token differs from the token, also from one without letters and digits', () => {
  for (const text of ['-._~+/--..==', 'a', '7', '~a~'])
    for (let time = 0; time < 50; time++) expect(open(randomLike(new Secret(text)))).not.toBe(text);
});

/** The places at which forgeries differ from a token. */
const changedIn = (token: Secret): string[] =>
  alter(token).map(({ secret }) => {
    const forged = open(secret);
    const at = [...open(token)].flatMap((sign, index) => (sign === forged[index] ? [] : [index]));
    return at.join();
  });

test('each part of a JWT is altered at some places, one character each', () => {
  const [head = '', body = ''] = open(jwt).split('.');
  const ends = [head.length, head.length + 1 + body.length];
  const parts = changedIn(jwt).map((at) => ends.filter((end) => Number(at) > end).length);
  expect([...new Set(parts)]).toEqual([0, 1, 2]);
});

test('an opaque token is altered at seven places, one character each, and a short one at fewer', () => {
  expect(open(opaque)).toHaveLength(43);
  expect(changedIn(opaque)).toEqual(['0', '4', '10', '20', '30', '36', '41']);
  expect(alter(new Secret('ab'))).toHaveLength(1);
});

test('alphabets without two cases are not re-cased', () => {
  expect(recased(new Secret('0f8fad5b-d9cb-469f-a165-70867728950e'))).toEqual([]);
  expect(recased(new Secret('JBSWY3DPEHPK3PXP'))).toEqual([]);
});

test('a prefix in another case than the rest of the token does not make its alphabet two-cased', () => {
  expect(recased(new Secret(`AT-${'0f8fad5b-d9cb-469f-a165-70867728950e'}`))).toEqual([]);
  expect(recased(new Secret('tok_01HV3JBSWY'))).toEqual([]);
  const texts = recased(new Secret('tok_aZ')).map(({ secret }) => open(secret));
  expect(texts).toEqual(['tok_az', 'tok_AZ']);
});

test('the form of a token reveals nothing of it', () => {
  for (const [text, form] of [
    [open(jwt), 'JWT'],
    ['0f8fad5b-d9cb-469f-a165-70867728950e', 'UUID, 36 long'],
    ['1234567890123456', 'digits, 16 long'],
    ['deadbeef00', 'hexadecimal, 10 long'],
    ['Zm9v_x-y', 'letters, digits, - and _, 8 long'],
    ['a+b/c9==', 'base64, 8 long'],
    ['v1|x~', 'other characters, 5 long'],
  ] as const)
    expect(describeForm(new Secret(text))).toBe(form);
});

test('a digit is replaced by another digit, which may be one of a time', () => {
  const spelt = new Secret('client.1764137163123');
  const texts = alter(spelt).map(({ secret }) => open(secret));
  expect(texts.filter((text) => /^client\.\d{13}$/.test(text)).length).toBeGreaterThan(0);
});

for (const [token, part] of [
  ['63|8f2c9d1e', '8f2c9d1e'],
  ['ghp_8f2c9d1e', '8f2c9d1e'],
  ['bot-1-2-8f2c9d1e', '8f2c9d1e'],
  ['bot-1-2-8f2c9d1e', '1-2-8f2c9d1e'],
  ['key:8f2c9d1e', 'key'],
] as const)
  test(`a token with a structure, such as ${token}, is cut to ${part}`, () => {
    expect(shortened(new Secret(token)).map(({ secret }) => open(secret))).toContain(part);
  });
