import { expect, test } from '@playwright/test';
import { bearer } from '../../contract/http/client.ts';
import type { Probe } from '../../contract/probe.ts';
import { runnerFor } from '../../monitor/target/run.ts';
import { aRequestWithoutATokenIsRefused as refused } from '../../probes/a-request-without-a-token-is-refused.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { everyCauseGetsTheSame401 as uniform } from '../../probes/every-cause-gets-the-same-401.ts';
import type { Reply } from '../../sandbox/behaviour.ts';
import {
  account,
  closedPort,
  lettingEverybodyIn,
  startProvider,
  targetAt,
  tokenMark,
  unavailable,
} from './provider.ts';
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

/** A provider, and a runner of probes on its first endpoint; the test advances the runner's clock. */
async function running(tokensMayEnd = () => false) {
  const provider = await startProvider();
  let now = 0;
  const time = { wall: Date.now, monotonic: () => now, uptime: () => now };
  const run = runnerFor(provider.target, { recheckMs: 60_000, time, tokensMayEnd });
  const [endpoint] = provider.target.endpoints;
  return {
    provider,
    run: (probe: Probe) => run(probe, endpoint),
    pass(ms: number) {
      now += ms;
    },
    [Symbol.asyncDispose]: provider.close,
  };
}

test('a passed run has its phases, its requests and no reason', async () => {
  await using world = await running();
  const run = await world.run(threeRequests);
  expect(run).toMatchObject({ target: 'under-test', requests: 3, result: { outcome: 'passed' } });
  expect(run.reason).toBeUndefined();
  const { phases } = run;
  expect(phases?.processing).toBeGreaterThan(0);
  expect(phases?.connect).toBeGreaterThan(0);
  const sum = Object.values(phases ?? {}).reduce((total, seconds) => total + seconds, 0);
  expect(sum).toBeLessThan(run.result.durationSeconds);
});

test('phases are summed over all answers of a run', async () => {
  await using world = await running();
  const delays = [30, 30, 30];
  world.provider.become({
    finish(reply) {
      const until = performance.now() + (delays.shift() ?? 0);
      while (performance.now() < until);
      return reply;
    },
  });
  const { phases } = await world.run(threeRequests);
  expect(phases?.processing).toBeGreaterThan(0.09);
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
  expect(run.phases?.processing).toBeGreaterThan(0);
});

test('an address without a listener is unreachable, and has no phases', async () => {
  const target = targetAt(closedPort);
  const run = await runnerFor(target, { recheckMs: 1 })(opens, target.endpoints[0]);
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

test('refused credentials violate no clause, and are not sent again too early', async () => {
  await using world = await running();
  world.provider.become({ valid: () => false });
  const first = await world.run(opens);
  expect(first).toMatchObject({ reason: 'credentials', result: { outcome: 'unreachable' } });
  expect(first.result.findings).toEqual([]);
  expect(first.result.detail).toBe(
    'the token endpoint refused the credentials with status 400 (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)',
  );

  world.pass(59_999);
  expect(await world.run(opens)).toMatchObject({ reason: 'credentials', requests: 0 });
  world.pass(1);
  const result = await world.run(opens);
  // One request for a token, and one to an unknown path to distinguish wrong credentials from a wrong address.
  expect(result).toMatchObject({ reason: 'credentials', requests: 2 });
  expect(await world.run(opens)).toMatchObject({ reason: 'credentials', requests: 0 });
});

test('credentials that got a token before are refused three times before they count as wrong', async () => {
  await using world = await running();
  await world.run(opens);
  let refusals = 2;
  world.provider.become({ valid: () => refusals-- <= 0 });
  expect(await world.run(opens)).toMatchObject({ result: { outcome: 'passed' } });
  world.provider.become({ valid: () => false });
  // One request for a token, and two repeats; each repeat needs one more request to rule out a wrong address.
  expect(await world.run(opens)).toMatchObject({ reason: 'credentials', requests: 5 });
  world.pass(60_000);
  expect(await world.run(opens)).toMatchObject({ reason: 'credentials', requests: 2 });
});

test('the run that gets a token again is judged', async () => {
  await using world = await running();
  world.provider.become({ valid: () => false });
  await world.run(opens);
  world.provider.become({});
  world.pass(60_000);
  expect(await world.run(threeRequests)).toMatchObject({
    requests: 4,
    result: { outcome: 'passed' },
  });
  expect((await world.run(threeRequests)).requests).toBe(3);
});

test('credentials that are refused once and accepted by every further request are a transient failure', async () => {
  await using world = await running();
  let requests = 0;
  world.provider.become({ valid: () => requests++ > 0 });
  expect(await world.run(opens)).toMatchObject({ result: { outcome: 'passed', findings: [] } });
});

test('credentials that are refused at every other request break TOKEN-1 where they are refused four times', async () => {
  await using world = await running();
  let requests = 0;
  // The second request decides whether the credentials are correct.
  world.provider.become({ valid: () => requests++ === 1 });
  const run = await world.run(opens);
  expect(run).toMatchObject({ reason: 'contract', result: { outcome: 'failed' }, requests: 6 });
  expect(run.result.findings.map(({ clause }) => clause)).toEqual(['TOKEN-1']);
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

/** A probe whose runs take these times in milliseconds, one after the other. */
const taking = (world: { pass(ms: number): void }, ...each: readonly number[]): Probe => {
  let count = 0;
  return {
    ...opens,
    run(of) {
      world.pass(each[count++] ?? each.at(-1) ?? 0);
      return opens.run(of);
    },
  };
};

test('findings of a run that took longer than a token may live are checked again', async () => {
  await using world = await running();
  world.provider.become({ guard: () => 'invalid' });
  expect(await world.run(taking(world, 230_000))).toMatchObject({ reason: 'contract' });
  expect(await world.run(taking(world, 86_400_000, 1_000))).toMatchObject({
    reason: 'contract',
    result: { outcome: 'failed' },
  });
  const long = await world.run(taking(world, 241_000, 86_400_000));
  expect(long).toMatchObject({ reason: 'timeout', result: { outcome: 'unreachable' } });
  expect(long.result.detail).toContain('a run of 86400 s');
  world.provider.become({});
  expect(await world.run(taking(world, 241_000))).toMatchObject({ result: { outcome: 'passed' } });
});

test('findings of two runs of minutes do not count where tokens are reissued', async () => {
  await using world = await running(() => true);
  world.provider.become({ guard: () => 'invalid' });
  expect(await world.run(taking(world, 241_000))).toMatchObject({ reason: 'timeout' });
  expect(await world.run(taking(world, 241_000, 230_000))).toMatchObject({ reason: 'contract' });
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
  // A token, the control, four requests, six repeats of the first of them, and one check of the provider as a whole.
  expect(run.requests).toBe(13);
});

test("an unauthorised request that gets the endpoint's own answer is not repeated", async () => {
  await using world = await running();
  world.provider.become(lettingEverybodyIn);
  expect(await world.run(refused)).toMatchObject({ reason: 'contract', requests: 6 });
});
