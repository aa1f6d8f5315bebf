import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { stringify } from 'yaml';
import { monitorMetrics } from '../../monitor/metrics/metrics.ts';
import { aTokenOpensTheEndpoint as control } from '../../probes/bearer.ts';
import { overTls } from '../monitor/metrics-text.ts';
import { unreachable } from '../monitor/runs.ts';
import { monitorWith, now, statusAfter, viewWith } from '../monitor/statuses.ts';
import { fromRoot } from '../process.ts';
import { needs, programPath } from '../programs.ts';

needs('promtool');

const stockRules = fromRoot('tests/rules/blackbox.rules.yml');
const names = readFileSync(stockRules, 'utf8').match(/(?<=alert: )\w+/g) ?? [];

const day = 86_400;
const processing = { resolve: 0, connect: 0.1, tls: 0.1, processing: 2, transfer: 0.1 };
const { result } = overTls();

/** A run of the control over TLS. @param days the days until the certificate expires */
function answered(status: number, days: number, phases = overTls().authorised?.phases) {
  const tls = { earliestExpiry: days * day * 1000 };
  return overTls({ tls, authorised: { status, isTls: true, phases } });
}

for (const [what, run, alerts] of [
  ['is healthy', answered(200, 90), []],
  [
    'is down',
    unreachable(control, 'connect', { at: now }),
    ['BlackboxProbeFailed', 'BlackboxProbeHttpFailure'],
  ],
  ['answers 500', answered(500, 90), ['BlackboxProbeHttpFailure']],
  [
    'is slow',
    { ...answered(200, 90, processing), result: { ...result, durationSeconds: 2.3 } },
    ['BlackboxProbeSlowHttp', 'BlackboxSlowProbe'],
  ],
  ['has ten days left', answered(200, 10), ['BlackboxSslCertificateWillExpireSoon']],
  ['has a day left', answered(200, 1), ['BlackboxSslCertificateWillExpireInDays']],
  ['has expired', answered(200, -1), ['BlackboxSslCertificateExpired']],
] as const)
  test(`stock rules for blackbox_exporter find what is wrong with a provider that ${what}`, async () => {
    const view = viewWith(statusAfter([run]));
    const metrics = monitorMetrics(() => monitorWith([view]));
    const lines = (await metrics.of(view)).match(/^probe_.*$/gm) ?? [];
    const series = lines.map((line) => line.split(/ (?=[^ ]*$)/));
    const file = test.info().outputPath('stock.test.yml');
    const rulesTest = {
      interval: '1m',
      input_series: series.map(([name, value]) => ({ series: name, values: `${value}x5` })),
      promql_expr_test: names.map((name) => ({
        expr: `count(ALERTS{alertname="${name}"}) > bool 0`,
        eval_time: '5m',
        exp_samples: alerts.some((alert) => alert === name) ? [{ labels: '{}', value: 1 }] : [],
      })),
    };
    writeFileSync(
      file,
      stringify({ rule_files: [stockRules], evaluation_interval: '1m', tests: [rulesTest] }),
    );
    const { status, stdout, stderr } = spawnSync(programPath('promtool'), ['test', 'rules', file], {
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
  });
