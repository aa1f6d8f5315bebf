import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { metrics, monitorMetrics, roundText } from '../../monitor/metrics/metrics.ts';
import { newStatus } from '../../monitor/status/status.ts';
import { aTokenOpensTheEndpoint as control } from '../../probes/bearer.ts';
import { needs } from '../programs.ts';
import {
  endpoint,
  expectLinted,
  fullTarget,
  overTls,
  samples,
  second,
  toMetrics,
} from './metrics-text.ts';
import { broken, kept, unreachable } from './runs.ts';
import { monitorWith, now, start, statusAfter, tokenWith, viewWith } from './statuses.ts';

const endpointLabel = (name: string | undefined): string => `endpoint="${name}"`;

test('every metric of the table is exported with its labels, and no other', async () => {
  const own = monitorWith([]).own;
  const text = await toMetrics([fullTarget()], { own });
  const types = [...text.matchAll(/^# TYPE ((?:probe|contract)_\w+ \w+)$/gm)].map(
    ([, type]) => type,
  );
  expect(types.sort()).toEqual(metrics.map(({ name, type }) => `${name} ${type}`).sort());
  for (const { name, labels } of metrics) {
    const [line = ''] = text.match(new RegExp(`^${name}(_sum)?[ {].*$`, 'm')) ?? [];
    expect([...line.matchAll(/(\w+)="/g)].map(([, label]) => label)).toEqual(labels);
  }
  expect(text).toMatch(/^process_cpu_seconds_total \d/m);
  expect(text).not.toMatch(/NaN|undefined|^nodejs_active_handles_total/m);
});

test('a target with one endpoint has at most 120 series, and 8 more for each further one', async () => {
  const type = fullTarget();
  const count = async (target = type): Promise<number> => {
    const { of } = monitorMetrics(() => monitorWith([target]));
    return samples(await of(target), '\\w+').length;
  };
  const { endpoints, status } = viewWith(
    statusAfter([overTls(), kept(control, { endpoint: second })]),
  );
  expect(await count(), 'see also monitor/metrics.md').toBeLessThanOrEqual(120);
  const both = { ...type, endpoints, status: { ...type.status, endpoints: status.endpoints } };
  const single = { ...both, endpoints: endpoints.slice(0, 1) };
  expect((await count(both)) - (await count(single))).toBe(8);
});

test('the last request with a valid token is described by endpoint, with the names of blackbox_exporter', async () => {
  const runs = [overTls(), unreachable(control, 'timeout', { endpoint: second, at: now })];
  const text = await toMetrics([viewWith(statusAfter(runs))]);
  expect(samples(text, 'probe_(success|duration_seconds|http_status_code|http_ssl)')).toEqual([
    `probe_success{${endpointLabel(endpoint)}} 1`,
    `probe_success{${endpointLabel(second)}} 0`,
    `probe_duration_seconds{${endpointLabel(endpoint)}} 0.0071`,
    `probe_duration_seconds{${endpointLabel(second)}} 0.0071`,
    `probe_http_status_code{${endpointLabel(endpoint)}} 200`,
    `probe_http_status_code{${endpointLabel(second)}} 0`,
    'probe_http_ssl 1',
  ]);
  expect(samples(await toMetrics([fullTarget()]), 'probe_ssl_\\w+')).toEqual([
    `probe_ssl_earliest_cert_expiry ${start / 1000}`,
    `probe_ssl_last_chain_expiry_timestamp_seconds ${start / 1000 + 2000}`,
  ]);
  const phases = samples(text, 'probe_http_duration_seconds');
  expect(phases).toContain(
    `probe_http_duration_seconds{${endpointLabel(endpoint)},phase="processing"} 0.004`,
  );
  expect(phases).toContain(
    `probe_http_duration_seconds{${endpointLabel(second)},phase="processing"} 0`,
  );
});

test('a clause is violated, or verified, or neither', async () => {
  const runs = [broken(control, 'BEARER-1', { at: now })];
  const text = await toMetrics([viewWith(statusAfter(runs))]);
  const value = (name: string, clause: string) =>
    samples(text, name).find((line) => line.includes(`"${clause}"`));
  expect(value('contract_clause_violated', 'BEARER-1')).toMatch(/ 1$/);
  expect(value('contract_clause_verified', 'BEARER-1')).toMatch(/ 1$/);
  expect(value('contract_clause_violated', 'BEARER-2')).toMatch(/ 0$/);
  expect(value('contract_clause_verified', 'BEARER-2')).toMatch(/ 0$/);
  expect(value('contract_findings_total', 'BEARER-1')).toMatch(/ 1$/);
  // No probe of the monitor checks it: that takes simulated time.
  expect(value('contract_clause_violated', 'EXPIRY-7')).toBeUndefined();
  expect(samples(text, 'contract_clause_verified')).toHaveLength(mustHold.length);
});

test('a payload that differs from its schema is exported, only of endpoints with a schema', async () => {
  const view = fullTarget();
  const key = `the-payload-is-as-its-schema-says ${endpoint}`;
  const place = view.status.places[key];
  if (place === undefined) throw new Error('no such place');
  const failed = { ...place, result: { outcome: 'failed', findings: [] } } as const;
  const status = { ...view.status, places: { ...view.status.places, [key]: failed } };
  const name = 'contract_schema_mismatch';
  expect(samples(await toMetrics([view]), name)).toEqual([`${name}{${endpointLabel(endpoint)}} 0`]);
  expect(samples(await toMetrics([{ ...view, status }]), name)).toEqual([
    `${name}{${endpointLabel(endpoint)}} 1`,
  ]);
  expect(samples(await toMetrics([viewWith(status)]), name)).toEqual([]);
});

test('runs, reasons and answered requests are counted', async () => {
  const silent = unreachable(control, 'dns', { endpoint: second });
  const text = await toMetrics([viewWith(statusAfter([overTls(), silent], [silent]))]);
  expect(samples(text, 'contract_monitor_(runs|unreachable)_total')).toEqual([
    'contract_monitor_runs_total{outcome="passed"} 1',
    'contract_monitor_runs_total{outcome="failed"} 0',
    'contract_monitor_runs_total{outcome="unreachable"} 2',
    'contract_monitor_runs_total{outcome="defect"} 0',
    'contract_monitor_unreachable_total{reason="dns"} 2',
  ]);
  const { status } = fullTarget();
  const requests = { counts: [1, 2, 2, 2, 2, 3, 3, 4], sum: 21.5, count: 5 };
  const counters = { ...status.counters, requests };
  const counted = await toMetrics([viewWith({ ...status, counters })]);
  expect(samples(counted, 'contract_monitor_request_duration_seconds\\w+')).toEqual([
    ...['0.005', '0.025', '0.1', '0.25', '0.5', '1', '2.5', '10', '+Inf'].map(
      (le, index) =>
        `contract_monitor_request_duration_seconds_bucket{le="${le}"} ${[...requests.counts, 5][index]}`,
    ),
    'contract_monitor_request_duration_seconds_sum 21.5',
    'contract_monitor_request_duration_seconds_count 5',
  ]);
});

test('canaries show their states, their checks and the bounds of the lifetime', async () => {
  const { status, token } = fullTarget();
  const canaryChecks = { 'before early_reject': 1, 'after ok': 2 };
  const text = await toMetrics([
    viewWith({ ...status, counters: { ...status.counters, canaryChecks } }, { token }),
  ]);
  expect(samples(text, 'contract_token_\\w+').filter((line) => !line.endsWith(' 0'))).toEqual([
    'contract_token_lifetime_lower_bound_seconds 86384.7',
    'contract_token_lifetime_upper_bound_seconds 86430.4',
    'contract_token_canaries{state="alive"} 3',
    'contract_token_canaries{state="expired"} 12',
    'contract_token_canaries{state="lost"} 1',
    'contract_token_canary_checks_total{phase="before",verdict="early_reject"} 1',
    'contract_token_canary_checks_total{phase="after",verdict="ok"} 2',
  ]);
  expect(samples(text, 'contract_provider_clock_offset_seconds')[0]).toMatch(/ -1.5$/);
  expect(samples(await toMetrics([viewWith(status)]), 'contract_token_\\w+')).toEqual([]);
  const unbounded = tokenWith(86_400, { atMostSeconds: Infinity });
  expect(await toMetrics([viewWith(status, { token: unbounded })])).not.toMatch(
    /upper_bound|Infinity/,
  );
});

test('before its first round a target has only what is known', async () => {
  const view = viewWith(newStatus('t', 'http://127.0.0.1', now), { token: tokenWith(86_400) });
  const text = await toMetrics([view]);
  expect(text).not.toMatch(/^(probe_|contract_monitor_last_round)/m);
  expect(samples(text, 'contract_clause_verified')).toHaveLength(mustHold.length);
  const counters = samples(text, 'contract_\\w+_total').filter((line) => line.includes('{'));
  expect(counters.length).toBeGreaterThan(40);
  expect(counters.filter((line) => !line.endsWith(' 0'))).toEqual([]);
});

test('what a round older than three periods has shown is not exported', async () => {
  const view = fullTarget();
  const { lastRoundAt = 0 } = view.status;
  const after = async (seconds: number, change = {}) =>
    toMetrics([{ ...view, ...change }], { now: lastRoundAt + seconds * 1000 });
  const stale = await after(181);
  expect(stale).not.toMatch(/^(probe_|contract_clause_|contract_schema_)/m);
  const round = `contract_monitor_last_round_timestamp_seconds ${lastRoundAt / 1000}`;
  expect(samples(stale, 'contract_monitor_last_round\\w+')).toEqual([round]);
  for (const fresh of [await after(180), await after(899, { stretchedToSeconds: 300 })])
    expect(fresh).toMatch(/^probe_success(.|\n)*^contract_clause_verified/m);
});

test('the monitor exports its build, its targets, its settings and its state', async () => {
  const own = {
    targetsInFile: 3,
    loadedAt: 5_000,
    failedWrites: 2,
    isStateWritable: false,
  };
  const maintenance = { from: 0, until: now };
  const text = await toMetrics([fullTarget({ maintenance })], {
    own,
    missedTicks: 7,
    reloadProblem: 'unknown',
  });
  const about = 'contract_monitor_(build|config|targets|tick|tls|state|target_[io])\\w*';
  expect(samples(text, about).filter((line) => !/"\} 0$/.test(line))).toEqual([
    `contract_monitor_build_info{version="1.2.3",node_version="${process.version}"} 1`,
    'contract_monitor_config_targets 3',
    'contract_monitor_targets{state="waiting"} 1',
    'contract_monitor_ticks_missed_total 7',
    'contract_monitor_config_last_reload_successful 0',
    'contract_monitor_config_last_reload_success_timestamp_seconds 5',
    'contract_monitor_state_writable 0',
    'contract_monitor_state_failures_total 2',
    'contract_monitor_target_in_maintenance 1',
    'contract_monitor_target_objective_ratio 0.995',
  ]);
});

test('one target is exported by its name, with its text escaped', async () => {
  const odd = viewWith({ ...statusAfter([overTls()]), target: 'a"\\\nb' });
  const exported = monitorMetrics(() => monitorWith([fullTarget(), odd]));
  const text = await exported.of(odd);
  expect(text).toContain('contract_monitor_runs_total{target="a\\"\\\\\\nb",outcome="passed"} 1\n');
  expect(text).not.toMatch(/under-test|process_|contract_monitor_build/);
  expect(exported.contentType).toContain('text/plain; version=0.0.4');
});

test('after a single round only gauges of targets are exported', async () => {
  const text = await roundText([fullTarget()], now);
  expect(new Set(text.match(/(?<=^# TYPE \w+ )\w+$/gm))).toEqual(new Set(['gauge']));
  expect(text).toMatch(/^probe_success(.|\n)*^contract_clause_violated/m);
  expect(text).not.toMatch(/process_|contract_monitor_build/);
});

test.describe('linted by promtool', () => {
  needs('promtool');

  test('promtool finds nothing in what is exported', async () => {
    const odd = viewWith({ ...statusAfter([overTls()]), target: 'a"\\b' });
    expectLinted(await toMetrics([fullTarget(), odd]));
    expectLinted(await roundText([fullTarget(), odd], now));
  });
});
