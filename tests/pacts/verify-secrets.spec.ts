import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { right } from '../../sandbox/behaviour.ts';
import { account, forms, leaksOf } from '../gate/leaks.ts';
import { fromState, jsonBody } from './made-up.ts';
import { teamHandler } from './team-handler.ts';
import {
  callWithToken,
  endings,
  endingsOf,
  forToken,
  interaction,
  ownPact,
  pactOf,
  verifying,
} from './verifying.ts';

/** Verifies pacts that pass and pacts that fail; the provider repeats each request in an encoded form. */
for (const [form, write] of Object.entries(forms))
  test(`no secret reaches a result, even if a provider repeats it ${form}`, async () => {
    const output: string[] = [];
    const tokens = new Set<string>();
    const echo = (received: string): string => write(received)[0] ?? '';
    const body = jsonBody({ message: 'hello' });
    const headers = { 'X-Said': ['nothing'] };
    const token = jsonBody({ data: { accessToken: 'another' } });
    const wrong = pactOf(
      callWithToken('a call', ['a valid token'], { body, headers }),
      interaction('a token', ['an account'], { request: forToken, response: { body: token } }),
      callWithToken('a refusal', ['a token of nobody'], { status: 401, headers, body }),
    );
    const run = await verifying([wrong, ownPact], {
      aim: (target) => ({
        ...target,
        account: { apiKey: new Secret(account.apiKey), secretKey: new Secret(account.secretKey) },
      }),
      provider: {
        valid: (given) => given.apiKey === account.apiKey && given.secretKey === account.secretKey,
        mint: (state, now) => {
          const minted = right.mint(state, now);
          tokens.add(minted);
          return minted;
        },
        finish: (reply, { headers, body: asked }) => {
          const message = echo(`${headers.authorization ?? ''} ${asked}`);
          output.push(message);
          return {
            ...reply,
            headers: { 'X-Said': encodeURIComponent(message) },
            json: {
              message: message,
              ...(typeof reply.json === 'object' ? { was: reply.json } : {}),
              ...data(reply.json),
            },
          };
        },
      },
    });
    expect(run.exit).toBe(1);
    expect(run.defect).toBeUndefined();
    expect(leaksOf([...tokens])(output.join())).not.toEqual([]);
    const leaks = leaksOf([account.apiKey, account.secretKey, ...tokens]);
    const { clean: _, ...shown } = run;
    expect(leaks(JSON.stringify(shown))).toEqual([]);
  });

/** The members of an answer in which callers find the token. */
const data = (json: unknown): object =>
  typeof json === 'object' && json !== null && 'data' in json
    ? { data: json.data, success: true }
    : {};

test('credentials that are ordinary words in an expected answer change no verdict', async () => {
  const answer = { name: 'test', latest: ['widgets'] };
  const pact = pactOf(
    interaction('a token', ['an account'], { request: forToken }),
    callWithToken('a call', ['a valid token'], { body: jsonBody(answer) }),
  );
  expect(
    await endingsOf(pact, {
      aim: (target) => ({
        ...target,
        account: { apiKey: new Secret('test'), secretKey: new Secret('widgets') },
      }),
      provider: {
        valid: ({ apiKey, secretKey }) => apiKey === 'test' && secretKey === 'widgets',
        finish: (reply, { method }) => (method === 'GET' ? { ...reply, json: answer } : reply),
      },
    }),
  ).toEqual(['a token: verified', 'a call: verified']);
});

test('a value is converted to its data type', async () => {
  const request = {
    headers: { 'X-Id': ['false'], 'Content-Type': ['application/json'] },
    body: jsonBody({ id: 1 }),
    generators: { body: { '$.id': { ...fromState('${id}'), dataType: 'INTEGER' } } },
  };
  const one = interaction('a type', ['a widget exists'], { request, response: { status: 401 } });
  await using handler = await teamHandler(() => ({ body: { id: '17' } }));
  expect(await endingsOf(pactOf(one), { statesUrl: handler.url })).toEqual(['a type: verified']);
});

test('a value that Pact cannot convert in a header leaves its interaction unverified, and no other', async () => {
  const header = { 'X-Id': { ...fromState('${id}'), dataType: 'BOOLEAN' } };
  const request = { headers: { 'X-Id': ['false'] }, generators: { header } };
  const one = interaction('a type', ['a widget exists'], { request, response: { status: 401 } });
  await using handler = await teamHandler(() => ({ body: { id: 'yes' } }));
  const run = await verifying(pactOf(one, callWithToken()), { statesUrl: handler.url });
  expect([run.exit, ...endings(run)]).toEqual([
    0,
    'a type: unverified, Pact sent no request: a value has another type than a generator',
    'a call: verified',
  ]);
});

test("no word of this project's own sentences counts as a part of a secret", async () => {
  const account = { apiKey: new Secret('shop-key-1'), secretKey: new Secret('shop-secret-1') };
  const run = await verifying(pactOf(interaction('a token', [], { request: forToken })), {
    aim: (target) => ({ ...target, account }),
    provider: { valid: () => true },
  });
  expect(endings(run)).toEqual(['a token: failed, no state gave apiKey']);
  const header = { headers: { 'X-Secret': ['one'] } };
  const wrong = await verifying(pactOf(callWithToken('a call', undefined, header)), {
    aim: (target) => ({ ...target, account }),
    provider: { valid: () => true },
  });
  expect(wrong.pacts[0]?.interactions[0]?.mismatches[0]?.what).toMatch(/^the header X-Secret: /);
});
