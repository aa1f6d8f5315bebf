import { expect, test } from '@playwright/test';
import type { Run } from '../../monitor/round/run.ts';
import {
  aTokenOpensTheEndpoint as opens,
  aRequestWithoutATokenIsRefused as refused,
} from '../../probes/bearer.ts';
import { everyCauseGetsTheSame401 as uniform } from '../../probes/error.ts';
import { probes } from '../../probes/index.ts';
import type { Reply } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { lettingEverybodyIn } from './provider.ts';
import { running } from './rounds.ts';

const watched = probes.filter(({ everySeconds }) => everySeconds !== undefined);
const marked = watched.filter(({ anyToken }) => anyToken === true);

test('probes for any token find with the token of the round what they find with new ones', async () => {
  await using world = await running();
  const brief = (runs: readonly Run[]): unknown[] =>
    runs.map(({ result }) => [
      result.probe.name,
      result.outcome,
      [...new Set(result.findings.map(({ clause }) => clause))],
    ]);
  for (const fault of [undefined, 'any-token', 'scheme-not-looked-at', 'other-message']) {
    world.provider.become(fault === undefined ? {} : faulty(fault));
    const before = world.provider.issued();
    const shared = await world.round(...marked);
    if (fault === undefined) expect(world.provider.issued() - before).toBe(1);
    const own = await world.round(...marked.map((probe) => ({ ...probe, anyToken: undefined })));
    expect(brief(shared.runs), fault).toEqual(brief(own.runs));
    expect(shared.runs.some(({ reason }) => reason === 'contract')).toBe(fault !== undefined);
  }
});

test('a refused token of the round is a finding, and the next attempt has a new one (CALLER-3)', async () => {
  await using world = await running();
  world.provider.become({ guard: () => 'invalid' });
  const { run } = await world.round(opens);
  expect(run.result.findings.map(({ clause }) => clause)).toEqual(['TOKEN-4', 'BEARER-1']);
  const tokens = new Set<unknown>();
  world.provider.become({
    guard(call) {
      tokens.add(call.headers.authorization);
      return 'invalid';
    },
  });
  await world.round(opens);
  expect(tokens.size).toBeGreaterThan(1);
});

test('no probe passes in an outage that begins after the token of the round', async () => {
  await using world = await running();
  let answers = 0;
  world.provider.become({ finish: (reply) => (answers++ === 0 ? reply : { status: 503 }) });
  const { runs } = await world.round(...watched);
  const passed = runs.filter(
    ({ result }) => result.outcome !== 'unreachable' && result.unproven === undefined,
  );
  const remedy = 'send at least the control in every run';
  expect(
    passed.map(({ result }) => result.probe.name),
    remedy,
  ).toEqual([]);
});

test('findings count even if two servers date their answers ten minutes apart', async () => {
  await using world = await running();
  let answers = 0;
  world.provider.become({
    ...lettingEverybodyIn,
    finish: (reply, call) => ({
      ...reply,
      headers: {
        ...reply.headers,
        Date: new Date(call.now + (answers++ % 2) * 600_000).toUTCString(),
      },
    }),
  });
  for (let count = 0; count < 5; count++)
    expect(await world.run(refused)).toMatchObject({
      reason: 'contract',
      result: { outcome: 'failed' },
    });
});

/** Answers that a proxy may give in place of the provider. */
const odd: Reply[] = [
  { status: 408, body: '' },
  { status: 500, body: 'oops' },
  { status: 520, body: '<html>520</html>' },
  { status: 401, body: '<html>log in</html>' },
  { status: 302, headers: { Location: '/login' }, body: '' },
  { status: 403, body: '<html>forbidden</html>' },
  { status: 404, body: '<html>not found</html>' },
  { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>a page</html>' },
];

for (const answer of odd)
  test(`a single ${answer.status} in place of any answer of a run violates no clause`, async () => {
    await using world = await running();
    for (const probe of [opens, refused, uniform])
      for (let place = 0; place < 8; place++) {
        let answers = 0;
        world.provider.become({ finish: (reply) => (answers++ === place ? answer : reply) });
        const { result } = await world.run(probe);
        expect(result.findings, `${probe.name}, answer ${place}`).toEqual([]);
      }
  });

test('a permanently wrong answer is found by the first run', async () => {
  await using world = await running();
  world.provider.become({ unauthorised: () => ({ status: 403, json: { success: false } }) });
  const run = await world.run(refused);
  expect(new Set(run.result.findings.map(({ clause }) => clause))).toEqual(new Set(['ERROR-1']));
  // In each attempt the control, four requests, three repeats of the first of them, and a check of the provider.
  expect(run.requests).toBe(21);
});

test("an unauthorised request that gets the endpoint's own answer is not repeated", async () => {
  await using world = await running();
  world.provider.become(lettingEverybodyIn);
  expect(await world.run(refused)).toMatchObject({ reason: 'contract', requests: 11 });
});
