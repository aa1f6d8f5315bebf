import type { LookupFunction } from 'node:net';
import { expect, test } from '@playwright/test';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { openStateStore } from '../../monitor/state/state.ts';
import type { Run } from '../../monitor/target/run.ts';
import type { WatchedTarget } from '../../monitor/target/watched-target.ts';
import { logTo } from '../../monitor/watch/log.ts';
import { Watch } from '../../monitor/watch/watch.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { nightly } from '../nightly.ts';
import { startProvider, startSilence, targetAt } from './provider.ts';

nightly();

/** Node's look-up of a machine on which some names never resolve. */
const lookup: LookupFunction = (name, _options, done) => {
  if (!name.startsWith('stalled')) done(null, [{ address: '127.0.0.1', family: 4 }]);
};

const periodSeconds = 4;

/** The number of runs of each healthy target that the test waits for. */
const runsEach = 4;

/** Counts missed runs. The first run is not on the grid, and a run may be late by one period. */
const missedBetween = ([, ...onGrid]: readonly number[]): number =>
  onGrid
    .map((at, index) => at - (onGrid[index - 1] ?? at))
    .reduce((sum, gapMs) => sum + Math.max(0, Math.floor(gapMs / (periodSeconds * 1000)) - 1), 0);

test('seventy hanging and two DNS-stalled targets cost a hundred healthy ones less than 1 % of their runs', async () => {
  await using provider = await startProvider();
  await using silence = await startSilence();
  const targetsOf = (what: string, count: number, { port }: URL): WatchedTarget[] =>
    Array.from({ length: count }, (_, index) => {
      const name = `${what}-${index}`;
      const { connection, endpoints, ...target } = targetAt(new URL(`http://${name}.test:${port}`));
      const [endpoint] = endpoints;
      const patient = { ...connection, timeoutMs: 60_000, lookup };
      return { ...target, name, connection: patient, endpoints: [endpoint], canaries: 'off' };
    });
  const healthy = new Map<string, number[]>();
  const done = Promise.withResolvers<void>();
  const lags = [] as number[];
  const reasons = new Set<string>();
  const metrics = new Metrics({ version: 'test' });
  const monitor = new Watch({
    targets: [
      ...targetsOf('stalled', 2, provider.baseUrl),
      ...targetsOf('hanging', 70, silence.origin),
      ...targetsOf('healthy', 100, provider.baseUrl),
    ],
    metrics: Object.assign(metrics, {
      began: (lag: number) => void lags.push(lag),
      ran({ target, startedAt, result, reason }: Run) {
        if (!target.startsWith('healthy')) return;
        if (result.outcome === 'passed')
          healthy.set(target, [...(healthy.get(target) ?? []), startedAt]);
        else reasons.add(`${reason}`);
        if (isDone()) done.resolve();
      },
    }),
    probes: [opens],
    pace: { periodSeconds, seed: '' },
    concurrency: 64,
    version: 'test',
    log: logTo({ write: () => {} }, false),
    state: openStateStore(':memory:'),
  });
  const isDone = () =>
    healthy.size === 100 && [...healthy.values()].every(({ length }) => length >= runsEach);
  monitor.start();
  await done.promise;
  await monitor.drain(0);
  const runs = [...healthy.values()];
  const total = runs.reduce((sum, { length }) => sum + length, 0);
  const missed = runs.reduce((sum, startedAt) => sum + missedBetween(startedAt), 0);
  expect([...reasons]).toEqual([]);
  expect(missed).toBeLessThanOrEqual(total / 100);
  const sorted = lags.toSorted((one, other) => one - other).map((lag) => Math.round(lag * 1000));
  const [median, late, latest] = [0.5, 0.99, 1].map((part) =>
    sorted.at(Math.ceil(part * sorted.length) - 1),
  );
  test.info().annotations.push({
    type: 'lag',
    description: `${total} runs, ${missed} missed, lag ${median} / ${late} / ${latest} ms`,
  });
});
