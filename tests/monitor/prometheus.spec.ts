import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { type Listening, listen } from '../../monitor/web/server.ts';
import { needs } from '../programs.ts';
import { startPrometheus } from './prometheus.ts';
import { kept, probeAbout, unreachable } from './runs.ts';
import { statusWith } from './statuses.ts';

const opens = probeAbout('a-token-opens-the-endpoint', ['BEARER-1']);

/** A monitor of two targets: `up` answers, and `down` does not. */
async function monitoring(authToken?: Secret): Promise<Listening> {
  const metrics = new Metrics({ version: '1.2.3' });
  for (const name of ['up', 'down']) metrics.expect(name, [opens.name], { timeoutSeconds: 2 });
  metrics.ran({ ...kept(opens), target: 'up' }, true);
  metrics.ran({ ...unreachable(opens), target: 'down' }, false);
  const targets = statusWith([]).targets.flatMap((one) => [
    { ...one, name: 'up', labels: { team: 'payments' } },
    { ...one, name: 'down' },
  ]);
  const status = () => ({ ...statusWith([]), targets });
  const served = { status, metrics, authToken };
  return listen(served, { host: '127.0.0.1', port: 0 });
}

/** Prometheus applies discovered targets only every five seconds. */
const inTime = { timeout: 240_000, intervals: [100] };

const everySecond = `global: { scrape_interval: 1s, scrape_timeout: 1s }`;

test.describe('read by a real Prometheus', () => {
  needs('prometheus');

  test("blackbox_exporter's own scrape configuration shows whether each target is healthy", async () => {
    const { page, close } = await monitoring();
    await using prometheus = await startPrometheus(`${everySecond}
scrape_configs:
  - job_name: 'blackbox'
    metrics_path: /probe
    params:
      module: [http_2xx]
    static_configs:
      - targets:
        - up
        - down
    relabel_configs:
      - source_labels: [__address__]
        target_label: __param_target
      - source_labels: [__param_target]
        target_label: instance
      - target_label: __address__
        replacement: ${page.host}
`);
    const found = async () =>
      (await prometheus.query('probe_success'))
        .map(({ metric: { instance }, value }) => `${instance} ${value[1]}`)
        .sort();
    await expect.poll(found, inTime).toEqual(['down 0', 'up 1']);
    await close();
  });

  test('service discovery lists the series of every target, with its labels', async () => {
    // Prometheus 2.42 sends a token for service discovery without a scheme unless the configuration names one.
    const token = 'planted-token-0123456789';
    const { page, close } = await monitoring(new Secret(token));
    await using prometheus = await startPrometheus(`${everySecond}
scrape_configs:
  - job_name: contract
    authorization: { credentials: ${token} }
    http_sd_configs:
      - url: ${page.origin}/sd
        refresh_interval: 1s
        authorization: { type: Bearer, credentials: ${token} }
`);
    const rows = (found: readonly { metric: Readonly<Record<string, string>> }[]) =>
      found.map(({ metric: { instance, target, team } }) => `${instance} ${target} ${team}`).sort();
    await expect
      .poll(async () => rows(await prometheus.query('monitor_runs_total{outcome="kept"}')), inTime)
      .toEqual(['down down undefined', 'up up payments']);
    expect(rows(await prometheus.query('up == 1'))).toEqual([
      'down undefined undefined',
      'up undefined payments',
    ]);
    const [clash] = await prometheus.query('count({__name__=~".+", exported_target!=""})');
    expect(clash).toBeUndefined();
    await close();
  });
});
