import { expect, test } from '@playwright/test';
import { openStateStore } from '../../monitor/state/state.ts';
import type { Run } from '../../monitor/round/run.ts';
import { Latency, latencyIntervalMs, latencyOf } from '../../monitor/watch/latency.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { kept, probeAbout } from './runs.ts';
import { start } from './statuses.ts';

const name = 'under-test';

/** A run of the control that connected in one second, and then was answered in `ms` milliseconds. */
const answered = (at: number, ms: number, probe = opens): Run => ({
  ...kept(probe, { at }),
  authorised: {
    http: { status: 200, httpVersion: '1.1' },
    phases: { resolve: 0, connect: 1, tls: 0, processing: ms / 1000, transfer: 0 },
  },
});

const kiB = 1024;

test('half of the requests took at most p50, and 95 in a hundred at most p95', () => {
  const state = openStateStore(':memory:');
  const one = new Latency(name, state);
  for (let ms = 1; ms <= 100; ms += 1) one.take(answered(start + ms * 1000, ms));
  const [interval, ...others] = latencyOf(state, name, start + 1);
  expect(others).toEqual([]);
  expect(interval).toMatchObject({ from: start, requests: 100 });
  expect(Math.abs((interval?.p50Seconds ?? 0) / 0.05 - 1)).toBeLessThan(0.05);
  expect(Math.abs((interval?.p95Seconds ?? 0) / 0.095 - 1)).toBeLessThan(0.05);
});

test('from a tenth of a millisecond to a minute a latency is right to 5 percent', () => {
  for (let seconds = 0.0001; seconds < 60; seconds *= 1.07) {
    const state = openStateStore(':memory:');
    new Latency(name, state).take(answered(start, seconds * 1000));
    const [interval] = latencyOf(state, name, start + 1);
    expect(Math.abs((interval?.p95Seconds ?? 0) / seconds - 1)).toBeLessThan(0.05);
  }
});

test('only the positive control counts, and only when it was answered', () => {
  const state = openStateStore(':memory:');
  const one = new Latency(name, state);
  one.take(answered(start, 5, probeAbout('another', ['BEARER-2'])));
  one.take(kept(opens, { at: start }));
  one.take({
    ...kept(opens, { at: start }),
    authorised: { http: { status: 0, httpVersion: '0' } },
  });
  expect(latencyOf(state, name, start + 1)).toEqual([]);
});

test('two days of half hours are kept, and half hours without a measurement are absent', () => {
  const state = openStateStore(':memory:');
  const one = new Latency(name, state);
  const at = (index: number): number => start + index * latencyIntervalMs;
  for (let index = 0; index < 200; index += 1) if (index !== 150) one.take(answered(at(index), 5));
  const all = latencyOf(state, name, at(199) + 1);
  expect(all.map(({ from }) => from)).toEqual(
    Array.from({ length: 96 }, (_, index) => at(104 + index)).filter((from) => from !== at(150)),
  );
  const stored = [...state.entries(name, 'latency').values()];
  expect(JSON.stringify(stored).length).toBeLessThan(4 * kiB);
});

test('a restart goes on with the present half hour, also when the wall clock was set back', () => {
  const state = openStateStore(':memory:');
  for (const ms of [10, 20, 30]) new Latency(name, state).take(answered(start + 5_000, ms));
  expect(latencyOf(state, name, start + 1)).toMatchObject([{ requests: 3 }]);
  const one = new Latency(name, state);
  one.take(answered(start - 1, 10));
  one.take(answered(start + 1, 10));
  expect(latencyOf(state, name, start + 1).map(({ from }) => from - start)).toEqual([
    -latencyIntervalMs,
    0,
  ]);
});

test('rows of another program in the state are not shown', () => {
  const state = openStateStore(':memory:');
  state.put(name, 'latency', 'present', { from: 'x', counts: [[1, 2]] });
  state.put(name, 'latency', 'earlier', [[start, 1, 'x', 2], [start], 7, [start, 1, 0.1, 0.2]]);
  expect(latencyOf(state, name, start + 1)).toEqual([
    { from: start, requests: 1, p50Seconds: 0.1, p95Seconds: 0.2 },
  ]);
  expect(() => new Latency(name, state).take(answered(start, 5))).not.toThrow();
});
