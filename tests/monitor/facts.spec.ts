import { expect, test } from '@playwright/test';
import { withRun } from '../../monitor/status/speed.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { planFor, reducing, restarted } from './reducing.ts';
import { broken, defect, kept, probeAbout, type RunDetails, target, unreachable } from './runs.ts';

const probe = probeAbout('opens', ['BEARER-1']);
const [widgets] = target.endpoints;
const there = { endpoint: 'POST /public-api/v1/reports' };
const plan = planFor([probe]);

const saying = (value: string, details: RunDetails = {}) =>
  kept(probe, { ...details, observed: [['OPEN-3', 'message of a token response', value]] });

const many = (count: number, value: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => value(index));

const varies = 'varies from answer to answer';
const settled = [...many(9, String), ...many(60, () => 'ok')];
const hourly = many(100, (index) => `${Math.floor(index / 6)} o'clock`);

for (const [what, values, changes, last] of [
  ['a value that is seen once changes nothing', ['ok', 'ok', 'oops', 'ok', 'oh', 'ok'], 0, 'ok'],
  ['a value that is seen twice in a row is a change', ['ok', 'ok', 'new', 'new', 'new'], 1, 'new'],
  ['a value that is never the same varies', many(100, String), 1, varies],
  ['a value that keeps changing varies', hourly, 4, varies],
  ['a fact that has settled has its value again', settled, 2, 'ok'],
] as const)
  test(what, () => {
    const reducer = reducing(planFor([probe], [widgets]));
    const seen = reducer.take(values.map((value, at) => saying(value, { at })));
    expect(seen.filter((change) => change.startsWith('OPEN-3'))).toHaveLength(changes);
    expect(reducer.status().facts[0]?.value).toBe(last);
    expect(reducer.status().counters.observationChanges['OPEN-3'] ?? 0).toBe(changes);
  });

test('a change has its time and the earlier value; a missing answer and a missing observation change nothing', () => {
  const reducer = reducing(plan);
  reducer.take([
    saying('200', { at: 1 }),
    unreachable(probe),
    kept(probe),
    saying('201', { at: 3 }),
  ]);
  expect(reducer.status().facts).toMatchObject([{ value: '200', since: 1 }]);
  expect(reducer.take(saying('201', { at: 4 }))).toContain('OPEN-3 201');
  expect(reducer.status().facts).toMatchObject([{ value: '201', since: 4, before: '200' }]);
});

test('another endpoint that shows another value is no change, nor is its outage or removal', () => {
  const reducer = reducing(plan);
  reducer.take([saying('none'), saying('private', { ...there, at: 2 }), unreachable(probe)]);
  const values = [{ value: 'none, private' }];
  expect(reducer.status().facts).toMatchObject(values);
  const without = planFor([probe], [widgets]);
  const withoutWidgets = reducing(without, restarted(reducer.status(), without, 9));
  expect(withoutWidgets.take([saying('none'), saying('sunset')]).join()).not.toContain('OPEN-3');
  expect(withoutWidgets.status().facts).toMatchObject([{ value: 'none', since: 2 }]);
  expect(withoutWidgets.take(saying('sunset'))).toEqual(['OPEN-3 sunset']);
});

const halfHour = 1_800_000;
const start = Date.UTC(2027, 2, 1);

test('half of the answers of half an hour took at most p50, and 95 in a hundred p95, to 5 percent', () => {
  let all: ReturnType<typeof withRun> = [];
  for (let ms = 1; ms <= 100; ms += 1) all = withRun(all, start + ms, 'passed', ms / 1000);
  all = withRun(withRun(all, start + 1, 'unreachable'), start + 2, 'failed');
  expect(all).toMatchObject([{ from: start, passed: 100, failed: 1, unreachable: 1 }]);
  const right = (seconds = 0, wanted = 1) =>
    expect(Math.abs(seconds / wanted - 1)).toBeLessThan(0.05);
  right(all[0]?.p50Seconds, 0.05);
  right(all[0]?.p95Seconds, 0.095);
  for (let seconds = 0.0001; seconds < 60; seconds *= 1.3)
    right(withRun([], start, 'passed', seconds)[0]?.p95Seconds, seconds);
  expect(withRun([], start, 'passed', 0)[0]?.p50Seconds).toBe(0.0001);
  expect(withRun([], start, 'unreachable')[0]?.p50Seconds).toBeUndefined();
});

test('96 half hours are kept in a few kilobytes, and a clock that jumps for hours removes none of them', () => {
  let all: ReturnType<typeof withRun> = [];
  const run = (at: number) => {
    all = withRun(all, at, 'passed', 0.01 + (at % 7) / 100);
  };
  for (let index = 0; index < 2_000; index += 1) run(start + index * 60_000 * 3);
  expect(all).toHaveLength(96);
  expect(all.at(-1)?.from).toBe(start + 199 * halfHour);
  expect(JSON.stringify(all).length).toBeLessThan(12_000);
  const before = all.slice(-80).map(({ from }) => from);
  for (const years of [1, -1]) run(all.at(-1)?.from ?? 0 + years * 365 * 48 * halfHour);
  expect(all.map(({ from }) => from)).toEqual(expect.arrayContaining(before));
  expect(all.filter(({ buckets }) => buckets !== undefined)).toHaveLength(1);
});

test('the control of an endpoint has its last run, and what a run does not show stays', () => {
  const phases = { resolve: 0, connect: 0, tls: 0, processing: 0.25, transfer: 0.5 };
  const authorised = { status: 200, isTls: true, phases };
  const tls = { earliestExpiry: 7 };
  const first = { ...kept(opens), tls, clockOffsetSeconds: 2, authorised, processing: [0.3, 4] };
  const reducer = reducing(planFor([opens], [widgets]));
  reducer.take([first, defect(opens, { at: 2 })]);
  reducer.take({ ...broken(probe, 'BEARER-1', { at: 3 }), processing: [1] }, true);
  const { endpoints, counters, ...status } = reducer.status();
  expect(status).toMatchObject({ certificate: tls, clockOffsetSeconds: 2, lastRoundAt: 3 });
  expect(endpoints['GET /public-api/v1/widgets']).toMatchObject({
    last: { at: 2, outcome: 'defect', status: 0, isTls: false },
    halfHours: [{ passed: 1, failed: 1, unreachable: 0, p50Seconds: expect.closeTo(0.75, 1) }],
  });
  expect(counters.requests).toEqual({ counts: [0, 0, 0, 0, 1, 2, 2, 3], sum: 5.3, count: 3 });
  expect(counters.runs).toEqual({ passed: 1, failed: 0, unreachable: 0, defect: 1 });
});
