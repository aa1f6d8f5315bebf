import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { ContractStatus } from '../../monitor/target/contract-status.ts';
import { failureReasons } from '../../monitor/round/run.ts';
import { control, fresh, onT, samples, usual, valuesOf } from './metrics-text.ts';
import { broken, kept, placesFor, probeAbout } from './runs.ts';

test('counters and verdicts exist before the first run', async () => {
  const metrics = fresh();
  expect(await samples(metrics, 'monitor_runs_total')).toEqual(
    ['kept', 'broken', 'unreachable', 'defect'].map(
      (outcome) => `monitor_runs_total{target="t",outcome="${outcome}"} 0`,
    ),
  );
  expect(await samples(metrics, 'monitor_failures_total')).toHaveLength(failureReasons.length);
  expect(await samples(metrics, 'contract_violations_total')).toHaveLength(mustHold.length);
  expect(await samples(metrics, 'contract_observation_changes_total')).toHaveLength(10);
  expect(await samples(metrics, 'contract_token_canary_checks_total')).toHaveLength(10);
  const verdicts = await samples(metrics, 'contract_clause_verdict');
  expect(verdicts).toHaveLength(2 * mustHold.length);
  expect(verdicts.filter((line) => !line.endsWith(' 0'))).toEqual([]);
});

test('the phases exist before the first run, as in blackbox_exporter', async () => {
  const metrics = fresh();
  expect(await samples(metrics, 'probe_http_duration_seconds')).toHaveLength(5);
  expect(await samples(metrics, 'probe_timeout_seconds')).toEqual([
    `probe_timeout_seconds{target="t",probe="${control.name}"} 10`,
  ]);
});

test('unknown values are not exported', async () => {
  const text = await fresh().text();
  for (const name of [
    'probe_success',
    'probe_duration_seconds',
    'probe_http_status_code',
    'probe_ssl_earliest_cert_expiry',
    'probe_tls_version_info',
    'monitor_last_run_timestamp_seconds',
    'monitor_last_kept_timestamp_seconds',
    'contract_token_lifetime_lower_bound_seconds',
    'contract_token_lifetime_upper_bound_seconds',
    'contract_provider_clock_offset_seconds',
    'monitor_state_writable',
    'monitor_config_last_reload_successful',
  ])
    expect(text).not.toMatch(new RegExp(`^${name}[ {]`, 'm'));
});

test('a judged clause has exactly one verdict', async () => {
  const metrics = fresh();
  const probe = probeAbout('opens', ['BEARER-1'], { scope: 'service' });
  const standing = new ContractStatus(placesFor([probe]), [probe], 0);
  for (const [run, verdict] of [
    [kept(probe), 'holds'],
    [broken(probe, 'BEARER-1'), 'violated'],
  ] as const) {
    standing.take(run);
    metrics.verdicts('t', standing.verdicts());
    const lines = await samples(metrics, 'contract_clause_verdict');
    expect(lines.filter((line) => line.endsWith(' 1'))).toEqual([
      `contract_clause_verdict{target="t",clause="BEARER-1",verdict="${verdict}"} 1`,
    ]);
  }
});

test('contract and token metrics carry their labels', async () => {
  const metrics = fresh();
  metrics.violated('t', 'EXPIRY-2');
  metrics.observationChanged('t', 'OPEN-4');
  metrics.canaryChecked('t', 'before', 'early_reject');
  metrics.canaryChecked('t', 'after', 'ok');
  metrics.canaries('t', { alive: 4, expired: 3, failed: 2, lost: 1 });
  metrics.lifetime('t', { atLeastSeconds: 86_370.5, atMostSeconds: 86_430.25 });
  metrics.clockOffset('t', -1.5);
  const lines = await samples(metrics, 'contract_(?!clause_verdict)\\w+');
  expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
    'contract_violations_total{target="t",clause="EXPIRY-2"} 1',
    'contract_observation_changes_total{target="t",fact="OPEN-4"} 1',
    'contract_token_canary_checks_total{target="t",phase="before",verdict="early_reject"} 1',
    'contract_token_canary_checks_total{target="t",phase="after",verdict="ok"} 1',
    'contract_token_canaries{target="t",state="alive"} 4',
    'contract_token_canaries{target="t",state="expired"} 3',
    'contract_token_canaries{target="t",state="failed"} 2',
    'contract_token_canaries{target="t",state="lost"} 1',
    'contract_token_lifetime_lower_bound_seconds{target="t"} 86370.5',
    'contract_token_lifetime_upper_bound_seconds{target="t"} 86430.25',
    'contract_provider_clock_offset_seconds{target="t"} -1.5',
  ]);
});

test('missed ticks are counted', async () => {
  const metrics = fresh();
  metrics.missed(2);
  metrics.missed(1);
  expect(metrics.missedTicks()).toBe(3);
  expect(await samples(metrics, 'monitor_ticks_missed_total')).toEqual([
    'monitor_ticks_missed_total 3',
  ]);
});

test('a file that cannot be loaded is exported beside the time of the last load', async () => {
  const metrics = fresh();
  metrics.reloaded(true, 1_700_000_000_000);
  metrics.reloaded(false, 1_700_000_060_000);
  expect(await samples(metrics, 'monitor_config_\\w+')).toEqual([
    'monitor_config_last_reload_successful 0',
    'monitor_config_last_reload_success_timestamp_seconds 1700000000',
  ]);
});

test('state failures are exported as a number since the start', async () => {
  const metrics = fresh();
  expect(await samples(metrics, 'monitor_state_\\w+')).toEqual(['monitor_state_failures_total 0']);
  metrics.state({ writable: false, failures: 2 });
  metrics.state({ writable: true, failures: 2 });
  expect(await samples(metrics, 'monitor_state_\\w+')).toEqual([
    'monitor_state_writable 1',
    'monitor_state_failures_total 2',
  ]);
});

test('targets are counted by state', async () => {
  const metrics = fresh();
  const counts = { waiting: 1, holds: 2, broken: 3, unreachable: 4, partly: 6, unverified: 5 };
  metrics.states(counts);
  expect(await samples(metrics, 'monitor_targets')).toEqual(
    Object.entries(counts).map(([state, count]) => `monitor_targets{state="${state}"} ${count}`),
  );
});

test('a removed target leaves no series, and a late run of it adds none', async () => {
  const metrics = fresh();
  metrics.expect('u', [control.name], usual);
  metrics.forget('t');
  metrics.ran(onT(kept(control)), true);
  metrics.streak('t', control.name, 1);
  metrics.violated('t', 'EXPIRY-2');
  metrics.clockOffset('t', 1);
  const text = await metrics.text();
  expect(text).not.toContain('target="t"');
  expect(text).toContain('target="u"');
  expect(metrics.of('t')).toBeUndefined();
});

test('a re-added target keeps the figures of its remaining probes', async () => {
  const metrics = fresh();
  metrics.ran(onT(kept(control)), true);
  metrics.expect('t', [control.name, 'new'], { timeoutSeconds: 5 });
  expect(await valuesOf(metrics)).toMatchObject({
    'monitor_runs_total{outcome="kept"}': '1',
    probe_success: '1',
    probe_timeout_seconds: '5',
  });
  metrics.expect('t', ['new'], { timeoutSeconds: 5 });
  expect(await metrics.text()).not.toContain(`probe="${control.name}"`);
});

test('two instances share no metrics', async () => {
  const one = fresh();
  const other = fresh();
  one.missed(1);
  one.violated('t', 'EXPIRY-2');
  expect(await samples(other, 'monitor_ticks_missed_total')).toEqual([
    'monitor_ticks_missed_total 0',
  ]);
  expect((await samples(other, 'contract_violations_total')).join()).not.toContain('} 1');
});

test('version and Node version are exported, and no gauge has the name of a counter', async () => {
  const metrics = new Metrics('1.2.3');
  expect(await samples(metrics, 'monitor_build_info')).toEqual([
    `monitor_build_info{version="1.2.3",node_version="${process.version}"} 1`,
  ]);
  expect(await metrics.text()).not.toContain('nodejs_active_handles_total');
  expect(await samples(metrics, 'process_cpu_user_seconds_total')).toHaveLength(1);
});
