import { expect, test } from '@playwright/test';
import { control, fresh, onT, samples, valuesOf } from './metrics-text.ts';
import { broken, defect, kept, unreachable } from './runs.ts';

test('a passed run is a success with its duration and phases', async () => {
  const metrics = fresh();
  metrics.ran(onT(kept(control, { at: 1_700_000_000_500 })), true);
  expect(await valuesOf(metrics)).toMatchObject({
    probe_success: '1',
    probe_duration_seconds: '0.0071',
    probe_dns_lookup_time_seconds: '0',
    'probe_http_duration_seconds{phase="resolve"}': '0',
    'probe_http_duration_seconds{phase="connect"}': '0.001',
    'probe_http_duration_seconds{phase="tls"}': '0',
    'probe_http_duration_seconds{phase="processing"}': '0.004',
    'probe_http_duration_seconds{phase="transfer"}': '0.002',
    monitor_last_run_timestamp_seconds: '1700000000.5',
  });
});

test('the last answer has the metrics of blackbox_exporter', async () => {
  const metrics = fresh();
  const tls = { version: 'TLSv1.3', earliestExpiry: 1_800_000_000_000 };
  const http = { status: 401, httpVersion: '1.1', contentLength: 63, tls };
  metrics.ran(onT(kept(control), http), true);
  expect(await valuesOf(metrics)).toMatchObject({
    probe_http_status_code: '401',
    probe_http_version: '1.1',
    probe_http_ssl: '1',
    probe_http_content_length: '63',
    probe_ssl_earliest_cert_expiry: '1800000000',
    'probe_tls_version_info{version="TLS 1.3"}': '1',
  });
  metrics.ran(onT(kept(control), { status: 200, httpVersion: '1.0' }), true);
  const plain = await valuesOf(metrics);
  expect(plain).toMatchObject({
    probe_http_status_code: '200',
    probe_http_version: '1',
    probe_http_ssl: '0',
    probe_http_content_length: '-1',
  });
  expect(Object.keys(plain).join()).not.toMatch(/probe_ssl|probe_tls/);
});

for (const [node, shown] of [
  ['TLSv1', 'TLS 1.0'],
  ['TLSv1.2', 'TLS 1.2'],
  ['SSLv3" 1\nx', 'unknown'],
] as const)
  test(`${JSON.stringify(node)} is exported as ${shown}`, async () => {
    const metrics = fresh();
    const tls = { version: node, earliestExpiry: 1 };
    metrics.ran(onT(kept(control), { status: 200, httpVersion: '', tls }), true);
    expect(await samples(metrics, 'probe_tls_version_info')).toEqual([
      `probe_tls_version_info{target="t",probe="${control.name}",version="${shown}"} 1`,
    ]);
  });

test('a run without an answer is all zeros, and the end of the certificate stays known', async () => {
  const metrics = fresh();
  const tls = { version: 'TLSv1.3', earliestExpiry: 1_800_000_000_000 };
  const http = { status: 200, httpVersion: '1.1', contentLength: 1, tls };
  metrics.ran(onT(kept(control), http), true);
  metrics.ran(onT(unreachable(control, 'tls')), false);
  const now = await valuesOf(metrics);
  expect(now).toMatchObject({
    probe_success: '0',
    probe_http_status_code: '0',
    probe_http_version: '0',
    probe_http_ssl: '0',
    probe_http_content_length: '0',
    'probe_http_duration_seconds{phase="processing"}': '0',
    probe_ssl_earliest_cert_expiry: '1800000000',
  });
  expect(Object.keys(now).join()).not.toContain('probe_tls_version_info');
});

test('each run counts under its own outcome and reason, and in the total', async () => {
  const metrics = fresh();
  for (const run of [
    kept(control),
    broken(control, 'BEARER-1'),
    unreachable(control, 'credentials'),
    unreachable(control, 'dns'),
    defect(control),
  ])
    metrics.ran(onT(run), run.result.outcome === 'passed');
  const counted = await samples(metrics, 'monitor_(all_runs|runs|failures)_total');
  expect(counted.filter((line) => !line.endsWith(' 0'))).toEqual([
    'monitor_all_runs_total{outcome="kept"} 1',
    'monitor_all_runs_total{outcome="broken"} 1',
    'monitor_all_runs_total{outcome="unreachable"} 2',
    'monitor_all_runs_total{outcome="defect"} 1',
    'monitor_runs_total{target="t",outcome="kept"} 1',
    'monitor_runs_total{target="t",outcome="broken"} 1',
    'monitor_runs_total{target="t",outcome="unreachable"} 2',
    'monitor_runs_total{target="t",outcome="defect"} 1',
    'monitor_failures_total{target="t",reason="contract"} 1',
    'monitor_failures_total{target="t",reason="dns"} 1',
    'monitor_failures_total{target="t",reason="credentials"} 1',
    'monitor_failures_total{target="t",reason="defect"} 1',
  ]);
});

test('a streak is exported with the last passed run', async () => {
  const metrics = fresh();
  metrics.streak('t', control.name, 0, 1_700_000_000_000);
  metrics.streak('t', control.name, 3);
  expect(await valuesOf(metrics)).toMatchObject({
    monitor_consecutive_failures: '3',
    monitor_last_kept_timestamp_seconds: '1700000000',
  });
});
