import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { expect, test } from '@playwright/test';
import { fewProbes } from '../monitor/few-probes.ts';
import { addressOf, startMonitor } from '../monitor/process.ts';
import { startPrometheus } from '../monitor/prometheus.ts';
import { startProvider } from '../monitor/provider.ts';
import { watchingTargets } from '../monitor/targets-file.ts';
import { needs } from '../programs.ts';
import { startCluster } from './cluster.ts';

needs('postgres', 'prometheus');

const names = ['alpha', 'beta', 'gamma', 'delta'];
const rules = new URL('../../ops/rules/', import.meta.url);

test('counters neither jump nor go back while targets move, each target has one series, and no alert fires', async () => {
  await using cluster = await startCluster();
  await using provider = await startProvider();
  const targets = names.map((name) => ({ name, url: provider.baseUrl.href }));
  // The period is so long that a machine that stalls for seconds misses no run.
  const settings = watchingTargets(targets, { period: '5s', probes: fewProbes });
  const env = { ...settings, MONITOR_STATE: await cluster.database() };
  await using killed = startMonitor(env);
  const pages = [await addressOf(killed)];
  await using stopped = startMonitor(env);
  pages.push(await addressOf(stopped));
  await using stays = startMonitor(env);
  pages.push(await addressOf(stays));

  await using balancer = await startBalancer(pages);
  const folder = test.info().outputPath('');
  for (const file of readdirSync(rules))
    writeFileSync(`${folder}/${file}`, readFileSync(new URL(file, rules)));
  await using prometheus =
    await startPrometheus(`global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [${folder}/*.yml]
scrape_configs:
  - job_name: contract-monitor
    static_configs:
      - targets: [${pages.map(({ host }) => host).join(', ')}]
  - job_name: contract
    http_sd_configs:
      - { url: 'http://127.0.0.1:${balancer.port}/sd', refresh_interval: 5s }
`);
  const value = async (expression: string): Promise<number | undefined> => {
    const [found] = await prometheus.query(expression);
    return found === undefined ? undefined : Number(found.value[1]);
  };
  const watched = 'count(sum by (target) (increase(monitor_runs_total[10s])) > 0)';
  const inTime = { timeout: 240_000, intervals: [500] };
  await expect.poll(() => value(watched), inTime).toBe(4);

  expect(await stopped.stop()).toBe(0);
  await expect.poll(() => value(watched), inTime).toBe(4);
  await killed.stop('SIGKILL');
  const last = new URL('/status.json', pages[2]);
  const held = async (): Promise<number> =>
    JSON.parse(await (await fetch(last)).text()).targets.length;
  await expect.poll(held, inTime).toBe(4);
  // Prometheus scrapes all targets of the other members at the last member, and they have runs again.
  const isScraped = 'count(min_over_time(up{job="contract"}[5s]) == 1)';
  await expect.poll(() => value(isScraped), inTime).toBe(4);
  await expect.poll(() => value(watched), inTime).toBe(4);

  const exported = await (await fetch(new URL('/probe?target=alpha', pages[2]))).text();
  const counters = [...exported.matchAll(/^# TYPE (\w+) counter$/gm)].map(([, name]) => name);
  expect(counters.length).toBeGreaterThan(5);
  for (const name of counters)
    expect(await value(`count(resets(${name}{job="contract"}[5m]) > 0)`), name).toBeUndefined();
  expect(
    await value('max(count by (target, outcome) (last_over_time(monitor_runs_total[5m])))'),
  ).toBe(1);
  // If a counter jumped, the rate would be higher than any monitor's.
  expect(
    await value('max(max_over_time(sum by (target) (rate(monitor_runs_total[10s]))[5m:1s]))'),
  ).toBeLessThan(20);
  expect(
    await prometheus.query('ALERTS{alertstate="firing",alertname!="ContractMonitorWatchdog"}'),
  ).toEqual([]);
  expect(await stays.stop()).toBe(0);
});

/** Acts like a DNS name of all members: it connects Prometheus to the first member that listens. */
async function startBalancer(pages: readonly URL[]) {
  const sockets = new Set<net.Socket>();
  const begin = (client: net.Socket, [first, ...others]: readonly URL[]): void => {
    if (first === undefined) return void client.destroy();
    const member = net.connect(Number(first.port), first.hostname);
    sockets.add(client).add(member);
    member.once('error', () => begin(client, others));
    member.once('connect', () => {
      client.pipe(member).pipe(client);
      for (const end of [client, member]) end.on('error', () => end.destroy());
    });
  };
  const server = net.createServer((client) => begin(client, pages));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
