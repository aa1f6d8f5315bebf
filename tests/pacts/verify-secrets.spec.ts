import { expect, test } from '@playwright/test';
import { right } from '../../sandbox/behaviour.ts';
import { account, forms, leaksOf } from '../planted.ts';
import {
  callWithToken,
  forToken,
  fromState,
  interaction,
  jsonBody,
  pactOf,
} from './pact-builder.ts';
import { ownPact, testOutcomes, verifying, withAccount } from './verifying.ts';

const headers = { 'X-Said': ['nothing'] };
const body = jsonBody({ message: 'hello' });
const token = jsonBody({ data: { accessToken: 'another' } });
const wrong = pactOf(
  callWithToken('a call', ['a valid token'], { body, headers }),
  interaction('a token', ['an account'], { request: forToken, response: { body: token } }),
  callWithToken('a refusal', ['a token of nobody'], { status: 401, headers, body }),
);

/** Verifies pacts that pass and pacts that fail; the provider repeats each request in an encoded form. */
for (const [form, write] of Object.entries(forms))
  test(`no secret reaches a result, even if a provider repeats it ${form}`, async () => {
    const output: string[] = [];
    const tokens: string[] = [];
    const { apiKey, secretKey } = account;
    const run = await verifying([wrong, ownPact], {
      aim: withAccount(apiKey, secretKey),
      provider: {
        valid: (given) => given.apiKey === apiKey && given.secretKey === secretKey,
        mint: (state, now) => {
          tokens.push(right.mint(state, now));
          return tokens.at(-1) ?? '';
        },
        finish: (reply, { headers, body }) => {
          const message = write(`${headers.authorization ?? ''} ${body}`)[0] ?? '';
          output.push(message);
          const was = Object(reply.json);
          const json = { ...('data' in was && { ...was, success: true }), message, was };
          return { ...reply, headers: { 'X-Said': encodeURIComponent(message) }, json };
        },
      },
    });
    expect(run).toMatchObject({ exit: 1, defect: undefined });
    expect(leaksOf(tokens)(output.join())).not.toEqual([]);
    const { clean: _, ...shown } = run;
    expect(leaksOf([apiKey, secretKey, ...tokens])(JSON.stringify(shown))).toEqual([]);
  });

test('a credential in an answer that only the provider knows is not shown', async () => {
  const [session = '', refresh = ''] = ['9f86d081884c7d65', 'q7Wd3XvA9pLz0RtY5mKb'].map(
    (one) => one + one,
  );
  const response = { headers: { 'X-Session': ['x'] }, body: jsonBody({ note: 'x', refresh: 'x' }) };
  const json = { note: `see ${session}`, refresh };
  const authorised = () => ({ status: 200, headers: { 'X-Session': session }, json });
  const pact = pactOf(callWithToken('a call', ['a valid token'], response));
  const [result] = (await verifying(pact, { provider: { authorised } })).results;
  expect(result?.mismatches).toHaveLength(3);
  expect(JSON.stringify(result?.mismatches)).not.toMatch(new RegExp(`${session}|${refresh}`));
});

const answer = { name: 'test', latest: ['widgets'] };
/** A request with a value of a type, which the state handler gives as a text. */
const typed = (dataType: string, place: 'header' | 'body') => {
  const generator = { ...fromState('${id}'), dataType };
  const generators =
    place === 'header' ? { header: { 'X-Id': generator } } : { body: { '$.id': generator } };
  const headers = { 'X-Id': ['false'], 'Content-Type': ['application/json'] };
  const request = { headers, body: jsonBody({ id: 1 }), generators };
  return interaction(dataType, ['a widget exists'], { request, response: { status: 401 } });
};

testOutcomes({
  'credentials that are ordinary words in an expected answer change no verdict': {
    endings: {
      verified: [
        interaction('a token', ['an account'], { request: forToken }),
        callWithToken('a call', ['a valid token'], { body: jsonBody(answer) }),
      ],
    },
    aim: withAccount('test', 'widgets'),
    provider: {
      valid: ({ apiKey, secretKey }) => apiKey === 'test' && secretKey === 'widgets',
      finish: (reply, { method }) => (method === 'GET' ? { ...reply, json: answer } : reply),
    },
    exit: 0,
  },
  'a value that Pact cannot convert in a header leaves its interaction unverified, and no other': {
    endings: {
      'unverified, Pact sent no request: a value has another type than a generator': [
        typed('BOOLEAN', 'header'),
      ],
      verified: [callWithToken(), typed('INTEGER', 'body')],
    },
    handler: () => ({ body: { id: '17' } }),
    exit: 0,
  },
});

test("no word of this project's own sentences counts as a part of a secret", async () => {
  const pact = pactOf(
    interaction('a token', [], { request: forToken }),
    callWithToken('a call', undefined, { headers: { 'X-Secret': ['one'] } }),
  );
  const aim = withAccount('shop-key-1', 'shop-secret-1');
  const run = await verifying(pact, { aim, provider: { valid: () => true } });
  expect(run.endings).toEqual(['failed, no state gave apiKey', 'failed']);
  expect(run.results[1]?.mismatches[0]?.what).toMatch(/^the header X-Secret: /);
});
