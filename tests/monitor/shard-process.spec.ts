import { expect, test } from '@playwright/test';
import { shardOf } from '../../monitor/target/shard.ts';
import type { Environment } from '../process.ts';
import { needs } from '../programs.ts';
import { fewProbes } from './few-probes.ts';
import { probed } from './probe-process.ts';
import { addressOf, type Monitor, startMonitor } from './process.ts';
import { startPrometheus } from './prometheus.ts';
import { startProvider } from './provider.ts';
import { watchingTargets } from './targets-file.ts';

const names = Array.from({ length: 30 }, (_, index) => `production-${index + 1}`);

/** Writes a file of targets that all have the same provider. @returns the settings of the monitors that read it */
const fileOf = ({ href: url }: URL, targets: readonly string[]): Environment =>
  watchingTargets(
    targets.map((name) => ({ name, url })),
    { period: '1h', canaries: 'off', probes: fewProbes },
  );

/** All shards of a given total, started at once. */
const startShards = (env: Environment, of: number): Monitor[] =>
  Array.from({ length: of }, (_, index) =>
    startMonitor({ ...env, MONITOR_SHARD: `${index + 1}/${of}` }),
  );

/** The targets that a monitor's service discovery lists. */
async function targetsOf(monitor: Monitor): Promise<string[]> {
  const groups = await (await fetch(new URL('/sd', await addressOf(monitor)))).json();
  return (groups as { labels: { instance: string } }[]).map(({ labels }) => labels.instance);
}

test('a fourth shard takes targets over, and no other target moves', async () => {
  await using provider = await startProvider();
  const env = fileOf(provider.baseUrl, names);
  await using running = new AsyncDisposableStack();
  const three = startShards(env, 3);
  const four = startShards(env, 4);
  for (const monitor of [...three, ...four]) running.use(monitor);
  const before = await Promise.all(three.map(targetsOf));
  const after = await Promise.all(four.map(targetsOf));
  const taken = after[3] ?? [];
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.length).toBeLessThan(15);
  expect(after.slice(0, 3)).toEqual(
    before.map((own) => own.filter((name) => !taken.includes(name))),
  );
  expect(three[1]?.stdout()).toContain(
    `watching ${before[1]?.length} of 30 targets, as shard 2/3: page `,
  );
});

test('a shard without a target reports that and runs, and gets some when the file is read again', async () => {
  await using provider = await startProvider();
  const one = names.filter((name) => shardOf(name, 2) === 1).slice(0, 1);
  const env = fileOf(provider.baseUrl, one);
  await using monitor = startMonitor({ ...env, MONITOR_SHARD: '2/2' });
  const page = await addressOf(monitor);
  const idle = 'no target of the file belongs to shard 2/2: nothing is watched here';
  await expect.poll(monitor.stdout).toContain(idle);
  expect(await (await fetch(page)).text()).toContain('No target is watched');
  expect((await fetch(new URL('/-/ready', page))).status).toBe(200);
  fileOf(provider.baseUrl, names);
  const read = await fetch(new URL('/-/reload', page), { method: 'POST' });
  const own = names.filter((name) => shardOf(name, 2) === 2);
  expect(await read.text()).toBe(`watching ${own.length} from now on\n`);
  expect(await targetsOf(monitor)).toEqual(own);
  fileOf(provider.baseUrl, one);
  process.kill(monitor.pid, 'SIGHUP');
  await expect.poll(() => monitor.stdout().split(idle)).toHaveLength(3);
  expect(await monitor.stop()).toBe(0);
});

test('a round on a shard probes its own targets, and reports when there are none', async () => {
  await using provider = await startProvider();
  const env = fileOf(provider.baseUrl, ['production-1']);
  expect(shardOf('production-1', 3)).toBe(2);
  const round = (MONITOR_SHARD: string) =>
    probed(test.info().outputDir, ['--json', 'a-token-opens-the-endpoint'], {
      ...env,
      MONITOR_SHARD,
    });
  const [none, own] = await Promise.all([round('1/3'), round('2/3')]);
  expect(none).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'no target of the file belongs to shard 1/3: nothing is probed\n',
  });
  expect(JSON.parse(own.stdout).targets).toMatchObject([{ name: 'production-1' }]);
});

test('an invalid share ends the monitor with one line and exit code 2', async () => {
  const env = fileOf(new URL('http://127.0.0.1:1'), names);
  const wrong = [{ ...env, MONITOR_SHARD: '4/3' }, { MONITOR_SHARD: '2/3' }];
  for (const given of wrong) {
    await using monitor = startMonitor(given);
    expect(await monitor.ended).toBe(2);
    expect(monitor.stderr()).toMatch(/^MONITOR_\w+ is .*\n$/);
  }
});

test.describe('read by a real Prometheus', () => {
  needs('prometheus');

  test('each target is on exactly one of three shards, and a shard with another file is visible', async () => {
    await using provider = await startProvider();
    const env = fileOf(provider.baseUrl, names);
    await using running = new AsyncDisposableStack();
    const monitors = startShards(env, 3);
    for (const monitor of monitors) running.use(monitor);
    const hosts = await Promise.all(
      monitors.map(async (monitor) => (await addressOf(monitor)).host),
    );
    await using prometheus = await startPrometheus(`
global: { scrape_interval: 1s, scrape_timeout: 1s }
scrape_configs:
  - job_name: monitors
    static_configs: [{ targets: [${hosts.map((host) => `'${host}'`).join()}] }]
    metric_relabel_configs:
      - { source_labels: [target], regex: .+, action: drop }
  - job_name: contract
    http_sd_configs:
${hosts.map((host) => `      - { url: 'http://${host}/sd', refresh_interval: 1s }`).join('\n')}
    relabel_configs:
      - { source_labels: [__address__], target_label: monitor }
`);
    const inTime = { timeout: 240_000, intervals: [100] };
    const of = async (expression: string) =>
      (await prometheus.query(expression)).map(({ metric, value }) =>
        [metric.target, value[1]].join(' ').trim(),
      );
    const shards = 'sum by (target) (group by (target, monitor) (monitor_runs_total))';
    const once = names.map((name) => `${name} 1`).sort();
    await expect.poll(async () => (await of(shards)).sort(), inTime).toEqual(once);
    const all = 'sum(monitor_targets) == max(monitor_config_targets)';
    await expect.poll(() => of(all), inTime).toEqual(['30']);
    const files = 'count(group by (of, names_hash) (monitor_shard_info))';
    await expect.poll(() => of(files), inTime).toEqual(['1']);

    fileOf(provider.baseUrl, names.slice(1));
    await fetch(`http://${hosts[0]}/-/reload`, { method: 'POST' });
    await expect.poll(() => of(files), inTime).toEqual(['2']);
  });
});
