import { createHmac } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { open, Secret } from '../../contract/secret.ts';
import {
  altered,
  formOf,
  isJwt,
  lengthened,
  madeUpLike,
  prolonged,
  recased,
  resigned,
  shortened,
  unsigned,
} from '../../contract/token-form.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: 'client', exp: 1_800_000_000 })}`;
const mac = createHmac('sha256', 'the key').update(signed).digest('base64url');
const jwt = new Secret(`${signed}.${mac}`);
const opaque = new Secret(Buffer.from('thirty-two bytes of a good token').toString('base64url'));

const bytes = (text: string): string => Buffer.from(text, 'base64url').toString('hex');

for (const [what, forge] of [
  ['altered', altered],
  ['shortened', shortened],
  ['lengthened', lengthened],
  ['re-cased', recased],
  ['made up', (token: Secret) => [madeUpLike(token)]],
] as const)
  test(`a token that is ${what} stands for other bytes, so that no lenient decoder takes it`, () => {
    const forgeries = forge(opaque);
    expect(forgeries.length).toBeGreaterThan(0);
    for (const { how, secret } of forgeries)
      expect(bytes(open(secret)), how).not.toBe(bytes(open(opaque)));
  });

/** As Python, PHP and many others read base64: padding may be absent, and nothing is read behind it. */
const padded = (text: string): string => bytes(text.split('=')[0] ?? '');

test('a forged token with padding stands for other bytes, where padding is read leniently', () => {
  for (let size = 16; size < 36; size++)
    for (let filling = 0; filling < 256; filling += 23) {
      const token = Buffer.alloc(size, filling).toString('base64');
      for (const forge of [altered, shortened, lengthened])
        for (const { how, secret } of forge(new Secret(token)))
          expect.soft(padded(open(secret)), `${token} ${how}`).not.toBe(padded(token));
    }
});

test('each part of a JWT is altered at three places, and the others are left alone', () => {
  const parts = open(jwt).split('.');
  const changed = altered(jwt).map(({ how, secret }) => {
    const forged = open(secret).split('.');
    const differ = forged.flatMap((part, index) => (part === parts[index] ? [] : [index + 1]));
    return `${how}: ${differ.join()}`;
  });
  expect(changed).toEqual(
    [1, 2, 3].flatMap((part) =>
      ['beginning', 'middle', 'end'].map(
        (place) => `altered at the ${place} of part ${part}: ${part}`,
      ),
    ),
  );
});

test('the last character of a part, which may hold spare bits only, is never the one altered', () => {
  const last = open(jwt)
    .split('.')
    .map((part) => part.at(-1));
  for (const { secret } of altered(jwt))
    expect(
      open(secret)
        .split('.')
        .map((part) => part.at(-1)),
    ).toEqual(last);
});

test('alphabets without two cases are not re-cased', () => {
  expect(recased(new Secret('0f8fad5b-d9cb-469f-a165-70867728950e'))).toEqual([]);
  expect(recased(new Secret('JBSWY3DPEHPK3PXP'))).toEqual([]);
});

test('a prefix in another case than the alphabet behind it does not make it one of two cases', () => {
  expect(recased(new Secret(`AT-${'0f8fad5b-d9cb-469f-a165-70867728950e'}`))).toEqual([]);
  expect(recased(new Secret('tok_01HV3JBSWY'))).toEqual([]);
  expect(recased(new Secret('tok_aZ')).map(({ secret }) => open(secret))).toEqual([
    'tok_az',
    'tok_AZ',
    'tok_Az',
  ]);
});

test('a JWT is told from what only looks like one', () => {
  expect(isJwt(jwt)).toBe(true);
  for (const text of [
    'a.b.c',
    `${signed}`,
    `${signed}.${mac}.more`,
    'v4.local.c2VjcmV0',
    open(opaque),
  ])
    expect(isJwt(new Secret(text)), text).toBe(false);
});

test('unsigned JWTs keep their claims and say none in every spelling', () => {
  const heads = unsigned(jwt).map(({ secret }) => {
    const [head = '', claims, signature] = open(secret).split('.');
    expect([claims, signature]).toEqual([signed.split('.')[1], '']);
    return JSON.parse(Buffer.from(head, 'base64url').toString()).alg;
  });
  expect(heads).toEqual(['none', 'None', 'NONE', 'nOnE', 'HS256']);
});

test('a JWT that is signed again is right under the new key', () => {
  const { secret } = resigned(jwt, new Secret('guessed'), 'with a guess');
  const [head, claims, signature] = open(secret).split('.');
  const right = createHmac('sha256', 'guessed').update(`${head}.${claims}`).digest('base64url');
  expect(signature).toBe(right);
});

test('a prolonged JWT ends a year later under its old signature', () => {
  const [, claims = '', signature] = open(prolonged(jwt).secret).split('.');
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  expect([exp - 1_800_000_000, signature]).toEqual([365 * 86_400, mac]);
});

test('the form of a token gives nothing of it away', () => {
  expect(
    [
      open(jwt),
      '0f8fad5b-d9cb-469f-a165-70867728950e',
      '1234567890123456',
      'deadbeef00',
      'Zm9v_x-y',
      'a+b/c9==',
      'v1|x~',
    ].map((text) => formOf(new Secret(text))),
  ).toEqual([
    'JWT',
    'UUID, 36 long',
    'digits, 16 long',
    'hexadecimal, 10 long',
    'letters, digits, - and _, 8 long',
    'base64, 8 long',
    'other characters, 5 long',
  ]);
});
