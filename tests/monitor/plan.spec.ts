import { expect, test } from '@playwright/test';
import type { Probe } from '../../contract/probe.ts';
import { monitored, slotsOf } from '../../monitor/target/plan.ts';
import { probes } from '../../probes/index.ts';
import { targetAt } from './provider.ts';

const probe = (name: string, more: Partial<Probe> = {}): Probe => ({
  name,
  clauses: ['BEARER-1'],
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
      probe('a', { needs: 'clock' }),
      probe('b', { intrusive: true }),
      unpaced,
      probe('d'),
    ]).map(({ name }) => name),
  ).toEqual(['d']);
});

test('no real probe that the monitor runs is intrusive or needs a clock', () => {
  const run = monitored(probes);
  expect(run.length).toBeGreaterThan(10);
  for (const { name, intrusive, needs } of run)
    expect({ name, intrusive, needs }).toEqual({ name });
});

test('a probe has a slot for each endpoint, and a service-wide probe has one', () => {
  const slots = slotsOf(target, [probe('each'), probe('whole', { once: true })], pace);
  expect(slots.map(({ key }) => key)).toEqual([
    'under-test each GET /public-api/v1/widgets',
    'under-test each POST /public-api/v1/reports',
    'under-test whole GET /public-api/v1/widgets',
  ]);
});

test('the period of the quick probes scales all the others', () => {
  const own = [probe('quick', { once: true }), probe('slow', { once: true, everySeconds: 600 })];
  const periods = (periodSeconds: number) =>
    slotsOf(target, own, { ...pace, periodSeconds }).map(({ timing }) => timing.period);
  expect(periods(60)).toEqual([60_000, 600_000]);
  expect(periods(30)).toEqual([30_000, 300_000]);
  expect(periods(1)).toEqual([1_000, 10_000]);
});

test('offsets follow from the names, are spread over the period, and depend on the seed', () => {
  const own = Array.from({ length: 40 }, (_, index) => probe(`probe-${index}`, { once: true }));
  const offsets = (seed: string) =>
    slotsOf(target, own, { ...pace, seed }).map(({ timing }) => timing.offset);
  expect(offsets('')).toEqual(offsets(''));
  expect(offsets('')).not.toEqual(offsets('other'));
  for (const quarter of [0, 1, 2, 3])
    expect(
      offsets('').filter((offset) => Math.floor((4 * offset) / 60_000) === quarter).length,
    ).toBeGreaterThan(2);
});

test('every probe runs once soon after the start, at different instants', () => {
  const slots = slotsOf(target, probes, pace);
  const firsts = slots.map(({ timing }) => timing.firstAt);
  expect(Math.max(...firsts)).toBeLessThan(10_000);
  expect(new Set(firsts).size).toBeGreaterThan(firsts.length / 2);
});
