import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { stringify } from 'yaml';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import type { Run } from '../../monitor/round/run.ts';
import { aTokenOpensTheEndpoint as control } from '../../probes/bearer.ts';
import { addressOf, startMonitor } from '../monitor/process.ts';
import { startPrometheus } from '../monitor/prometheus.ts';
import { startProvider, unavailable } from '../monitor/provider.ts';
import { kept, probeAbout, unreachable } from '../monitor/runs.ts';
import { targetsFile } from '../monitor/targets-file.ts';
import { needs, programPath } from '../programs.ts';

const stockRules = fileURLToPath(new URL('blackbox.rules.yml', import.meta.url));
const names = [...readFileSync(stockRules, 'utf8').matchAll(/alert: (\w+)/g)].map(
  ([, name = '']) => name,
);

const day = 86_400;
const slow = { resolve: 0, connect: 0.1, tls: 0.1, processing: 2, transfer: 0.1 };

/** A run of the control over TLS. @param days the days until the certificate expires */
function answered(status: number, days: number, more: Partial<Run> = {}): Run {
  const tls = { version: 'TLSv1.3', earliestExpiry: days * day * 1000 };
  const authorised = { http: { status, httpVersion: '1.1', tls }, phases: more.phases };
  return { ...kept(control), http: authorised.http, authorised, ...more };
}

const credentials = 'credentials: { apiKeyEnv: KEY, secretKeyEnv: SECRET }';

const slowly = { ...kept(control).result, durationSeconds: 2.3 };
const cases: readonly (readonly [what: string, run: Run, success: boolean, alerts: string[]])[] = [
  ['is healthy', answered(200, 90), true, []],
  [
    'is down',
    unreachable(control, 'connect'),
    false,
    ['BlackboxProbeFailed', 'BlackboxProbeHttpFailure'],
  ],
  ['answers 500', answered(500, 90), true, ['BlackboxProbeHttpFailure']],
  [
    'is slow',
    answered(200, 90, { phases: slow, result: slowly }),
    true,
    ['BlackboxProbeSlowHttp', 'BlackboxSlowProbe'],
  ],
  ['has ten days left', answered(200, 10), true, ['BlackboxSslCertificateWillExpireSoon']],
  ['has a day left', answered(200, 1), true, ['BlackboxSslCertificateWillExpireInDays']],
  ['has expired', answered(200, -1), true, ['BlackboxSslCertificateExpired']],
];

/** The metrics of a target after this run and a run of another probe, whose request was correctly refused. */
function metricsAfter(run: Run, success: boolean): Metrics {
  const refused = probeAbout('another-token-is-refused', ['BEARER-3']);
  const metrics = new Metrics('1.2.3');
  metrics.expect('t', [control.name, refused.name], { timeoutSeconds: 10 });
  metrics.ran({ ...kept(refused), target: 't', http: { status: 401, httpVersion: '1.1' } }, true);
  metrics.ran({ ...run, target: 't' }, success);
  return metrics;
}

test.describe('by promtool', () => {
  needs('promtool');

  for (const [what, run, success, alerts] of cases)
    test(`stock rules for blackbox_exporter find what is wrong with a provider that ${what}`, async () => {
      const text = (await metricsAfter(run, success).of('t')) ?? '';
      const lines = text.split('\n').filter((line) => line.startsWith('probe_'));
      const cutAt = (line: string): number => line.lastIndexOf(' ');
      const rulesTest = {
        rule_files: [stockRules],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: lines.map((line) => ({
              series: line.slice(0, cutAt(line)),
              values: `${line.slice(cutAt(line) + 1)}x5`,
            })),
            promql_expr_test: names.map((name) => ({
              expr: `count(ALERTS{alertname="${name}"}) > bool 0`,
              eval_time: '5m',
              exp_samples: alerts.includes(name) ? [{ labels: '{}', value: 1 }] : [],
            })),
          },
        ],
      };
      const folder = mkdtempSync(path.join(os.tmpdir(), 'blackbox-'));
      const file = path.join(folder, 'stock.test.yml');
      writeFileSync(file, stringify(rulesTest));
      const { status, stdout, stderr } = spawnSync(
        programPath('promtool'),
        ['test', 'rules', file],
        { encoding: 'utf8' },
      );
      rmSync(folder, { recursive: true });
      expect(status, stdout + stderr).toBe(0);
    });
});

test.describe('by a real Prometheus', () => {
  needs('prometheus');

  test('stock rules for blackbox_exporter are silent on a healthy provider, and fire on one that is down', async () => {
    const healthy = await startProvider();
    const broken = await startProvider();
    broken.become(unavailable);
    const file = targetsFile(healthy.baseUrl);
    file.write(`defaults: { period: 1s, endpoints: [GET /public-api/v1/widgets] }
targets:
  - { name: healthy, url: '${healthy.baseUrl}', ${credentials} }
  - { name: broken, url: '${broken.baseUrl}', ${credentials} }
`);
    await using monitor = startMonitor(file.env);
    const page = new URL(await addressOf(monitor));
    await using prometheus = await startPrometheus(`
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [${stockRules}]
scrape_configs: [{ job_name: contract, static_configs: [{ targets: ['${page.host}'] }] }]
`);
    const ran = 'count(monitor_last_run_timestamp_seconds{target="healthy"})';
    const fired = async (): Promise<string[]> =>
      (await prometheus.query('group by (alertname, target) (ALERTS)'))
        .map(({ metric }) => `${metric.alertname} ${metric.target}`)
        .sort();
    const some = { timeout: 240_000, intervals: [200] };
    // More than ten probes have run, also those whose answer is a 401.
    const runs = async () => Number((await prometheus.query(ran))[0]?.value[1] ?? 0);
    await expect.poll(runs, some).toBeGreaterThan(10);
    await expect
      .poll(fired, some)
      .toEqual(['BlackboxProbeFailed broken', 'BlackboxProbeHttpFailure broken']);
    await Promise.all([healthy.close(), broken.close()]);
  });
});
