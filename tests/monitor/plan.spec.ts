import { expect, test } from '@playwright/test';
import type { Probe } from '../../contract/probe.ts';
import { monitored, slotsOf } from '../../monitor/target/plan.ts';
import { probes } from '../../probes/index.ts';
import { targetAt } from './provider.ts';

const probe = (name: string, more: Partial<Probe> = {}): Probe => ({
  name,
  clauses: ['BEARER-1'],
  scope: 'core',
  stage: 'present',
  everySeconds: 60,
  run: async () => {},
  ...more,
});

const target = targetAt(new URL('http://127.0.0.1:1'));
const pace = { periodSeconds: 60, seed: '', openingMs: 5_000, now: 0 };

test('probes that need simulated time, lock accounts or have no period are never run', () => {
  const { everySeconds: _, ...unpaced } = probe('c');
  expect(
    monitored([
      probe('a', { stage: 'simulated' }),
      probe('b', { stage: 'wrong-credentials' }),
      unpaced,
      probe('d'),
    ]).map(({ name }) => name),
  ).toEqual(['d']);
});

test('no real probe that the monitor runs is intrusive or needs a clock', () => {
  const run = monitored(probes);
  expect(run.length).toBeGreaterThan(10);
  for (const { name, stage } of run) expect(stage, name).toMatch(/^(first|present|disturbing)$/);
});

test('a probe has a slot for each endpoint, and a service-wide probe has one', () => {
  const slots = slotsOf(target, [probe('each'), probe('whole', { scope: 'service' })], pace);
  expect(slots.map(({ key }) => key)).toEqual([
    'under-test each GET /public-api/v1/widgets',
    'under-test each POST /public-api/v1/reports',
    'under-test whole GET /public-api/v1/widgets',
  ]);
});

test('the period of the quick probes scales all the others', () => {
  const own = [
    probe('quick', { scope: 'service' }),
    probe('slow', { scope: 'service', everySeconds: 600 }),
  ];
  const periods = (periodSeconds: number) =>
    slotsOf(target, own, { ...pace, periodSeconds }).map(({ timing }) => timing.period);
  expect(periods(60)).toEqual([60_000, 600_000]);
  expect(periods(30)).toEqual([30_000, 300_000]);
  expect(periods(1)).toEqual([1_000, 10_000]);
});

/** The offset of each probe within the period of the quick probes. */
const instantsIn = (name: string, own: readonly Probe[], seed = ''): Set<number> =>
  new Set(
    slotsOf({ ...target, name }, own, { ...pace, seed }).map(
      ({ timing: { offset } }) => offset % 60_000,
    ),
  );

test('probes of a target fall due together, at an instant that follows from its name and the seed', () => {
  const own = [probe('quick'), probe('other'), probe('slow', { everySeconds: 600 })];
  const names = Array.from({ length: 40 }, (_, index) => `target-${index}`);
  const instants = names.flatMap((name) => [...instantsIn(name, own)]);
  expect(instants).toHaveLength(40);
  expect(names.flatMap((name) => [...instantsIn(name, own)])).toEqual(instants);
  expect(names.flatMap((name) => [...instantsIn(name, own, 'other')])).not.toEqual(instants);
  for (const quarter of [0, 1, 2, 3])
    expect(
      instants.filter((instant) => Math.floor((4 * instant) / 60_000) === quarter).length,
    ).toBeGreaterThan(2);
});

test('probes that run seldom are spread over the periods of the quick ones', () => {
  const own = Array.from({ length: 40 }, (_, index) =>
    probe(`probe-${index}`, { scope: 'service', everySeconds: 600 }),
  );
  const periods = slotsOf(target, own, pace).map(({ timing }) =>
    Math.floor(timing.offset / 60_000),
  );
  expect(Math.min(...periods)).toBe(0);
  expect(Math.max(...periods)).toBe(9);
  expect(new Set(periods).size).toBeGreaterThan(7);
});

test('a probe whose period is no multiple of the quick ones has an instant of its own', () => {
  const own = Array.from({ length: 10 }, (_, index) => probe(`p-${index}`, { everySeconds: 90 }));
  expect(instantsIn('a', own).size).toBeGreaterThan(8);
});

test('every probe runs once soon after the start, at different instants', () => {
  const slots = slotsOf(target, probes, pace);
  const firsts = slots.map(({ timing }) => timing.firstAt);
  expect(Math.max(...firsts)).toBeLessThan(10_000);
  expect(new Set(firsts).size).toBeGreaterThan(firsts.length / 2);
});
