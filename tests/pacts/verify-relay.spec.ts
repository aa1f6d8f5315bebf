import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { targetAt } from '../../gate/under-test.ts';
import { blank } from '../../pacts/pact.ts';
import { Provider } from '../../pacts/verify/provider.ts';
import { openRelay } from '../../pacts/verify/relay.ts';
import { right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import {
  callWithToken,
  forToken,
  fromState,
  interaction,
  jsonBody,
  pactOf,
  withToken,
} from './pact-builder.ts';
import { testOutcomes, verifying, withAccount } from './verifying.ts';

test('an unauthorised client of the relay gets nothing, from no provider', async () => {
  let requests = 0;
  await using sandbox = await startSandbox({ behaviour: { ...right, arrived: () => ++requests } });
  const relay = await openRelay({ provider: new Provider(targetAt(sandbox.baseUrl)) });
  relay.admit(blank);
  const headers = { 'X-Pact-Interaction': '00000000-0000-0000-0000-000000000000.1' };
  for (const path of ['/public-api/v1/widgets', '/states']) {
    const answer = await fetch(relay.origin + path, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('{}');
    // A pact may expect any header that the provider has not sent.
    expect([...answer.headers.keys()]).toEqual(['content-type']);
  }
  expect(requests).toBe(0);
  relay.close();
});

const refusal = { success: false, message: 'Invalid or expired access token.' };
const kind = { 'X-Kind': ['plain'] };
const whole = interaction('a refusal', [], {
  response: { status: 401, body: jsonBody(refusal), headers: kind },
});
const marked = `\ufeff${JSON.stringify(refusal)}`;
const sent = { 'Content-Type': 'application/vnd.api+json', 'X-Kind': 'plain' };
const zipped = { ...sent, 'Content-Encoding': 'gzip' };
const foreign = { 'Content-Type': 'application/json; of=caf\u00e9', 'X-Of': 'caf\u00e9' };

testOutcomes({
  'the core receives a decoded answer, without its byte order mark': {
    endings: { verified: [whole] },
    provider: { unauthorised: () => ({ status: 401, body: gzipSync(marked), headers: zipped }) },
  },
  'a header beyond ASCII fails no pact, and ends no run': {
    endings: {
      verified: [callWithToken('a call', undefined, { headers: kind, body: jsonBody({}) })],
    },
    provider: {
      authorised: () => ({ status: 200, body: '{}', headers: { ...foreign, 'X-Kind': 'plain' } }),
    },
  },
});

test('credentials are encoded as JSON requires, by a generator and by the name of a placeholder', async () => {
  const secretKey = 'a "quoted" \\ <b>&=c d+%é\u2028 $& ${x}';
  const received: unknown[] = [];
  const valid: typeof right.valid = (credentials) => received.push(credentials) > 0;
  const arrived: typeof right.arrived = ({ url }) => Math.min(received.push(url), 0);
  for (const generators of [forToken.generators, {}]) {
    const request = { ...forToken, generators, query: { key: ['<API_KEY>'] } };
    const pact = pactOf(interaction('a token', ['an account'], { request }));
    const provider = { valid, arrived };
    const run = await verifying(pact, { aim: withAccount('k&y', secretKey), provider });
    expect(run.endings).toEqual(['verified']);
    const url = '/public-api/v1/auth/token?key=k%26y';
    expect(received.slice(-2)).toEqual([url, { apiKey: 'k&y', secretKey }]);
    expect(run.results[0]?.asked).toContain('=[secret]   {"apiKey":"k&y","secretKey":"[secret]"}');
  }
});

test('several values of a header are sent as one, those of cookies with a semicolon', async () => {
  const received: unknown[] = [];
  const arrived: typeof right.arrived = ({ headers }) => {
    received.push([headers.cookie, headers['x-kind'], headers.traceparent]);
    return 0;
  };
  const more = { ...withToken.headers, Cookie: ['a=1', 'b=2'], 'X-Kind': ['a', 'b'] };
  const request = { ...withToken, headers: more };
  const call = interaction('a call', ['a valid token'], { request });
  expect((await verifying(pactOf(call), { provider: { arrived } })).endings).toEqual(['verified']);
  expect(received).toContainEqual(['a=1; b=2', 'a, b', undefined]);
});

test('a credential in an answer that only the provider knows is not shown', async () => {
  const [session = '', refresh = ''] = ['9f86d081884c7d65', 'q7Wd3XvA9pLz0RtY5mKb'].map(
    (one) => one + one,
  );
  const response = { headers: { 'X-Session': ['x'] }, body: jsonBody({ note: 'x', refresh: 'x' }) };
  const json = { note: `see ${session}, https://eve:open-sesame@x`, refresh };
  const authorised = () => ({ status: 200, headers: { 'X-Session': session }, json });
  const dummy = { headers: { Authorization: [`Bearer ${session}`] } };
  const pact = pactOf(
    callWithToken('a call', ['a valid token'], response),
    interaction('a dummy', [], { request: dummy }),
    interaction('a path', [], { request: { path: `/${session}` } }),
  );
  const { results } = await verifying(pact, { provider: { authorised } });
  expect(results[0]?.mismatches).toHaveLength(3);
  expect(results[0]?.mismatches[1]?.what).toMatch(/^the body at \$\.(note|refresh): /);
  const shown = results.map(({ interaction: _, asked: __, ...result }) => result);
  expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${session}|${refresh}|open-sesame`));
});

const answer = { name: 'test', latest: ['widgets'] };
const ofType = { ...fromState('${id}'), dataType: 'BOOLEAN' };
const typed = { headers: { 'X-Id': ['false'] }, generators: { header: { 'X-Id': ofType } } };

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
  },
  'a value that Pact cannot convert leaves its interaction unverified, and no other': {
    endings: {
      'unverified, Pact sent no request: a value has another type than a generator': [
        interaction('a header', ['a widget exists'], { request: typed }),
      ],
      verified: [callWithToken()],
    },
    handler: () => ({ body: { id: 'yes' } }),
  },
});

test("no word of this project's own sentences counts as a part of a secret", async () => {
  const pact = pactOf(interaction('a token', [], { request: forToken }), {
    ...callWithToken('a call', undefined, { headers: { 'X-Secret': ['one'] } }),
    comments: { text: ['shop-key-1', 'shop-secret-1'] },
  });
  const aim = withAccount('shop-key-1', 'shop-secret-1');
  const run = await verifying(pact, { aim, provider: { valid: () => true } });
  expect(run.endings).toEqual(['failed, no state gave apiKey', 'failed']);
  const what = expect.stringMatching(/^the header X-Secret: /);
  expect(run.results[1]?.mismatches).toMatchObject([{ what, received: 'nothing' }]);
  expect(run.results[1]?.warnings).toHaveLength(2);
});
