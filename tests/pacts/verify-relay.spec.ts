import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { ownSandbox } from '../../gate/own-sandbox.ts';
import { blank } from '../../pacts/pact.ts';
import { Provider } from '../../pacts/verify/provider.ts';
import { openRelay } from '../../pacts/verify/relay.ts';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
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
  await using sandbox = await ownSandbox({ behaviour: { ...right, arrived: () => ++requests } });
  const relay = await openRelay({ provider: new Provider(sandbox.target) });
  relay.admit(blank);
  const mark = { 'X-Pact-Interaction': '00000000-0000-0000-0000-000000000000.1' };
  for (const [path, headers] of [
    ['/public-api/v1/widgets', {}],
    ['/public-api/v1/widgets', mark],
    ['/states', {}],
  ] as const) {
    const answer = await fetch(relay.origin + path, { method: 'POST', headers, body: '{}' });
    expect([answer.status, await answer.text()]).toEqual([404, '{}']);
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
    exit: 0,
  },
  'a header beyond ASCII fails no pact, and ends no run': {
    endings: {
      verified: [callWithToken('a call', undefined, { headers: kind, body: jsonBody({}) })],
    },
    provider: {
      authorised: () => ({ status: 200, body: '{}', headers: { ...foreign, 'X-Kind': 'plain' } }),
    },
    exit: 0,
  },
});

test('the request is sent as the pact defines it, without the headers of the relay', async () => {
  const type = 'text/plain; charset=utf-8';
  const request = {
    ...withToken,
    method: 'POST',
    path: '/public-api/v1/reports',
    query: { a: ['b c', 'd&e'] },
    headers: {
      ...{ ...withToken.headers, 'Content-Type': [type], 'X-List': ['one', 'two'] },
      ...{ 'Accept-Encoding': ['zstd'], 'Content-Length': ['11'], Host: ['of.the.consumer'] },
    },
    body: { content: 'h\u00e9llo "you"', encoded: false, contentType: 'text/plain' },
  };
  const received: unknown[] = [];
  const parts = { request, response: { status: 202 } };
  const run = await verifying(pactOf(interaction('a report', ['a valid token'], parts)), {
    provider: {
      authorised: ({ reply }, { url, headers, body }) => {
        if (url.includes('?')) received.push({ url, headers, body });
        return reply;
      },
    },
  });
  const headers = {
    ...{ accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'content-length': '12' },
    authorization: expect.stringMatching(/^Bearer [\w-]{43}$/),
    ...{ connection: expect.any(String), host: expect.any(String) },
    ...{ 'content-type': type, 'x-list': 'one, two' },
    'user-agent': expect.stringContaining('pact'),
  };
  const url = '/public-api/v1/reports?a=b+c&a=d%26e';
  expect(received).toEqual([{ url, headers, body: 'h\u00e9llo "you"' }]);
  const asked = `POST ${url}   Authorization: Bearer [secret]   content-type: ${type}   x-list: one, two   h\u00e9llo "you"`;
  expect(run.results).toMatchObject([{ ending: 'verified', asked }]);
});

const form = {
  ...forToken,
  headers: { 'Content-Type': ['application/x-www-form-urlencoded'] },
  query: { key: ['<SECRET_KEY>'] },
  body: {
    content: 'apiKey=%3CAPI_KEY%3E&secretKey=%3CSECRET_KEY%3E',
    contentType: 'application/x-www-form-urlencoded',
    encoded: false,
  },
  generators: { ...forToken.generators, query: { key: fromState('${secretKey}') } },
};

test('credentials are encoded as JSON, a form and a query require', async () => {
  const secretKey = 'a "quoted" \\ <b>&=c d+%é\u2028 $& ${x}';
  const received: unknown[] = [];
  const aim = withAccount('k&y', secretKey);
  const keep: typeof right.valid = (credentials) => received.push(credentials) > 0;
  // The core fills generators in; this project fills a placeholder in by its name.
  for (const generators of [forToken.generators, {}]) {
    const request = { ...forToken, generators };
    const inJson = pactOf(interaction('a token', ['an account'], { request }));
    const run = await verifying(inJson, { aim, provider: { valid: keep } });
    expect(run.endings).toEqual(['verified']);
    expect(received.at(-1)).toEqual({ apiKey: 'k&y', secretKey });
  }
  await verifying(pactOf(interaction('a form', ['an account'], { request: form })), {
    aim,
    provider: {
      ...faulty('form-credentials'),
      valid: () => true,
      finish: (reply, { body, query }) => {
        if (query.size > 0) received.push([...new URLSearchParams(body), ...query]);
        return reply;
      },
    },
  });
  const pairs = { apiKey: 'k&y', secretKey, key: secretKey };
  expect(received.at(-1)).toEqual(Object.entries(pairs));
});
