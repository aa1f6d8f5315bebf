import { expect, test } from '@playwright/test';
import { jsonOf } from '../../contract/answer.ts';
import { attempt, type Circumstances, present } from '../../contract/attempt.ts';
import type { Probe } from '../../contract/probe.ts';
import { difference } from '../../contract/sameness.ts';
import { compileSchema } from '../../contract/schema.ts';
import { Secret } from '../../contract/secret.ts';
import { everyCauseGetsTheSame401 } from '../../probes/every-cause-gets-the-same-401.ts';
import { rightCredentialsGetAToken } from '../../probes/right-credentials-get-a-token.ts';
import { wrongCredentialsGetNoToken } from '../../probes/wrong-credentials-get-no-token.ts';
import { answer, refusal } from './answers.ts';

const nested = (depth: number, [open, close] = ['[', ']']): string =>
  open.repeat(depth) + close.repeat(depth);

test('values that are nested very deep are taken for no JSON, and brackets in strings are no depth', () => {
  const of = (body: string) => jsonOf(answer(401, body)).is;
  expect([of(nested(256)), of(nested(257)), of(nested(100_000))]).toEqual([
    'json',
    'not json',
    'not json',
  ]);
  expect(of(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toBe('not json');
  expect(of(JSON.stringify({ text: `"\\${'['.repeat(1000)}` }))).toBe('json');
  expect(of(`[${'[],{},'.repeat(10_000)}0]`)).toBe('json');
});

/** What a probe makes of a service that gives one body to everything. */
function attempted(probe: Probe, body: string, status: number) {
  const one = async () => answer(status, body);
  const secret = new Secret('a-token-that-was-given');
  const service = {
    issue: async () => ({ secret, madeAt: 0 }),
    exchange: one,
    call: async (_: unknown, ask: { readonly token?: unknown } = {}) =>
      ask.token === undefined ? one() : answer(200, { widgets: [] }),
    connection: <Result>(use: (same: never) => Promise<Result>): Promise<Result> =>
      Reflect.apply(use, undefined, [service]),
  };
  const endpoint = { method: 'GET', path: '/public-api/v1/widgets' };
  const account = { apiKey: new Secret('the-api-key'), secretKey: new Secret('the-secret-key') };
  const circumstances: Circumstances = { scrub: String, simulated: false };
  const world = { service, account, endpoint, endpoints: [endpoint] as const, clock: present };
  return attempt(probe, world, circumstances);
}

const deep = 100_000;
const envelope = (inside: string): string =>
  `{"success":false,"message":"Invalid or expired access token.","more":${inside}}`;

for (const [probe, status, ending, clause] of [
  [rightCredentialsGetAToken, 200, 'broken', 'TOKEN-1'],
  [everyCauseGetsTheSame401, 401, 'broken', 'ERROR-2'],
  [wrongCredentialsGetNoToken, 400, 'kept', undefined],
] as const)
  test(`${probe.name} judges an answer that is nested very deep`, async () => {
    for (const body of [nested(deep), envelope(nested(deep))]) {
      const outcome = await attempted(probe, body, status);
      expect([outcome.ending, outcome.findings[0]?.clause]).toEqual([ending, clause]);
      if (clause !== undefined)
        expect(outcome.findings[0]?.received).toContain('is nested more than 256 deep');
    }
  });

test('a schema that refers to itself is held against the deepest payload', () => {
  const check = compileSchema({ type: 'array', items: { $ref: '#' } });
  const json = jsonOf(answer(200, nested(256)));
  expect(json.is === 'json' ? check(json.value) : json).toEqual([]);
});

test('refusals are compared at a cost that does not grow with their members', async () => {
  const name = 'n'.repeat(400_000);
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`m${at}`, at]));
  let turn = 0;
  for (const body of [
    { ...refusal, [name]: many },
    { ...refusal, ...many },
  ])
    for (const told of [undefined, 'the body differs']) {
      const reply = (kind: string) => async () =>
        answer(401, { ...body, unlike: told === undefined ? turn++ : kind });
      const before = process.cpuUsage();
      const found = await difference(reply('one'), reply('other'), 'values');
      expect(found?.told).toBe(told);
      // Where each member was looked for in each answer, it took an hour.
      expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(15);
    }
});
