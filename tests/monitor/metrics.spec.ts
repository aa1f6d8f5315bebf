import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { type Metrics, metricsOf } from '../../monitor/metrics.ts';
import { standingOf } from '../../monitor/standing.ts';
import { needs, programPath } from '../programs.ts';
import { broken, defect, kept, probeAbout, slotsFor, unreachable } from './runs.ts';

const probe = probeAbout('opens', ['BEARER-1'], { once: true });

const fresh = (): Metrics => {
  const metrics = metricsOf({ version: '1.2.3' });
  metrics.expect('t', ['opens']);
  return metrics;
};

/** The sample lines of one metric. */
async function samples(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => new RegExp(`^${name}[ {]`).test(line));
}

test('counters and verdicts exist before the first run', async () => {
  const metrics = fresh();
  expect(await samples(metrics, 'monitor_runs_total')).toEqual(
    ['kept', 'broken', 'unreachable', 'defect'].map(
      (outcome) => `monitor_runs_total{target="t",probe="opens",outcome="${outcome}"} 0`,
    ),
  );
  expect(await samples(metrics, 'monitor_failures_total')).toHaveLength(14);
  expect(await samples(metrics, 'monitor_runs_missed_total')).toEqual(
    ['overlap', 'suspended', 'draining'].map(
      (cause) => `monitor_runs_missed_total{cause="${cause}"} 0`,
    ),
  );
  const verdicts = await samples(metrics, 'contract_clause_verdict');
  expect(verdicts).toHaveLength(63);
  expect(verdicts.filter((line) => line.endsWith(' 1'))).toHaveLength(21);
  expect(verdicts.filter((line) => line.endsWith(' 1')).join()).not.toMatch(/holds|violated/);
});

test('nothing is said of success before a run has ended', async () => {
  expect(await samples(fresh(), 'probe_success')).toEqual([]);
});

test('a kept run is a success with its duration and phases', async () => {
  const metrics = fresh();
  metrics.ran({ ...kept(probe, { at: 1_700_000_000_500 }), target: 't' }, true);
  const labels = '{target="t",probe="opens"}';
  expect(await samples(metrics, 'probe_success')).toEqual([`probe_success${labels} 1`]);
  expect(await samples(metrics, 'probe_duration_seconds')).toEqual([
    `probe_duration_seconds${labels} 0.0071`,
  ]);
  expect(await samples(metrics, 'probe_http_duration_seconds')).toEqual(
    Object.entries({ resolve: 0, connect: 0.001, tls: 0, processing: 0.004, transfer: 0.002 }).map(
      ([phase, value]) =>
        `probe_http_duration_seconds{target="t",probe="opens",phase="${phase}"} ${value}`,
    ),
  );
  expect(await samples(metrics, 'monitor_last_run_timestamp_seconds')).toEqual([
    `monitor_last_run_timestamp_seconds${labels} 1700000000.5`,
  ]);
});

test('each ending counts under its own outcome and reason', async () => {
  const metrics = fresh();
  for (const run of [
    kept(probe),
    broken(probe, 'BEARER-1'),
    unreachable(probe, 'credentials'),
    unreachable(probe, 'dns'),
    defect(probe),
  ])
    metrics.ran({ ...run, target: 't' }, run.outcome.ending === 'kept');
  const counted = [
    ...(await samples(metrics, 'monitor_runs_total')),
    ...(await samples(metrics, 'monitor_failures_total')),
  ];
  expect(
    counted.filter((line) => !line.endsWith(' 0')).map((line) => /,(.*)/.exec(line)?.[1]),
  ).toEqual([
    'probe="opens",outcome="kept"} 1',
    'probe="opens",outcome="broken"} 1',
    'probe="opens",outcome="unreachable"} 2',
    'probe="opens",outcome="defect"} 1',
    'probe="opens",reason="contract"} 1',
    'probe="opens",reason="dns"} 1',
    'probe="opens",reason="credentials"} 1',
    'probe="opens",reason="defect"} 1',
  ]);
  expect(await samples(metrics, 'probe_success')).toEqual([
    'probe_success{target="t",probe="opens"} 0',
  ]);
});

test('a clause has exactly one verdict', async () => {
  const metrics = fresh();
  const standing = standingOf(slotsFor([probe]), [probe], 0);
  for (const run of [kept(probe), broken(probe, 'BEARER-1')]) {
    standing.take(run);
    metrics.verdicts('t', standing.verdicts());
    const ones = (await samples(metrics, 'contract_clause_verdict')).filter((line) =>
      line.endsWith(' 1'),
    );
    expect(ones).toHaveLength(21);
    expect(ones.find((line) => line.includes('BEARER-1'))).toContain(
      run.outcome.ending === 'kept' ? 'holds' : 'violated',
    );
  }
});

test('missed runs and lag are counted', async () => {
  const metrics = fresh();
  metrics.missed('overlap', 3);
  metrics.began(0.02);
  expect(await samples(metrics, 'monitor_runs_missed_total')).toContain(
    'monitor_runs_missed_total{cause="overlap"} 3',
  );
  expect(await samples(metrics, 'monitor_schedule_lag_seconds_sum')).toEqual([
    'monitor_schedule_lag_seconds_sum 0.02',
  ]);
});

test('two facades share nothing', async () => {
  const [one, other] = [fresh(), fresh()];
  one.missed('overlap', 1);
  expect(await samples(other, 'monitor_runs_missed_total')).toContain(
    'monitor_runs_missed_total{cause="overlap"} 0',
  );
});

test('version and Node are told, and no gauge is named like a counter', async () => {
  const metrics = fresh();
  expect(await samples(metrics, 'monitor_build_info')).toEqual([
    `monitor_build_info{version="1.2.3",node_version="${process.version}"} 1`,
  ]);
  expect(await metrics.text()).not.toContain('nodejs_active_handles_total');
  expect(await samples(metrics, 'process_cpu_user_seconds_total')).toHaveLength(1);
});

test.describe('linted', () => {
  needs('promtool');

  test('promtool finds nothing', async () => {
    const metrics = fresh();
    metrics.ran({ ...kept(probe), target: 't' }, true);
    metrics.began(1);
    const { status, stdout, stderr } = spawnSync(programPath('promtool'), ['check', 'metrics'], {
      input: await metrics.text(),
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
