import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Core } from '../../pacts/verify/core.ts';
import { SecretPlaceholders } from '../../pacts/verify/secret-placeholders.ts';
import { right } from '../../sandbox/behaviour.ts';
import { account, forms, leaksOf } from '../gate/leaks.ts';
import { fromState, jsonBody } from './made-up.ts';
import { teamHandler } from './team-handler.ts';
import {
  callWithToken,
  endingsOf,
  forToken,
  interaction,
  ownPact,
  pactOf,
  sharedCore,
  verifying,
} from './verifying.ts';

const text = 'v1|A-long/token.with~signs+and="quotes"$&';
const token = new Secret(text);

/** The plain text of a value after its placeholders were replaced. */
function opened(filled: Secret | string): string {
  if (typeof filled === 'string') return filled;
  let seen = '';
  filled.is((one) => {
    seen = one;
    return true;
  });
  return seen;
}

test('replaced secrets are filled in again, and masked in documents', () => {
  const placeholders = new SecretPlaceholders();
  const placeholder = placeholders.placeholderFor('ACCESS_TOKEN', token);
  expect(placeholder).toMatch(/^ACCESS_TOKEN_1_\w{32}$/);
  expect(encodeURIComponent(placeholder)).toBe(placeholder);
  const filled = placeholders.withSecrets(`Bearer ${placeholder}`);
  expect(opened(filled)).toBe(`Bearer ${text}`);
  expect(`${filled}`).toBe('Bearer [secret]');
  expect(opened(placeholders.withSecrets(placeholder, encodeURIComponent))).toBe(
    encodeURIComponent(text),
  );
  expect(placeholders.withoutSecrets(`token ${text}, ${text}`)).toBe(
    `token ${placeholder}, ${placeholder}`,
  );
  expect(placeholders.shown(`token ${placeholder}`)).toBe('token <ACCESS_TOKEN>');
  expect(placeholders.withSecrets('nothing of it')).toBe('nothing of it');
});

test('a secret gets a new placeholder each time, and no two begin alike', () => {
  const placeholders = new SecretPlaceholders();
  const all = Array.from({ length: 12 }, () => placeholders.placeholderFor('ACCESS_TOKEN', token));
  expect(new Set(all).size).toBe(12);
  for (const one of all) expect(opened(placeholders.withSecrets(one))).toBe(text);
});

test('a secret in JSON is replaced in any escaping, and other text is unchanged', () => {
  const placeholders = new SecretPlaceholders();
  const placeholder = placeholders.placeholderFor('ACCESS_TOKEN', token);
  const escaped = text.replace(
    /./g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  for (const written of [
    JSON.stringify(text),
    JSON.stringify(text).replaceAll('/', '\\/'),
    `"${escaped}"`,
  ])
    expect(placeholders.withoutSecrets(`{"a":1.0, "b": ${written},"c":"\\u00e9\\/","c":1e2}`)).toBe(
      `{"a":1.0, "b": "${placeholder}","c":"\\u00e9\\/","c":1e2}`,
    );
  expect(placeholders.withoutSecrets(`{"a": "unclosed ${text}`)).toBe(
    `{"a": "unclosed ${placeholder}`,
  );
});

test('a secret of digits is replaced in texts, and leaves numbers as they are', () => {
  const placeholders = new SecretPlaceholders();
  const placeholder = placeholders.placeholderFor('API_KEY', new Secret('12345678'));
  expect(placeholders.withoutSecrets('{"account": 12345678,"key":"12345678","e":"\\u00e9"}')).toBe(
    `{"account": 12345678,"key":"${placeholder}","e":"\\u00e9"}`,
  );
  expect(placeholders.withoutSecrets('key 12345678')).toBe(`key ${placeholder}`);
  expect(placeholders.withoutSecrets('12345678')).toBe(placeholder);
});

test('a secret is replaced in a JSON text of any length', () => {
  const placeholders = new SecretPlaceholders();
  const placeholder = placeholders.placeholderFor('ACCESS_TOKEN', token);
  const long = [`${'x'.repeat(2e7)}\\n`, '\\n'.repeat(2e6), '\\"'.repeat(2e6)];
  for (const one of long) {
    const replaced = placeholders.withoutSecrets(`["${one}",${JSON.stringify(text)}]`);
    expect(replaced === `["${one}","${placeholder}"]`, one.slice(-4)).toBe(true);
  }
});

test('texts are searched for thousands of tokens without a delay', () => {
  const placeholders = new SecretPlaceholders();
  const tokens = Array.from({ length: 4000 }, (_, at) => `token-${at}~`);
  const before = process.cpuUsage();
  const wrong = tokens.filter((one) => {
    const placeholder = placeholders.placeholderFor('ACCESS_TOKEN', new Secret(one));
    const [header, other] = [`a header with ${one}`, 'another header'];
    return (
      placeholders.withoutSecrets(header) !== `a header with ${placeholder}` ||
      placeholders.withoutSecrets(other) !== other ||
      placeholders.shown(placeholders.withoutSecrets(header)) !== 'a header with <ACCESS_TOKEN>'
    );
  });
  expect(wrong).toEqual([]);
  expect(process.cpuUsage(before).user).toBeLessThan(12_000_000);
});

test('a text too short to be recognised is not replaced', () => {
  const placeholders = new SecretPlaceholders();
  placeholders.placeholderFor('ACCESS_TOKEN', new Secret('abc'));
  expect(placeholders.withoutSecrets('the abc of it')).toBe('the abc of it');
});

/** A core that records its input and its output. */
function recordingCore(): { core: Core; texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    core: {
      close: () => {},
      async verify(job, boundMs) {
        texts.push(await readFile(job.copy, 'utf8'), JSON.stringify(job));
        const output = await sharedCore().verify(job, boundMs);
        texts.push(String(output));
        return output;
      },
    },
  };
}

/** Verifies pacts that pass and pacts that fail; the provider repeats each request in an encoded form. */
for (const [form, write] of Object.entries(forms))
  test(`no secret reaches the core or a result, even if a provider repeats it ${form}`, async () => {
    const output: string[] = [];
    const tokens = new Set<string>();
    const echo = (received: string): string => write(received)[0] ?? '';
    const listening = recordingCore();
    const body = jsonBody({ message: 'hello' });
    const headers = { 'X-Said': ['nothing'] };
    const token = jsonBody({ data: { accessToken: 'another' } });
    const wrong = pactOf(
      callWithToken('a call', ['a valid token'], { body, headers }),
      interaction('a token', ['an account'], { request: forToken, response: { body: token } }),
      callWithToken('a refusal', ['a token of nobody'], { status: 401, headers, body }),
    );
    const run = await verifying([wrong, ownPact], {
      core: listening.core,
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
    // A plain repetition is masked before the core gets it, and an encoded one before it is shown.
    const [copies, jobs, results] = [0, 1, 2].map((at) =>
      listening.texts.filter((_text, index) => index % 3 === at).join('\n'),
    );
    expect(leaks(`${copies}${jobs}`)).toEqual([]);
    if (form === 'raw') expect(leaks(results ?? '')).toEqual([]);
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

/** A generator that converts the id to a data type. */
const typed = (dataType: string) => ({ ...fromState('${id}'), dataType });

const notOf = (dataType: string): string =>
  `a type: unverified, the value of "\${id}" is not of the type ${dataType}`;

for (const [what, generators, id, ending] of [
  ['a number in a body', { body: { '$.id': typed('INTEGER') } }, '17', 'a type: verified'],
  ['no number in a body', { body: { '$.id': typed('INTEGER') } }, 'red', notOf('INTEGER')],
  ['a sign in a query', { query: { id: typed('DECIMAL') } }, '-1.7', 'a type: verified'],
  ['no boolean in a header', { header: { 'X-Id': typed('BOOLEAN') } }, 'yes', notOf('BOOLEAN')],
] as const)
  test(`a value is converted to its data type, or the example is not sent in its place: ${what}`, async () => {
    const request = {
      headers: { 'X-Id': ['false'], 'Content-Type': ['application/json'] },
      query: { id: ['1'] },
      body: jsonBody({ id: 1 }),
      generators,
    };
    const one = interaction('a type', ['a widget exists'], { request, response: { status: 401 } });
    await using handler = await teamHandler(() => ({ body: { id } }));
    expect(await endingsOf(pactOf(one, callWithToken()), { statesUrl: handler.url })).toEqual([
      ending,
      'a call: verified',
    ]);
  });
