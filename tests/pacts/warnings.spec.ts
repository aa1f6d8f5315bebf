import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { warningsOf } from '../../pacts/warnings.ts';
import { interaction, type Json, joined, pactOf, request } from './made-up.ts';

const key = 'a-key-of-the-settings';

/** The warnings about one interaction. */
const warnings = (more: Json): string[] =>
  pactOf([interaction(more)]).interactions.flatMap((one) => warningsOf(one, [new Secret(key)]));

const jwt = (header: object, payload: object): string =>
  [header, payload, 'the signature of a token']
    .map((part) => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)))
    .map((part) => part.toString('base64url'))
    .join('.');
const token = jwt({ alg: 'HS256' }, { sub: 'eve' });

for (const [what, text] of [
  ['a token', `Bearer ${token}`],
  ['a key of the settings', key],
  ['a key in Basic credentials', `Basic ${btoa(`${key}:a-password`)}`],
  ['an encoded key', `key=${key.replaceAll('-', '%2D')}`],
] as const)
  test(`${what} is warned of by its place, and not quoted`, () => {
    const found = warnings({ request: request({ headers: { 'X-Key': [text] } }) });
    expect(found).toEqual([
      'request.headers.X-Key[0] is a real credential: write a placeholder in its place',
    ]);
    expect(warnings({ comments: { text: [text] } })[0]).toContain('comments.text[0] is a real');
  });

for (const [what, text] of [
  ['an unsigned token', jwt({ alg: 'none' }, { sub: 'eve' })],
  ['the sample of jwt.io', jwt({ alg: 'HS256' }, { sub: '1234567890', name: 'John Doe' })],
  ['a text with the shape of a token', joined('eyJ', 'dummy.eyJ', 'token.of-no-real-signature')],
  ['a word in which a key is', `not-${key}`],
  ['a checksum', '9f86d081884c7d65'.repeat(4)],
  ['a dummy token', 'Bearer abc123'],
] as const)
  test(`${what} is not warned of`, () => {
    expect(warnings({ request: request({ headers: { 'X-Key': [text] } }) })).toEqual([]);
  });

test('a 401 without a state that gives its cause is warned of', () => {
  const refusal = (...names: string[]) =>
    warnings({ providerStates: names.map((name) => ({ name })), response: { status: 401 } });
  const [line] = refusal();
  expect(line).toContain('a 401 is expected, and no state gives its cause');
  expect(refusal('an account')).toEqual([line]);
  expect(refusal('a token of nobody')).toEqual([]);
  expect(refusal('the team knows it')).toEqual([]);
});

test('a parameter that a state does not take is warned of', () => {
  const scoped = { name: 'a valid token', params: { scope: 'read' } };
  expect(warnings({ providerStates: [scoped] })).toEqual([
    'the state "a valid token" takes no scope, so it is ignored',
  ]);
  const aged = { name: 'a token made some hours ago', params: { hours: 24 } };
  const own = { name: 'an account of the team', params: { id: 7 } };
  expect(warnings({ providerStates: [aged, own] })).toEqual([]);
});
