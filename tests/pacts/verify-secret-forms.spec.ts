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
    matchingRules: { body: { '$.data.accessToken': { combine, matchers } } },
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
  const run = await repeated(response, (token) => ({ json: { tokens: [token, token], total: 1 } }));
  expect(endings(run)).toEqual(['a call: verified']);
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

/** A place of a token in an answer: the answer that a pact expects, and the answer of the provider. */
interface Place {
  readonly expects: (example: string, form: string) => object;
  readonly answers: (token: string) => ReturnType<Parameters<typeof repeated>[1]>;
}

const inBody = (content: unknown, rules: object, contentType = 'application/json') => ({
  body: { content, contentType, encoded: false },
  matchingRules: { body: rules },
});

const places: Readonly<Record<string, Place>> = {
  'in a header': {
    expects: (example, form) => ({
      headers: { 'X-Token': [example] },
      matchingRules: { header: { 'X-Token': all({ match: 'regex', regex: form }) } },
    }),
    answers: (token) => ({ headers: { 'x-token': `Bearer ${token}` } }),
  },
  'that must include a text': {
    expects: (token, value) => inBody({ token }, { '$.token': all({ match: 'include', value }) }),
    answers: (token) => ({ json: { token } }),
  },
  'inside eachValue': {
    expects(token, regex) {
      const rule = { match: 'eachValue', rules: [{ match: 'regex', regex }] };
      return inBody({ all: { token } }, { '$.all': all(rule) });
    },
    answers: (token) => ({ json: { all: { token } } }),
  },
  'inside arrayContains': {
    expects(of, regex) {
      const rules = { '$.of': all({ match: 'regex', regex }) };
      const rule = { match: 'arrayContains', variants: [{ index: 0, rules, generators: {} }] };
      return inBody({ all: [{ of }] }, { '$.all': all(rule) });
    },
    answers: (of) => ({ json: { all: [{ of }] } }),
  },
  'that is the whole text of an answer': {
    expects: (text, regex) => inBody(text, { $: all({ match: 'regex', regex }) }, 'text/plain'),
    answers: (body) => ({ headers: { 'content-type': 'text/plain' }, json: undefined, body }),
  },
};

for (const [where, form, example, ending] of [
  ['in a header', 'Bearer [a-z0-9-]{40}', `Bearer ${'x'.repeat(40)}`, 'verified'],
  ['in a header', 'Bearer [a-z0-9-]{50}', `Bearer ${'x'.repeat(50)}`, 'failed'],
  ['that must include a text', 'tok-', 'tok-1', 'verified'],
  ['that must include a text', 'another', 'another1', 'failed'],
  ...['inside eachValue', 'inside arrayContains', 'that is the whole text of an answer'].flatMap(
    (where) =>
      [
        [where, 'tok-[a-z0-9-]{36}', `tok-${'x'.repeat(36)}`, 'verified'],
        [where, '[a-z0-9-]{50}|[A-Z0-9_a-f]+', 'x'.repeat(50), 'failed'],
      ] as const,
  ),
] as const)
  test(`the form of a token ${where} is judged: ${form} is ${ending}`, async () => {
    const { expects, answers } = places[where] as Place;
    const run = await repeated(expects(example, form), answers);
    expect(endings(run)).toEqual([`a call: ${ending}`]);
  });
