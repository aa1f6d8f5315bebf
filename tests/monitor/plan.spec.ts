import { expect, test } from '@playwright/test';
import { monitored, placesOf } from '../../monitor/round/plan.ts';
import { probes } from '../../probes/index.ts';
import { targetAt } from './provider.ts';
import { probeAbout } from './runs.ts';

const target = targetAt(new URL('http://127.0.0.1:1'));
const probe = (name: string, more: Parameters<typeof probeAbout>[2] = {}) =>
  probeAbout(name, ['BEARER-1'], more);

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

test('a probe has a place for each endpoint, and a service-wide probe has one', () => {
  const places = placesOf(target, [probe('each'), probe('whole', { scope: 'service' })], 60);
  expect(places.map(({ key }) => key)).toEqual([
    'each GET /public-api/v1/widgets',
    'each POST /public-api/v1/reports',
    'whole',
  ]);
});

test('the period of the quick probes scales all the others', () => {
  const own = [
    probe('quick', { scope: 'service' }),
    probe('slow', { scope: 'service', everySeconds: 600 }),
  ];
  const periods = (seconds: number) =>
    placesOf(target, own, seconds).map(({ everySeconds }) => everySeconds);
  expect(periods(60)).toEqual([60, 600]);
  expect(periods(30)).toEqual([30, 300]);
  expect(periods(1)).toEqual([1, 10]);
});
