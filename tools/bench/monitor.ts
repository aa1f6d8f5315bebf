import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { metricsOf } from '../../monitor/metrics/metrics.ts';
import { monitored } from '../../monitor/target/plan.ts';
import { probes } from '../../probes/index.ts';
import { type Figure, type Measure, median, shown, timed } from './figure.ts';
import { oneTargetMore } from './growing.ts';
import {
  type Addressed,
  argumentsOf,
  countingProvider,
  privateBytes,
  processorSeconds,
  providerOver,
  type Scheme,
  samples,
  startWatching,
  targetsFile,
} from './watching.ts';

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const off = (names: readonly string[]): string => names.map((name) => `${name}: off`).join(', ');

/** All probes but some, switched off as a file of targets says it. */
const allBut = (...kept: readonly string[]): string =>
  off(
    monitored(probes)
      .map(({ name }) => name)
      .filter((name) => !kept.includes(name)),
  );

const pidOf = ({ pid }: ChildProcess): number => pid ?? Number.NaN;

/** Microseconds of processor a request: all probes of the monitor, and probes of blackbox_exporter, of one provider. */
async function besideBlackbox(folder: string, scheme: Scheme): Promise<Figure> {
  const what = `processor time of a request over ${scheme}, judged and recorded, beside blackbox_exporter's`;
  const most = 0.45;
  const bound = `${most} ×`;
  if (spawnSync('prometheus-blackbox-exporter', ['--version']).status !== 0)
    return { what, value: 'prometheus-blackbox-exporter is not installed', bound, kept: true };
  const provider = await providerOver(scheme, folder);
  try {
    const [own, other]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 3; turn++) {
      own.push(await perRequestOfOurs(folder, provider));
      other.push(await perRequestOfBlackbox(folder, provider));
    }
    const ratio = median(own) / median(other);
    const value = `${ratio.toFixed(2)} ×: ${Math.round(median(own))} µs beside ${Math.round(median(other))} µs`;
    return { what, value, bound, kept: ratio <= most };
  } finally {
    await provider.close();
  }
}

/** All probes run on these targets, in each second what a minute has at a period of 60 s. */
const loadTargets = 2;
const requestsPerSecond = 700;

async function perRequestOfOurs(folder: string, provider: Addressed): Promise<number> {
  const settings = '{ period: 1s, endpoints: [GET /public-api/v1/widgets] }';
  const env = await targetsFile(folder, provider, { count: loadTargets, settings });
  const monitor = await startWatching(folder, env);
  try {
    // At the start every probe runs once, spread over this time.
    await sleep(15_000);
    return await costOf(monitor.child, provider, () => sleep(20_000));
  } finally {
    await monitor.stop();
  }
}

async function perRequestOfBlackbox(folder: string, provider: Addressed): Promise<number> {
  const port = await freePort();
  const config = path.join(folder, 'blackbox.yml');
  await writeFile(
    config,
    `modules: { refused: { prober: http, http: { valid_status_codes: [401], fail_if_body_not_matches_regexp: ["Invalid or expired access token"]${provider.ca === undefined ? '' : `, tls_config: { ca_file: ${provider.ca} }`} } } }\n`,
  );
  const exporter = spawn(
    'prometheus-blackbox-exporter',
    [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  );
  const target = new URL('/public-api/v1/widgets', provider.baseUrl);
  const probe = `http://127.0.0.1:${port}/probe?module=refused&target=${encodeURIComponent(target.href)}`;
  try {
    while (
      !(await fetch(probe).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(50);
    const ask = async (): Promise<void> => {
      const text = await (await fetch(probe)).text();
      if (!text.includes('\nprobe_success 1')) throw new Error('blackbox_exporter sees no 401');
    };
    return await costOf(exporter, provider, async () => {
      // As many a second as the monitor sends.
      const requests: Promise<void>[] = [];
      for (let turn = 0; turn < 200; turn++) {
        for (let count = 0; count < requestsPerSecond / 25; count++) requests.push(ask());
        await sleep(40);
      }
      await Promise.all(requests);
    });
  } finally {
    exporter.kill();
    await once(exporter, 'exit');
  }
}

/** @returns microseconds of the child's processor time for each request that the provider got */
async function costOf(
  child: ChildProcess,
  provider: Addressed,
  work: () => Promise<unknown>,
): Promise<number> {
  const [seconds, requests] = [processorSeconds(pidOf(child)), provider.requests()];
  await work();
  return ((processorSeconds(pidOf(child)) - seconds) * 1e6) / (provider.requests() - requests);
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A thousand targets, each with one run a minute, on one processor. */
async function thousandTargets(folder: string): Promise<readonly Figure[]> {
  const provider = await countingProvider();
  const settings = `{ period: 60s, endpoints: [GET /public-api/v1/widgets], probes: { ${allBut('a-token-opens-the-endpoint')} } }`;
  const env = await targetsFile(folder, provider, { count: 1000, settings });
  const began = performance.now();
  const monitor = await startWatching(folder, env, ['taskset', '-c', '0']);
  const readyMs = performance.now() - began;
  try {
    // The first minute has the first tokens and canaries of all of them.
    await sleep(75_000);
    const before = await samples(monitor.page, 'monitor_schedule_lag_seconds_bucket');
    await sleep(60_000);
    const after = await samples(monitor.page, 'monitor_schedule_lag_seconds_bucket');
    const counts = [...after].map(([labels, count]) => ({
      le: Number(/le="([^"]+)"/.exec(labels)?.[1]?.replace('+Inf', 'Infinity')),
      count: count - (before.get(labels) ?? 0),
    }));
    const all = Math.max(...counts.map(({ count }) => count));
    const within = counts.filter(({ count }) => count >= 0.99 * all).map(({ le }) => le);
    const lag = Math.min(...within);
    const bytes = privateBytes(pidOf(monitor.child));
    return [
      {
        what: `schedule lag of ${all} runs of 1,000 targets in a minute, on one processor`,
        value: `99 % within ${lag * 1000} ms`,
        bound: '50 ms',
        kept: lag <= 0.05,
      },
      {
        what: `private memory with 1,000 targets (ready after ${shown(readyMs / 1000)})`,
        value: megabytes(bytes),
        bound: '250 MB',
        kept: bytes <= 250e6,
      },
    ];
  } finally {
    await monitor.stop();
    await provider.close();
  }
}

/** All probes on many targets, once each: what a target takes in memory, and so what a thousand take. */
async function memoryOfAllProbes(folder: string): Promise<Figure> {
  const count = 200;
  const provider = await countingProvider();
  const settings = '{ period: 10m, endpoints: [GET /public-api/v1/widgets] }';
  const inUse = async (targets: number, waitMs: number): Promise<number> => {
    const env = await targetsFile(folder, provider, { count: targets, settings });
    const monitor = await startWatching(folder, env);
    try {
      await sleep(waitMs);
      return privateBytes(pidOf(monitor.child));
    } finally {
      await monitor.stop();
    }
  };
  try {
    const few = await inUse(1, 20_000);
    // At the start the runs are 50 ms apart.
    const many = await inUse(count, count * monitored(probes).length * 50 + 20_000);
    const thousand = few + ((many - few) * 999) / (count - 1);
    return {
      what: `private memory with 1,000 targets, all probes, from ${count} (${megabytes(many)}) and one (${megabytes(few)})`,
      value: megabytes(thousand),
      bound: '150 MB',
      kept: thousand <= 150e6,
    };
  } finally {
    await provider.close();
  }
}

/** One target; at a period of a second a minute has the runs of an hour. */
async function oneTarget(folder: string): Promise<Figure> {
  const provider = await countingProvider();
  const settings = '{ period: 1s, endpoints: [GET /public-api/v1/widgets] }';
  const env = await targetsFile(folder, provider, { count: 1, settings });
  const monitor = await startWatching(folder, env);
  try {
    await sleep(30_000);
    const early = privateBytes(pidOf(monitor.child));
    await sleep(60_000);
    const late = privateBytes(pidOf(monitor.child));
    return {
      what: `private memory with one target after the runs of an hour and a half (${megabytes(early)} after half an hour)`,
      value: megabytes(late),
      bound: '60 MB',
      kept: late <= 60e6,
    };
  } finally {
    await monitor.stop();
    await provider.close();
  }
}

async function ready(folder: string): Promise<Figure> {
  const times: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const began = performance.now();
    const monitor = await startWatching(folder, {});
    const healthy = await fetch(new URL('/-/ready', monitor.page));
    times.push((performance.now() - began) / 1000);
    await healthy.text();
    await monitor.stop();
  }
  // The first turn fills the cache of what is compiled.
  const seconds = median(times.slice(1));
  return {
    what: `ready after start (${shown(times[0] ?? Number.NaN)} the first time)`,
    value: shown(seconds),
    bound: '0.2 s',
    kept: seconds <= 0.2,
  };
}

async function oneRound(folder: string): Promise<Figure> {
  const times: number[] = [];
  for (let turn = 0; turn < 6; turn++) times.push(await timed(argumentsOf('probe'), folder));
  const seconds = median(times.slice(1));
  return {
    what: 'npm run probe: one round of the sandbox',
    value: shown(seconds),
    bound: '0.25 s',
    kept: seconds <= 0.25,
  };
}

/** How long a scrape of the most series that `/metrics` carries keeps everybody else waiting. */
async function scrape(): Promise<Figure> {
  const metrics = metricsOf({ version: '0' });
  const names = monitored(probes).map(({ name }) => name);
  for (let index = 0; !metrics.crowded(); index++)
    metrics.expect(`target-${index}`, names, { timeoutSeconds: 10 });
  metrics.forget('target-0');
  await metrics.text();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let turn = 0; turn < 10; turn++) await metrics.text();
  delay.disable();
  const longestMs = delay.max / 1e6;
  return {
    what: `longest that a scrape of ${metrics.series()} series keeps a probe waiting`,
    value: `${longestMs.toFixed(1)} ms`,
    bound: '20 ms',
    kept: longestMs <= 20,
  };
}

/** What the monitor costs. */
export const ofTheMonitor: readonly Measure[] = [
  ready,
  oneRound,
  scrape,
  (folder) => besideBlackbox(folder, 'http'),
  (folder) => besideBlackbox(folder, 'https'),
  oneTarget,
  oneTargetMore,
  thousandTargets,
  memoryOfAllProbes,
];
