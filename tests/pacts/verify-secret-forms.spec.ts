import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { type Reply, right } from '../../sandbox/behaviour.ts';
import { account, leaksOf } from '../gate/leaks.ts';
import { all, jsonBody } from './made-up.ts';
import { callWithToken, endings, forToken, interaction, pactOf, verifying } from './verifying.ts';

/** A pact whose token must have one of these forms, and a provider whose tokens look like this. */
function verified(
  regex: string | readonly string[],
  example: string,
  accessToken: string,
  combine = 'OR',
) {
  const matchers = [regex].flat().map((one) => ({ match: 'regex', regex: one }));
  const response = {
    body: jsonBody({ data: { accessToken: example } }),
    matchingRules: {
      body: { '$.data.accessToken': { combine, matchers } },
    },
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

/** A pact about a call, and a provider that repeats the call's token, of this form, in its answer. */
const repeated = (
  response: object,
  reply: (token: string) => Pick<Reply, 'headers' | 'json' | 'body'>,
) =>
  verifying(pactOf(callWithToken('a call', ['a valid token'], response)), {
    provider: {
      mint: () => `tok-${randomUUID()}`,
      finish: (own, { method, headers }) =>
        method === 'GET' && own.status === 200
          ? { ...own, ...reply(String(headers.authorization).slice('Bearer '.length)) }
          : own,
    },
  });

test('each of several places of one token is judged', async () => {
  const matchers = [{ match: 'regex', regex: '[a-z0-9-]{40}' }];
  const body = jsonBody({ tokens: ['x'.repeat(40)], total: 1 });
  const rules = { '$.tokens': all({ match: 'type', min: 1 }), '$.tokens[*]': { matchers } };
  const response = { body, matchingRules: { body: rules } };
  const run = await repeated(response, (token) => ({
    json: { tokens: [token, token], total: 1 },
  }));
  expect(endings(run)).toEqual(['a call: verified']);
});

for (const [part, ending] of [
  ['tok-', 'verified'],
  ['another', 'failed'],
] as const)
  test(`a token is searched for a text that it must include: ${part} is ${ending}`, async () => {
    const matchers = [{ match: 'include', value: part }];
    const response = {
      body: jsonBody({ token: `${part}1` }),
      matchingRules: { body: { '$.token': { matchers } } },
    };
    const run = await repeated(response, (token) => ({ json: { token } }));
    expect(endings(run)).toEqual([`a call: ${ending}`]);
  });

for (const [regex, ending] of [
  ['Bearer [a-z0-9-]{40}', 'verified'],
  ['Bearer [a-z0-9-]{50}', 'failed'],
] as const)
  test(`the form of a token in a header is judged: ${regex} is ${ending}`, async () => {
    const response = {
      headers: { 'X-Token': [`Bearer ${'x'.repeat(Number(regex.slice(-3, -1)))}`] },
      matchingRules: { header: { 'X-Token': { matchers: [{ match: 'regex', regex }] } } },
    };
    const run = await repeated(response, (token) => ({
      headers: { 'x-token': `Bearer ${token}` },
    }));
    expect(endings(run)).toEqual([`a call: ${ending}`]);
  });

for (const [what, combine, forms, example, ending] of [
  ['it has one of two', 'OR', ['^\\d+$', threeParts], 'a.b.c', 'verified'],
  ['it has the shorter of two', 'OR', ['^[\\w.-]+$', '^\\w+$'], 'ABC', 'verified'],
  ['it has neither of two', 'OR', ['^\\w+$', '^[A-Z]+$'], 'ABC', 'failed'],
  ['it has both of two', 'AND', [threeParts, '.{30,}'], `${'x'.repeat(30)}.b.c`, 'verified'],
  ['it has the first of two', 'AND', [threeParts, '.{200,}'], `${'x'.repeat(200)}.b.c`, 'failed'],
] as const)
  test(`several rules about a token judge the token itself: ${what}`, async () => {
    const run = await verified(forms, example, jwt, combine);
    expect(endings(run)).toEqual([`a token: ${ending}`]);
    expect(leaksOf([jwt, account.apiKey])(JSON.stringify(run.pacts))).toEqual([]);
  });

const eachValue = (regex: string) => ({
  match: 'eachValue',
  rules: [{ match: 'regex', regex }],
});

const arrayContains = (regex: string) => ({
  match: 'arrayContains',
  variants: [{ index: 0, rules: { '$.of': all({ match: 'regex', regex }) }, generators: {} }],
});

for (const [where, rule, of] of [
  ['eachValue', eachValue, (token: string) => ({ token })],
  ['arrayContains', arrayContains, (token: string) => [{ of: token }]],
] as const)
  for (const [regex, ending] of [
    ['tok-[a-z0-9-]{36}', 'verified'],
    ['[a-z0-9-]{50}|[A-Z0-9_a-f]+', 'failed'],
  ] as const)
    test(`the form of a token inside ${where} is judged: ${regex} is ${ending}`, async () => {
      const example = ending === 'verified' ? `tok-${'x'.repeat(36)}` : 'x'.repeat(50);
      const response = {
        body: jsonBody({ all: of(example) }),
        matchingRules: { body: { '$.all': all(rule(regex)) } },
      };
      const run = await repeated(response, (token) => ({ json: { all: of(token) } }));
      expect(endings(run)).toEqual([`a call: ${ending}`]);
    });

for (const [regex, ending] of [
  ['tok-[a-z0-9-]{36}', 'verified'],
  ['[a-z0-9-]{50}|[A-Z0-9_a-f]+', 'failed'],
] as const)
  test(`the form of a token that is the whole text of an answer is judged: ${regex} is ${ending}`, async () => {
    const content = ending === 'verified' ? `tok-${'x'.repeat(36)}` : 'x'.repeat(50);
    const response = {
      body: { content, contentType: 'text/plain', encoded: false },
      matchingRules: { body: { $: all({ match: 'regex', regex }) } },
    };
    const run = await repeated(response, (token) => ({
      headers: { 'content-type': 'text/plain' },
      json: undefined,
      body: token,
    }));
    expect(endings(run)).toEqual([`a call: ${ending}`]);
  });
