import { expect, test } from '@playwright/test';
import { hours, minutes } from '../../contract/durations.ts';
import { Pace } from '../../contract/http/pace.ts';
import { Timeline } from '../../contract/time/timeline.ts';
import { targetAt } from '../../gate/under-test.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { fakeClock, jumps, seen } from './fake-clock.ts';

const reason = new Error('a user ended it');

test('time stops for all waiting probes, and for probes that begin to wait', async () => {
  const provider = fakeClock(Date.parse('2026-03-01T12:00:00.250Z'));
  const ending = new AbortController();
  const time = new Timeline(provider, ending.signal);
  const run = time.run<unknown>([
    async (clock) => {
      await clock.pass(10);
      ending.abort(reason);
      await seen(clock, 5, 15);
    },
    (clock) => seen(clock, 10, 20, 30),
    (clock) => clock.pass(minutes(1)),
  ]);
  await expect(run).rejects.toBe(reason);
  expect(jumps(provider)).toEqual([10]);
  await expect(time.run([])).rejects.toBe(reason);
  await time.release();
  expect(time.standing()).toBeUndefined();
  expect(provider.sets).toHaveLength(3);
  expect(provider.releases).toBe(1);
});

test('a pause that a provider requested ends with the round', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  const pace = new Pace({ maxRetryAfterMs: minutes(1), requestsPerSecond: 0.01, signal });
  const answered = { status: 200, headers: [], body: Buffer.of() };
  const phases = { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 };
  const send = async () => ({ ...answered, phases });
  await pace.run('GET /', send);
  const second = pace.run('GET /', send);
  ending.abort(reason);
  await expect(second).rejects.toMatchObject({ name: 'AbortError', cause: reason });
});

test('a round that is ended sends no more requests, and releases the clock of the provider', async () => {
  const ending = new AbortController();
  let requests = 0;
  let held = 0;
  await using sandbox = await startSandbox({
    behaviour: {
      ...right,
      arrived(call) {
        requests += 1;
        // The test aborts after two simulated days, when all probes request a token at the same instant.
        if (call.now < Date.now() + hours(49)) return 0;
        held += 1;
        if (held === 5) setImmediate(() => ending.abort(reason));
        return held > 4 ? minutes(1) : 0;
      },
    },
  });
  const round = judgeProvider(targetAt(sandbox.baseUrl), probes, { signal: ending.signal });
  await expect(round).rejects.toBe(reason);
  expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(1_000);
  const before = requests;
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(requests).toBe(before);
});

test('a round that was ended before it began sends no requests', async () => {
  await using sandbox = await startSandbox();
  const round = judgeProvider(targetAt(sandbox.baseUrl), probes, {
    signal: AbortSignal.abort(reason),
  });
  await expect(round).rejects.toBe(reason);
  expect(sandbox.state.tokens.size).toBe(0);
});

test('a test clock that never answers does not delay the end', async () => {
  await using sandbox = await startSandbox();
  const ending = new AbortController();
  const clock = {
    name: 'a silent clock',
    read: () => {
      setImmediate(() => ending.abort(reason));
      return new Promise<never>(() => {});
    },
    set: () => Promise.reject(new Error('it was set')),
    release: () => Promise.reject(new Error('it was released')),
  };
  const target = { ...targetAt(sandbox.baseUrl), clock };
  await expect(judgeProvider(target, probes, { signal: ending.signal })).rejects.toBe(reason);
});
