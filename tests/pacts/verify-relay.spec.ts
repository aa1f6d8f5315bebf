import { gzipSync } from 'node:zlib';
import { test as base, expect } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { ownSandbox } from '../../gate/own-sandbox.ts';
import { blank } from '../../pacts/pact.ts';
import { Provider } from '../../pacts/verify/provider.ts';
import { openRelay } from '../../pacts/verify/relay.ts';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { fromState, jsonBody } from './made-up.ts';
import {
  callWithToken,
  endings,
  endingsOf,
  forToken,
  interaction,
  pactOf,
  verifying,
  withToken,
} from './verifying.ts';

/** Tests of the relay alone, which send requests as Pact's core does. */
const test = base.extend<{ relay: Awaited<ReturnType<typeof openRelay>>; seen: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  seen: async ({}, use) => use([]),
  relay: async ({ seen }, use) => {
    const finish: typeof right.finish = (reply, { method, url }) => {
      seen.push(`${method} ${url}`);
      return reply;
    };
    await using sandbox = await ownSandbox({ behaviour: { ...right, finish } });
    const relay = await openRelay({ provider: new Provider(sandbox.target), onVisit: () => {} });
    await use(relay);
    relay.close();
  },
});

test('an unauthorised client of the relay gets nothing, from no provider', async ({
  relay,
  seen,
}) => {
  relay.admit(blank);
  const mark = '00000000-0000-0000-0000-000000000000.1';
  for (const [path, headers] of [
    ['/public-api/v1/widgets', {}],
    ['/public-api/v1/widgets', { 'X-Pact-Interaction': mark }],
    ['/', { 'X-Pact-Interaction': '' }],
    ['/states', {}],
  ] as const) {
    const answer = await fetch(relay.origin + path, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('{}');
  }
  expect(seen).toEqual([]);
  expect(relay.defect).toBeUndefined();
});

test('a path outside the prefix of the API is not requested', async ({ relay, seen }) => {
  const [mark, visit] = relay.admit(blank);
  const headers = { 'X-Pact-Interaction': mark };
  await fetch(`${relay.origin}/test-clock`, { method: 'DELETE', headers });
  expect(visit.ended).toMatchObject({
    ending: 'failed',
    message: 'the path /test-clock is not below /public-api/v1/ (VERSION-1)',
  });
  expect(seen).toEqual([]);
});

test('the core receives the decoded answer: in one piece, without a byte order mark', async () => {
  const message = 'Invalid or expired access token.';
  const body = jsonBody({ success: false, message });
  const headers = { 'X-Kind': ['plain'] };
  const pact = pactOf(interaction('a refusal', [], { response: { status: 401, body, headers } }));
  const marked = `\ufeff${JSON.stringify({ success: false, message })}`;
  for (const coding of ['gzip', 'identity']) {
    const sent = {
      'Content-Encoding': coding,
      'Content-Type': 'application/vnd.api+json',
      'X-Kind': 'plain',
    };
    const body = coding === 'gzip' ? gzipSync(marked) : marked;
    const unauthorised = () => ({ status: 401, body, headers: sent });
    const run = await verifying(pact, { provider: { unauthorised } });
    expect([run.exit, ...endings(run)]).toEqual([0, 'a refusal: verified']);
  }
  expect(await endingsOf(pact, { provider: faulty('chunks') })).toEqual(['a refusal: failed']);
});

test('a header beyond ASCII fails no pact, and ends no run', async () => {
  const body = jsonBody({ ok: true });
  const headers = { 'X-Kind': ['plain'] };
  const pact = pactOf(callWithToken('a call', ['a valid token'], { headers, body }));
  const contentType = 'application/json; of=caf\u00e9';
  const sent = { 'Content-Type': contentType, 'X-Of': 'caf\u00e9', 'X-Kind': 'plain' };
  const run = await verifying(pact, {
    provider: { authorised: () => ({ status: 200, body: '{"ok":true}', headers: sent }) },
  });
  expect([run.exit, run.defect, ...endings(run)]).toEqual([0, undefined, 'a call: verified']);
});

test('an answer has only headers that the provider sent', async ({ relay }) => {
  const { headers } = await fetch(relay.origin);
  expect([...headers.keys()]).toEqual(['content-type']);
  for (const name of ['Connection', 'Keep-Alive', 'Transfer-Encoding']) {
    const response = {
      headers: { [name]: ['any'] },
      matchingRules: { header: { [name]: { matchers: [{ match: 'type' }] } } },
    };
    const pact = pactOf(callWithToken(name, ['a valid token'], response));
    expect(await endingsOf(pact)).toEqual([`${name}: failed`]);
  }
});

test('the request is sent as the pact defines it, without the headers of the relay', async () => {
  const request = {
    ...withToken,
    method: 'POST',
    path: '/public-api/v1/reports',
    query: { a: ['b c', 'd&e'] },
    headers: {
      ...withToken.headers,
      'Content-Type': ['text/plain; charset=utf-8'],
      'X-List': ['one', 'two'],
      'Accept-Encoding': ['zstd'],
      'Content-Length': ['11'],
      Host: ['of.the.consumer'],
    },
    body: { content: 'h\u00e9llo "you"', encoded: false, contentType: 'text/plain' },
  };
  const received: unknown[] = [];
  const parts = { request, response: { status: 202 } };
  const pact = pactOf(interaction('a report', ['a valid token'], parts));
  const run = await verifying(pact, {
    provider: {
      authorised: ({ reply }, { url, headers, body }) => {
        if (url.includes('?')) received.push({ url, headers, body });
        return reply;
      },
    },
  });
  expect(endings(run)).toEqual(['a report: verified']);
  expect(received).toEqual([
    {
      url: '/public-api/v1/reports?a=b+c&a=d%26e',
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, deflate, br',
        authorization: expect.stringMatching(/^Bearer [\w-]{43}$/),
        connection: expect.any(String),
        'content-length': '12',
        'content-type': 'text/plain; charset=utf-8',
        host: expect.any(String),
        'user-agent': expect.stringContaining('pact'),
        'x-list': 'one, two',
      },
      body: 'h\u00e9llo "you"',
    },
  ]);
  expect(run.pacts[0]?.interactions[0]?.asked).toBe(
    'POST /public-api/v1/reports?a=b+c&a=d%26e   Authorization: Bearer [secret]   content-type: text/plain; charset=utf-8   x-list: one, two   h\u00e9llo "you"',
  );
});

test('a secret is encoded as a form requires, and as a query requires', async () => {
  const secretKey = 'a&b=c d+%\u00e9"';
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
  const received: unknown[] = [];
  await verifying(pactOf(interaction('a form', ['an account'], { request: form })), {
    aim: (target) => ({
      ...target,
      account: { apiKey: new Secret('k&y'), secretKey: new Secret(secretKey) },
    }),
    provider: {
      ...faulty('form-credentials'),
      valid: () => true,
      finish: (reply, { body, query }) => {
        if (query.size > 0) received.push(...new URLSearchParams(body), ...query);
        return reply;
      },
    },
  });
  expect(received).toEqual([
    ['apiKey', 'k&y'],
    ['secretKey', secretKey],
    ['key', secretKey],
  ]);
});
