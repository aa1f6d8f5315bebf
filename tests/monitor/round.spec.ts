import { expect, test } from '@playwright/test';
import { bearer } from '../../contract/http/client.ts';
import type { Probe } from '../../contract/probe.ts';
import { runRound } from '../../monitor/round/round.ts';
import type { Run } from '../../monitor/round/run.ts';
import { openTracedClient } from '../../monitor/round/traced-client.ts';
import {
  aTokenOpensTheEndpoint as opens,
  everyEndpointIsGuarded as refused,
} from '../../probes/bearer.ts';
import { everyCauseGetsTheSame401 as uniform } from '../../probes/error.ts';
import { probes } from '../../probes/index.ts';
import type { Behaviour, Reply } from '../../sandbox/behaviour.ts';
import { account, lettingEverybodyIn, startProvider, unavailable } from './provider.ts';
import { probeAbout } from './runs.ts';

/** A provider, and rounds at its first endpoint, each with what the one before it has shown, on a clock of the test. */
async function running() {
  const provider = await startProvider();
  const { target } = provider;
  const openClient = openTracedClient(target);
  const round = async (...own: readonly Probe[]) => {
    const runs: Run[] = [];
    const onRun = (run: Run): void => void runs.push(run);
    const [endpoint] = target.endpoints;
    const due = own.map((probe) => ({
      place: { key: probe.name, probe, endpoint, everySeconds: 60 },
    }));
    const findDisturbance = (): undefined => undefined;
    await runRound(target, due, { openClient, findDisturbance, onRun });
    const [run] = runs;
    if (run === undefined) throw new Error('nothing ran');
    return { runs, run };
  };
  return {
    provider,
    round,
    run: async (probe: Probe) => (await round(probe)).run,
    [Symbol.asyncDispose]: provider.close,
  };
}

/** Sends a fixed number of requests. */
const threeRequests: Probe = {
  ...probeAbout('three-requests', ['BEARER-1']),
  async run({ service, account: own, endpoint }) {
    const token = await service.issue(own);
    await service.call(endpoint, bearer(token));
    await service.call(endpoint, bearer(token));
  },
};

test('a passed run has its requests, and the phases of its last answer', async () => {
  await using world = await running();
  const run = await world.run(threeRequests);
  expect(run).toMatchObject({ requests: 3, result: { outcome: 'passed' } });
  expect(run.reason).toBeUndefined();
  const { phases } = run.authorised ?? {};
  expect(phases?.processing).toBeGreaterThan(0);
  const sum = Object.values(phases ?? {}).reduce((total, seconds) => total + seconds, 0);
  expect(sum).toBeLessThan(run.result.durationSeconds);
});

const reasons: [Partial<Behaviour>, Partial<Run>, Run['result']['outcome']][] = [
  [lettingEverybodyIn, { reason: 'contract', requests: 15 }, 'failed'],
  [{ granted: () => ({ status: 500, body: 'oops' }) }, { reason: 'contract' }, 'failed'],
  [unavailable, { reason: 'unavailable' }, 'unreachable'],
  [{ finish: () => ({ status: 404, body: '?' }) }, { reason: 'address' }, 'unreachable'],
  [
    { finish: () => ({ status: 429, headers: { 'Retry-After': '1' } }) },
    { reason: 'rate-limited', requests: 1 },
    'unreachable',
  ],
  // In each attempt the control, three requests, six repeats of the first of them, and a check of the provider.
  [
    { unauthorised: () => ({ status: 403, json: { success: false } }) },
    { reason: 'contract', requests: 25 },
    'failed',
  ],
];

test('each answer gives a run its reason', async () => {
  await using world = await running();
  for (const [behaviour, run, outcome] of reasons) {
    world.provider.become(behaviour);
    expect(await world.run(refused)).toMatchObject({ ...run, result: { outcome } });
  }
});

test('a mistake in a probe is a defect of this suite', async () => {
  await using world = await running();
  const run = await world.run({
    ...opens,
    run: () => Promise.reject(new TypeError(`a mistake with ${account.apiKey} in it`)),
  });
  expect(run).toMatchObject({ reason: 'defect', result: { outcome: 'defect' } });
  expect(run.result.detail).toContain('a mistake with [secret] in it');
});

test('refused credentials violate no clause, and are sent once in a round', async () => {
  await using world = await running();
  world.provider.become({ valid: () => false });
  const { run, runs } = await world.round(opens, refused, uniform);
  expect(run.result).toMatchObject({ outcome: 'unreachable', findings: [] });
  expect(run.result.detail).toBe(
    'the token endpoint refused the credentials with status 400, and says "Invalid credentials." (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)',
  );
  // One request for a token, and one to an unknown path to distinguish wrong credentials from a wrong address.
  expect(runs[0]?.requests).toBe(2);
  expect(runs.map(({ reason }) => reason)).toEqual(runs.map(() => 'credentials'));
});

test('a probe that needs a new token has TOKEN-1 violated where it is refused in both attempts', async () => {
  await using world = await running();
  let requests = 0;
  // The first request gets the token of the round, and the third shows that the credentials are right.
  world.provider.become({ valid: () => [1, 3].includes(++requests) });
  const { run } = await world.round(threeRequests);
  expect(run.result.findings.map(({ clause }) => clause)).toEqual(['TOKEN-1']);
  requests = 0;
  world.provider.become({ valid: () => ++requests !== 2 });
  expect((await world.round(threeRequests)).run.result.findings).toEqual([]);
});

test('findings count only if a second attempt has them too', async () => {
  await using world = await running();
  let attempts = 0;
  const once: Probe = {
    ...opens,
    async run({ contract, service, account: own, endpoint }) {
      const answer = await service.call(endpoint, bearer(await service.issue(own)));
      const clause = ++attempts % 2 === 1 ? 'BEARER-1' : 'BEARER-2';
      contract.violated(clause, answer, { reason: 'r', expected: 'e', received: 'r' });
    },
  };
  const unproven = 'two attempts found different violations';
  const { result } = await world.run(once);
  expect(result).toMatchObject({ outcome: 'passed', findings: [], unproven });
});

const watched = probes.filter(({ everySeconds }) => everySeconds !== undefined);

test('a refused token of the round is a finding, and the next attempt has a new one (CALLER-3)', async () => {
  await using world = await running();
  const tokens = new Set<unknown>();
  world.provider.become({
    guard(call) {
      tokens.add(call.headers.authorization);
      return 'invalid';
    },
  });
  const { run } = await world.round(opens);
  expect(run.result.findings.map(({ clause }) => clause)).toEqual(['TOKEN-4', 'BEARER-1']);
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

/** Answers that a proxy may give in place of the provider. */
const odd: Reply[] = [
  { status: 500, body: 'oops' },
  { status: 401, body: '<html>log in</html>' },
  { status: 302, headers: { Location: '/login' }, body: '' },
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
