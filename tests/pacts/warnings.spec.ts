import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { findWarnings } from '../../pacts/warnings.ts';
import { forToken, interaction, type Json, ofClass, pactOf } from './pact-builder.ts';

const key = 'a-key-with-%41-in-it';

const warnings = (interactions: Json): string[] =>
  pactOf(interactions).pact.interactions.flatMap((read) => findWarnings(read, [new Secret(key)]));

const jwt = (...parts: readonly object[]): string =>
  [...parts.map((part) => JSON.stringify(part)), 'the signature of a token']
    .map((text) => Buffer.from(text).toString('base64url'))
    .join('.');

for (const [what, text, isWarned] of [
  ['a token', `Bearer ${jwt({ alg: 'HS256' }, { sub: 'eve' })}`, true],
  ['a key of the settings', key, true],
  ['a key in Basic credentials', `Basic ${btoa(`${key}:a-password`)}`, true],
  ['an encoded key', `key=${encodeURIComponent(key)}&a=1`, true],
  ['an unsigned token', jwt({ alg: 'none' }, { sub: 'eve' }), false],
  ['the sample of jwt.io', jwt({ alg: 'HS256' }, { sub: '1234567890', name: 'John Doe' }), false],
  // In parts, so that house rules do not find it here.
  ['a text with the shape of a token', ['eyJ', 'dummy.eyJ', 'a.of-no-real-sign'].join(''), false],
  ['a word in which a key is', `not-${key}`, false],
  ['a dummy token', 'Bearer abc123', false],
] as const)
  test(`${what} is ${isWarned ? 'warned of by its place, and not quoted' : 'not warned of'}`, () => {
    const request = { headers: { 'X-Key': [text] } };
    const why = 'is a real credential: write a placeholder in its place';
    const lines = [`request.headers.X-Key[0] ${why}`, `comments.text[0] ${why}`];
    const interactions = { ...interaction('a call', [], { request }), comments: { text: [text] } };
    expect(warnings(interactions)).toEqual(isWarned ? lines : []);
  });

test('a 401 without a state that gives its cause is warned of', () => {
  const refusal = (...states: Parameters<typeof interaction>[1]) =>
    warnings(interaction('a call', states, { response: { status: 401 } }));
  const line = expect.stringContaining('a 401 is expected, and no state gives its cause');
  expect(refusal()).toEqual([line]);
  expect(refusal('an account')).toEqual([line]);
  expect(refusal('a token of nobody')).toEqual([]);
  expect(refusal('a protected endpoint')).toEqual([]);
  expect(refusal({ name: 'the team knows it', params: { id: 7 } })).toEqual([]);
  const several = { response: ofClass('clientError') };
  expect(warnings(interaction('a call', [], several))).toEqual([line]);
  expect(warnings(interaction('a call', [], { ...several, request: forToken }))).toEqual([]);
});
