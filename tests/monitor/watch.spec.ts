import { expect, test } from '@playwright/test';
import { payloadCheck } from '../../config/endpoint-fields.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import {
  aTokenOpensTheEndpoint as opens,
  aRequestWithoutATokenIsRefused as refused,
} from '../../probes/bearer.ts';
import { probes } from '../../probes/index.ts';
import { down, quiet, series } from './in-memory.ts';
import type { SimulatedTime } from './simulated-time.ts';

const minute = 60_000;
const hour = 60 * minute;

test('a probe repeats its first failure earlier than its next period, and that counts as its own run', async () => {
  const { time, provider, watch } = quiet();
  const one = watch([refused]);
  await time.pass(2 * minute);
  const runs = (): number => one.status().targets[0]?.probes[0]?.runs.length ?? 0;
  const before = runs();
  provider.answer = (line, token) =>
    token === undefined && line.startsWith('GET') ? {} : undefined;
  while (runs() === before) await time.pass(1_000);
  await time.pass(minute - 2_000);
  expect(runs()).toBe(before + 2);
  await time.pass(3 * minute);
  expect(runs()).toBe(before + 5);
  expect(one.status().targets[0]?.probes[0]?.runs.map(({ ending }) => ending)).toContain('broken');
});

test('a retargeted monitor keeps unchanged targets, and removes missing ones', async () => {
  const { time, target, watch } = quiet();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ ...target, name }));
  if (!a || !b || !c) throw new Error('three targets');
  const one = watch([opens], { targets: [a, b] });
  await time.pass(2 * minute);
  expect(await series(one.metrics.text(), 'monitor_runs_total{target="b"')).not.toEqual([]);
  const runsOfA = one.status().targets[0]?.probes[0]?.runs.length;
  one.retarget([{ ...a }, c]);
  expect(one.status().targets.map(({ name }) => name)).toEqual(['a', 'c']);
  expect(one.status().targets[0]?.probes[0]?.runs).toHaveLength(runsOfA ?? -1);
  await time.pass(minute);
  const text = one.metrics.text();
  expect(await series(text, 'monitor_runs_total{target="b"')).toEqual([]);
  expect(await series(text, 'monitor_runs_total{target="c"')).not.toEqual([]);
  expect(one.status().targets[1]?.state).toBe('holds');
});

test('a run that outlives its target is not reported', async () => {
  const { time, target, watch } = quiet();
  let free = (): void => {};
  const held: Probe = {
    ...opens,
    async run(world) {
      await new Promise<void>((resolve) => {
        free = resolve;
      });
      return opens.run(world);
    },
  };
  const one = watch([held]);
  await time.pass(minute);
  one.retarget([{ ...target, name: 'another' }]);
  free();
  await time.pass(0);
  expect(await series(one.metrics.text(), 'monitor_runs_total{target="under-test"')).toEqual([]);
  expect(one.status().targets.map(({ name }) => name)).toEqual(['another']);
});

test('maintenance silences verdicts, and probing continues', async () => {
  const { time, provider, target, watch } = quiet();
  const from = time.wall() + 10 * minute;
  const maintenance = [{ from, until: from + hour, note: 'moving' }];
  const one = watch([refused], { targets: [{ ...target, maintenance }] });
  await time.pass(11 * minute);
  provider.answer = (line) => (line.startsWith('GET') ? {} : undefined);
  await time.pass(50 * minute);
  const during = one.status().targets[0];
  expect(during?.maintenance).toEqual({ from, until: new Date(from + hour), note: 'moving' });
  expect(during).toMatchObject({ state: 'holds', events: [] });
  expect(during?.probes[0]?.runs.at(-1)?.ending).toBe('broken');
  expect(
    await series(
      one.metrics.text(),
      'contract_violations_total{target="under-test",clause="BEARER-2"',
    ),
  ).toEqual(['contract_violations_total{target="under-test",clause="BEARER-2"} 0']);
  await time.pass(20 * minute);
  expect(one.status().targets[0]?.state).toBe('broken');
});

test('the status survives a restart, and the next runs keep their times', async () => {
  const { time, provider, watch } = quiet();
  const first = watch(probes);
  provider.answer = (line, token) =>
    token === undefined && line.startsWith('GET') ? {} : undefined;
  await time.pass(25 * minute);
  await first.drain(1_000);
  const before = first.status().targets[0];
  time.kill();
  const runs = provider.requests.length;
  const again = watch(probes, { state: first.state });
  const after = again.status().targets[0];
  expect(after?.state).toBe('broken');
  for (const what of [
    'state',
    'since',
    'clauses',
    'observations',
    'failures',
    'events',
    'hours',
  ] as const)
    expect({ [what]: after?.[what] }).toEqual({ [what]: before?.[what] });
  expect(after?.probes.map(({ runs: cells }) => cells)).toEqual(
    before?.probes.map(({ runs: cells }) => cells),
  );
  await time.pass(10_000);
  expect(provider.requests.length - runs).toBeLessThan(runs / 5);
  await time.pass(hour);
  expect(again.status().missedTicks).toBe(0);
});

test('an outage is reported, with its streak of failures, also at the start, and so is its end', async () => {
  const { time, provider, watch } = quiet();
  provider.answer = down;
  const one = watch([opens]);
  await time.pass(5 * minute);
  expect(one.status().targets[0]).toMatchObject({
    state: 'unreachable',
    unreachable: { reason: 'connect' },
  });
  const [streak] = await series(one.metrics.text(), 'monitor_consecutive_failures{');
  expect(Number(streak?.split(' ')[1])).toBeGreaterThan(4);
  delete provider.answer;
  await time.pass(2 * minute);
  expect(one.status().targets[0]?.state).toBe('holds');
  expect(await series(one.metrics.text(), 'probe_success{')).toEqual([
    expect.stringMatching(/ 1$/),
  ]);
  provider.answer = down;
  await time.pass(2 * minute);
  expect(one.status().targets[0]?.state).toBe('unreachable');
});

const stops: [what: string, stop: (time: SimulatedTime) => void][] = [
  ['the process is stopped by a signal', (time) => time.stop(hour)],
  ['the machine is suspended', (time) => time.suspend(hour)],
  ['the machine is stopped from outside', (time) => time.pause(hour, true)],
];

for (const [what, stop] of stops)
  test(`a run that gets no answer because ${what} is discarded and repeated`, async () => {
    const { time, provider, watch } = quiet({ chosen: { [opens.name]: { everySeconds: 86_400 } } });
    let isSilent = false;
    let underWay = false;
    const exchange: typeof provider.exchange = (connection, request, where) => {
      if (!isSilent) return provider.exchange(connection, request, where);
      underWay = true;
      return new Promise((_, reject) => {
        time.after(connection.timeoutMs, () => reject(new Unreachable('timeout', where)));
      });
    };
    const one = watch([opens], { provider: { ...provider, exchange } });
    isSilent = true;
    while (!underWay) await time.pass(100);
    isSilent = false;
    stop(time);
    await time.pass(minute);
    const [shown] = one.status().targets;
    expect(shown).toMatchObject({ state: 'holds', failures: [] });
    expect(shown?.probes[0]?.runs).toHaveLength(1);
    const timeouts = await series(one.metrics.text(), 'monitor_failures_total{');
    expect(timeouts.filter((line) => !line.endsWith(' 0'))).toEqual([]);
    expect(time.sleepers()).toBe(2);
  });

test('a run without an answer is a network failure while no clock stands still', async () => {
  const { time, provider, watch } = quiet();
  const exchange: typeof provider.exchange = (connection, _shot, where) =>
    new Promise((_, reject) => {
      time.after(connection.timeoutMs, () => reject(new Unreachable('timeout', where)));
    });
  const one = watch([opens], { provider: { ...provider, exchange } });
  await time.pass(5 * minute);
  expect(one.status().missedTicks).toBe(0);
  expect(one.status().targets[0]?.unreachable?.reason).toBe('timeout');
});

test('a round has one token for all probes that accept any', async () => {
  const { time, provider, watch } = quiet();
  const one = watch([opens, refused]);
  await time.pass(10 * minute);
  const issues = provider.requests.filter((line) => line.startsWith('POST')).length;
  expect(issues).toBe(one.status().targets[0]?.probes[0]?.runs.length);
});

/** A target whose payload must be an object with a member of this name. */
function payloadTarget(target: WatchedTarget, name: string): WatchedTarget {
  const unfit = payloadCheck({ required: [name] });
  return { ...target, endpoints: [{ ...target.endpoints[0], unfit }] };
}

test('a payload that does not match its schema fails its probe and breaks no clause', async () => {
  const { time, provider, target, watch } = quiet();
  const one = watch([opens], { targets: [payloadTarget(target, 'widgets')] });
  await time.pass(2 * minute);
  expect(one.status().targets[0]?.state).toBe('holds');
  provider.answer = (_line, token) =>
    token === undefined ? undefined : { body: Buffer.from('{"gadgets":[]}') };
  await time.pass(2 * minute);
  const message = one.status().targets[0];
  expect(message?.state).toBe('holds');
  const probe = message?.probes.find(({ name }) => name === 'the-payload-is-as-its-schema-says');
  expect(probe?.last).toMatchObject({
    ending: 'broken',
    reason: 'payload',
    detail: expect.stringContaining('/widgets is missing'),
  });
});

test('events are stored each second, and write failures are reported', async () => {
  const { time, watch } = quiet();
  let problem: string | undefined;
  const one = watch([opens]);
  const state = { ...one.state, problem: () => problem, failures: () => 1 };
  const other = watch([opens], { state, writesEachSecond: true });
  problem = 'the state file cannot be written: database or disk is full';
  await time.pass(2_000);
  expect(await series(other.metrics.text(), 'monitor_state_writable')).toEqual([
    'monitor_state_writable 0',
  ]);
  expect(other.logged).toContain(problem);
  problem = undefined;
  await time.pass(2_000);
  expect(other.logged).toContain('the state is writable again');
});
