import { expect, test } from '@playwright/test';
import { right } from '../../sandbox/behaviour.ts';
import { account, leaksOf } from '../gate/leaks.ts';
import { jsonBody } from './made-up.ts';
import { endings, forToken, interaction, pactOf, verifying } from './verifying.ts';

/** A pact whose token must have a form, and a provider whose tokens look like this. */
function verified(regex: string, example: string, accessToken: string) {
  const matchers = [{ match: 'regex', regex }];
  const response = {
    body: jsonBody({ data: { accessToken: example } }),
    matchingRules: { body: { '$.data.accessToken': { combine: 'AND', matchers } } },
  };
  const pact = pactOf(interaction('a token', ['an account'], { request: forToken, response }));
  return verifying(pact, {
    provider: {
      granted: (token, ...of) => ({
        ...right.granted(token, ...of),
        json: { data: { accessToken } },
      }),
    },
  });
}

const jwt = ['{"alg":"HS256"}', '{"sub":"widgets"}', 'signature of this']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');
const threeParts = '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$';

for (const [what, regex, example, accessToken] of [
  ['three parts', threeParts, 'a.b.c', jwt],
  ['anything', '.+', '<ACCESS_TOKEN>', jwt],
  ['a length', '^.{60,80}$', 'x'.repeat(60), jwt],
  ['small letters', '^[a-z-]+$', 'a-token', 'some-small-letters-that-are-no-word'],
] as const)
  test(`a token of the form that a pact requires is right: ${what}`, async () => {
    expect(endings(await verified(regex, example, accessToken))).toEqual(['a token: verified']);
  });

for (const [what, regex, example] of [
  ['other characters', '^[A-Z0-9_a-f]+$', 'ABC'],
  ['a length', '^.{10,60}$', 'x'.repeat(60)],
  ['one part', '^\\w+$', 'abc'],
  ['one part, without anchors', '\\w+', 'abc'],
] as const)
  test(`a token of another form than a pact requires is a difference, without being shown: ${what}`, async () => {
    const run = await verified(regex, example, jwt);
    expect(endings(run)).toEqual(['a token: failed']);
    const { mismatches } = run.pacts[0]?.interactions[0] ?? {};
    expect(mismatches).toMatchObject([{ what: expect.stringContaining('data.accessToken') }]);
    expect(leaksOf([jwt, account.apiKey])(JSON.stringify(run.pacts))).toEqual([]);
  });
