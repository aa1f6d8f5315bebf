import { expect, test } from '@playwright/test';
import { bearer } from '../../contract/http/client.ts';
import type { Probe } from '../../contract/probe.ts';
import {
  aTokenOpensTheEndpoint as opens,
  aRequestWithoutATokenIsRefused as refused,
} from '../../probes/bearer.ts';
import { everyCauseGetsTheSame401 as uniform } from '../../probes/error.ts';
import {
  account,
  closedPort,
  lettingEverybodyIn,
  targetAt,
  tokenMark,
  unavailable,
} from './provider.ts';
import { roundsOn, running } from './rounds.ts';
import { probeAbout } from './runs.ts';

/** Sends a fixed number of requests. */
const threeRequests: Probe = {
  ...probeAbout('three-requests', ['BEARER-1']),
  async run({ service, account: own, endpoint }) {
    const token = await service.issue(own);
    await service.call(endpoint, bearer(token));
    await service.call(endpoint, bearer(token));
  },
};

test('a passed run has its phases, its requests and no reason', async () => {
  await using world = await running();
  const run = await world.run(threeRequests);
  expect(run).toMatchObject({ target: 'under-test', requests: 3, result: { outcome: 'passed' } });
  expect(run.reason).toBeUndefined();
  const { phases } = run.authorised ?? {};
  expect(phases?.processing).toBeGreaterThan(0);
  expect(phases?.connect).toBeGreaterThan(0);
  const sum = Object.values(phases ?? {}).reduce((total, seconds) => total + seconds, 0);
  expect(sum).toBeLessThan(run.result.durationSeconds);
});

test('a breach fails the run with the reason contract', async () => {
  await using world = await running();
  world.provider.become(lettingEverybodyIn);
  const run = await world.run(refused);
  expect(run).toMatchObject({ reason: 'contract', result: { outcome: 'failed' } });
  expect(run.result.findings.map(({ clause }) => clause)).toContain('BEARER-2');
});

test('an unavailable gateway is an outage, which has phases too', async () => {
  await using world = await running();
  world.provider.become(unavailable);
  const run = await world.run(opens);
  expect(run).toMatchObject({ reason: 'unavailable', result: { outcome: 'unreachable' } });
  expect(run.authorised?.phases?.processing).toBeGreaterThan(0);
});

test('an address without a listener is unreachable, and has no phases', async () => {
  const target = targetAt(closedPort);
  const { run } = await roundsOn(target)(opens);
  expect(run).toMatchObject({ reason: 'connect', result: { outcome: 'unreachable' } });
  expect(run).not.toHaveProperty('phases');
});

test('an answer 429 is an outcome, and is not waited out', async () => {
  await using world = await running();
  world.provider.become({ finish: () => ({ status: 429, headers: { 'Retry-After': '1' } }) });
  const run = await world.run(opens);
  expect(run).toMatchObject({ reason: 'rate-limited', requests: 1 });
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
  const { run, runs, haveWorked } = await world.round(opens, refused, uniform);
  expect(run).toMatchObject({ reason: 'credentials', result: { outcome: 'unreachable' } });
  expect(run.result.findings).toEqual([]);
  expect(run.result.detail).toBe(
    'the token endpoint refused the credentials with status 400 (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)',
  );
  // One request for a token, and one to an unknown path to distinguish wrong credentials from a wrong address.
  expect(runs.map(({ requests }) => requests)).toEqual([2, 0, 0]);
  expect(runs.map(({ reason }) => reason)).toEqual(runs.map(() => 'credentials'));
  expect(haveWorked).toBe(false);
});

test('credentials that got a token in the round before are refused twice before they count as wrong', async () => {
  await using world = await running();
  await world.run(opens);
  let refusals = 1;
  world.provider.become({ valid: () => refusals-- <= 0 });
  expect(await world.run(opens)).toMatchObject({ result: { outcome: 'passed' } });
  world.provider.become({ valid: () => false });
  expect(await world.run(opens)).toMatchObject({ reason: 'credentials', requests: 4 });
  expect(await world.run(opens)).toMatchObject({ reason: 'credentials', requests: 2 });
});

test('a round that gets a token again is judged', async () => {
  await using world = await running();
  world.provider.become({ valid: () => false });
  await world.run(opens);
  world.provider.become({});
  expect(await world.run(threeRequests)).toMatchObject({
    requests: 3,
    result: { outcome: 'passed' },
  });
});

test('a probe that needs a new token has TOKEN-1 broken where it is refused in both attempts', async () => {
  await using world = await running();
  let requests = 0;
  // The first request gets the token of the round, and the third shows that the credentials are right.
  world.provider.become({ valid: () => [1, 3].includes(++requests) });
  const { run } = await world.round(threeRequests);
  expect(run).toMatchObject({ reason: 'contract', result: { outcome: 'failed' } });
  expect(run.result.findings.map(({ clause }) => clause)).toEqual(['TOKEN-1']);
  requests = 0;
  world.provider.become({ valid: () => ++requests !== 2 });
  expect((await world.round(threeRequests)).run.result.findings).toEqual([]);
});

test('a target that does not answer gets one request in a round', async () => {
  const target = targetAt(closedPort);
  const { runs, requests } = await roundsOn(target)(opens, refused, uniform);
  expect(requests).toBe(0);
  expect(runs.map((run) => [run.reason, run.requests])).toEqual([
    ['connect', 1],
    ['connect', 0],
    ['connect', 0],
  ]);
});

test('correct credentials answered by a server error break TOKEN-1', async () => {
  await using world = await running();
  world.provider.become({ granted: () => ({ status: 500, body: 'oops' }) });
  const run = await world.run(opens);
  expect(run).toMatchObject({ reason: 'contract', result: { outcome: 'failed' } });
});

test('an address where all paths answer alike is a mistake in the settings', async () => {
  await using world = await running();
  world.provider.become({ finish: () => ({ status: 404, body: 'not here' }) });
  expect(await world.run(opens)).toMatchObject({
    reason: 'address',
    result: { outcome: 'unreachable' },
  });
});

test('no secret is in a run, whatever the provider echoes', async () => {
  await using world = await running();
  world.provider.become({
    unauthorised: (_cause, _call, state) => ({
      status: 401,
      json: { success: false, message: `${[...state.tokens.keys()].at(-1)} ${account.secretKey}` },
    }),
  });
  const run = await world.run(refused);
  expect(run.result.outcome).toBe('failed');
  const message = JSON.stringify(run);
  expect(message).toContain('[secret]');
  for (const secret of [tokenMark, account.apiKey, account.secretKey, 'planted'])
    expect(message).not.toContain(secret);
});

/** A probe whose attempts take these times in milliseconds, one after the other. */
const taking = (world: { pass(ms: number): void }, ...each: readonly number[]): Probe => {
  let count = 0;
  return {
    ...opens,
    run(of) {
      world.pass(each[count++] ?? 0);
      return opens.run(of);
    },
  };
};

test('findings do not count if the machine slept for a day in the second attempt', async () => {
  await using world = await running();
  world.provider.become({ guard: () => 'invalid' });
  const day = 86_400_000;
  expect(await world.run(taking(world, day, 1_000))).toMatchObject({ reason: 'contract' });
  const long = await world.run(taking(world, 0, day));
  expect(long).toMatchObject({ reason: 'timeout', result: { outcome: 'unreachable' } });
  expect(long.result.detail).toContain('a run of 86400 s');
  world.provider.become({});
  expect(await world.run(taking(world, 0, day))).toMatchObject({ result: { outcome: 'passed' } });
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
  expect(await world.run(once)).toMatchObject({
    result: {
      outcome: 'passed',
      findings: [],
      unproven: 'two attempts found different violations',
    },
  });
});
