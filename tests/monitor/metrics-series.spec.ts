import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { canaryProbes } from '../../monitor/canary/probes.ts';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { monitored } from '../../monitor/round/plan.ts';
import { aTokenOpensTheEndpoint as control } from '../../probes/bearer.ts';
import { probes } from '../../probes/index.ts';
import { samples } from './metrics-text.ts';
import { broken, kept, probeAbout, unreachable } from './runs.ts';

const all = [...monitored(probes), ...Object.values(canaryProbes)].map(({ name }) => name);
const other = probeAbout('another', ['BEARER-2'], { scope: 'service' });

/** The metrics of a target `t` with the default configuration. */
function expecting(names: readonly string[] = [control.name, other.name]): Metrics {
  const metrics = new Metrics('1.2.3');
  metrics.expect('t', names, { timeoutSeconds: 10, objectiveRatio: 0.995, slowSeconds: 1 });
  return metrics;
}

test('a target with all probes has at most 300 series', () => {
  const metrics = expecting(all);
  expect(all.length).toBeGreaterThan(15);
  const remedy =
    'export fewer series, or raise the limit: .github/CONTRIBUTING.md names its places';
  expect(metrics.series(), remedy).toBeLessThanOrEqual(300);
});

test("the names of blackbox_exporter describe the control, and not another probe's 401", async () => {
  const metrics = expecting();
  const refused = { ...kept(other), target: 't', http: { status: 401, httpVersion: '1.1' } };
  metrics.ran(refused, true);
  expect(await samples(metrics, 'probe_(success|http_status_code)')).toEqual([]);
  const http = { status: 200, httpVersion: '1.1' };
  metrics.ran({ ...kept(control), target: 't', http, authorised: { http } }, true);
  metrics.ran(refused, true);
  expect(await samples(metrics, 'probe_(success|http_status_code)')).toEqual([
    `probe_success{target="t",probe="${control.name}"} 1`,
    `probe_http_status_code{target="t",probe="${control.name}"} 200`,
  ]);
});

test('each probe of a target has its last run, duration, streak and last success', async () => {
  const metrics = expecting();
  metrics.ran({ ...kept(other, { at: 1_700_000_000_000 }), target: 't' }, true);
  metrics.streak('t', other.name, 0, 1_700_000_000_000);
  const own = (await samples(metrics, '\\w+')).filter((line) => line.includes('probe="another"'));
  expect(own).toEqual([
    'monitor_run_duration_seconds{target="t",probe="another"} 0.0071',
    'monitor_last_run_timestamp_seconds{target="t",probe="another"} 1700000000',
    'monitor_last_kept_timestamp_seconds{target="t",probe="another"} 1700000000',
    'monitor_consecutive_failures{target="t",probe="another"} 0',
  ]);
});

test('outcomes and reasons of a target are counted over all of its probes', async () => {
  const metrics = expecting();
  metrics.ran({ ...kept(control), target: 't' }, true);
  metrics.ran({ ...broken(other, 'BEARER-2'), target: 't' }, false);
  metrics.ran({ ...unreachable(other, 'dns'), target: 't' }, false);
  const counted = async () =>
    (await samples(metrics, 'monitor_(runs|failures)_total')).filter((line) => !/ 0$/.test(line));
  const expected = [
    'monitor_runs_total{target="t",outcome="kept"} 1',
    'monitor_runs_total{target="t",outcome="broken"} 1',
    'monitor_runs_total{target="t",outcome="unreachable"} 1',
    'monitor_failures_total{target="t",reason="contract"} 1',
    'monitor_failures_total{target="t",reason="dns"} 1',
  ];
  expect(await counted()).toEqual(expected);
  // Prometheus would read a counter that falls as a restart.
  metrics.expect('t', [control.name], { timeoutSeconds: 10 });
  expect(await counted()).toEqual(expected);
});

test('an unverified clause neither holds nor is violated', async () => {
  const metrics = expecting();
  expect(await samples(metrics, 'contract_clause_verdict')).toHaveLength(2 * mustHold.length);
  const verdicts = await samples(metrics, 'contract_clause_verdict');
  expect(verdicts.filter((line) => !line.endsWith(' 0'))).toEqual([]);
  expect(verdicts.join()).not.toContain('unverified');
});

test('the objective and the slow threshold are exported', async () => {
  expect(await samples(expecting(), 'monitor_target_(objective_ratio|slow_seconds)')).toEqual([
    'monitor_target_objective_ratio{target="t"} 0.995',
    'monitor_target_slow_seconds{target="t"} 1',
  ]);
});

test('the certificate of a target is that of the last handshake, of any probe', async () => {
  const metrics = expecting([other.name]);
  const handshake = (earliestExpiry: number) => ({
    http: { status: 401, httpVersion: '1.1', tls: { version: 'TLSv1.3', earliestExpiry } },
  });
  metrics.ran({ ...kept(other), target: 't', ...handshake(1_000_000) }, true);
  metrics.ran({ ...kept(other), target: 't', ...handshake(2_000_000) }, true);
  expect(await samples(metrics, 'probe_ssl_earliest_cert_expiry')).toEqual([
    'probe_ssl_earliest_cert_expiry{target="t"} 2000',
  ]);
  metrics.ran({ ...unreachable(other, 'connect'), target: 't' }, false);
  expect(await samples(metrics, 'probe_ssl_earliest_cert_expiry')).toHaveLength(1);
});

test('requests that take longer than the target allows are counted', async () => {
  const metrics = expecting();
  for (const seconds of [0.5, 1, 1.001, 20]) metrics.processed('t', seconds);
  expect(await samples(metrics, 'monitor_target_slow_requests_total')).toEqual([
    'monitor_target_slow_requests_total{target="t"} 2',
  ]);
});
