import { setTimeout as sleep } from 'node:timers/promises';
import { monitorMetrics } from '../../monitor/metrics/metrics.ts';
import { monitored } from '../../monitor/round/plan.ts';
import { newStatus } from '../../monitor/status/status.ts';
import { probes } from '../../probes/index.ts';
import { besideBlackbox } from './blackbox.ts';
import { compared, type Figure, limited, median, shown, timed } from './figure.ts';
import { oneTargetMore } from './growing.ts';
import type { Measures } from './selection.ts';
import {
  allBut,
  argumentsOf,
  countingProvider,
  missedRounds,
  privateBytes,
  providerOver,
  type Scheme,
  settingsFor,
  startWatching,
  targetsFile,
} from './watching.ts';

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
/** Many targets, each with one run a minute, on one processor. Only the thousand over http have bounds. */
async function manyTargets(
  folder: string,
  count: number,
  scheme: Scheme,
): Promise<readonly Figure[]> {
  await using provider = await providerOver(scheme, folder);
  const settings = `{ period: 60s, endpoints: [GET /public-api/v1/widgets], probes: ${allBut('a-token-opens-the-endpoint')} }`;
  const env = await targetsFile(folder, provider, { count, settings });
  const began = performance.now();
  await using monitor = await startWatching(folder, env, ['taskset', '-c', '0']);
  const readyMs = performance.now() - began;
  // The first minute includes the first tokens and canaries of all targets.
  await sleep(75_000);
  const before = await missedRounds(monitor);
  await sleep(60_000);
  const missed = (await missedRounds(monitor)) - before;
  const bytes = privateBytes(monitor.pid);
  const bounded = scheme === 'http';
  const targets = `${count.toLocaleString('en')} targets${bounded ? '' : ' over https'}`;
  const rounds = `rounds of ${targets} that are missed in a minute, on one processor`;
  const memory = `private memory with ${targets} (ready after ${shown(readyMs / 1000)})`;
  if (!bounded) return [compared(rounds, `${missed}`), compared(memory, megabytes(bytes))];
  return [
    limited(rounds, `${missed}`, { measured: missed, most: 0, unit: '' }),
    limited(memory, megabytes(bytes), { measured: bytes / 1e6, most: 250, unit: 'MB' }),
  ];
}

/** Runs each probe once on many targets: the memory of one target, and so of a thousand. */
async function memoryOfAllProbes(folder: string): Promise<Figure> {
  const counts = { few: 50, many: 200 };
  await using provider = await countingProvider();
  const settings = '{ period: 10m, endpoints: [GET /public-api/v1/widgets] }';
  const inUse = async (targets: number): Promise<number> => {
    const env = await targetsFile(folder, provider, { count: targets, settings });
    await using monitor = await startWatching(folder, env);
    // After the start, the monitor begins a run every 50 ms.
    await sleep(targets * monitored(probes).length * 50 + 20_000);
    return privateBytes(monitor.pid);
  };
  const few = await inUse(counts.few);
  const many = await inUse(counts.many);
  const thousand = many + ((many - few) * (1000 - counts.many)) / (counts.many - counts.few);
  return limited(
    `private memory with 1,000 targets, all probes, from ${counts.many} (${megabytes(many)}) and ${counts.few} (${megabytes(few)})`,
    megabytes(thousand),
    { measured: thousand / 1e6, most: 150, unit: 'MB' },
  );
}

/** One target; at a period of a second a minute has the runs of an hour. */
async function oneTarget(folder: string): Promise<Figure> {
  await using provider = await countingProvider();
  const settings = '{ period: 1s, endpoints: [GET /public-api/v1/widgets] }';
  const env = await targetsFile(folder, provider, { count: 1, settings });
  await using monitor = await startWatching(folder, env);
  await sleep(30_000);
  const early = privateBytes(monitor.pid);
  await sleep(60_000);
  const late = privateBytes(monitor.pid);
  return limited(
    `private memory with one target after the runs of an hour and a half (${megabytes(early)} after half an hour)`,
    megabytes(late),
    { measured: late / 1e6, most: 60, unit: 'MB' },
  );
}

async function ready(folder: string): Promise<Figure> {
  const times: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const began = performance.now();
    await using monitor = await startWatching(folder, {});
    const healthy = await fetch(new URL('/-/ready', monitor.page));
    times.push((performance.now() - began) / 1000);
    await healthy.text();
  }
  // The first start fills the compile cache.
  const seconds = median(times.slice(1));
  const what = `ready after start (${shown(times[0] ?? Number.NaN)} the first time)`;
  return limited(what, shown(seconds), { measured: seconds, most: 0.2, unit: 's' });
}

/** The duration of `npm run probe` (seconds). */
async function roundSeconds(folder: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 6; turn++) times.push(await timed(argumentsOf('probe'), folder, env));
  return median(times.slice(1));
}

async function roundOverHttps(folder: string): Promise<Figure> {
  await using provider = await providerOver('https', folder);
  const seconds = await roundSeconds(folder, settingsFor(provider));
  return compared('npm run probe: one round of a provider over https', shown(seconds));
}

async function oneRound(folder: string): Promise<Figure> {
  const seconds = await roundSeconds(folder);
  const limit = { measured: seconds, most: 0.25, unit: 's' };
  return limited('npm run probe: one round of the sandbox', shown(seconds), limit);
}

/** How long a scrape of a hundred targets takes. */
async function scrape(): Promise<Figure> {
  const targets = Array.from({ length: 100 }, (_, index) => ({
    status: newStatus(`target-${index}`, 'http://127.0.0.1', 0),
    endpoints: [],
    periodSeconds: 60,
    objectiveRatio: 0.995,
    slowSeconds: 1,
  }));
  const reload = { isSuccessful: true, at: 0 };
  const own = { targetsInFile: 100, reload, state: { isWritable: true, failures: 0 } };
  const view = {
    version: '0',
    startedAt: 0,
    now: 0,
    draining: false,
    missedTicks: 0,
    own,
    targets,
  };
  const metrics = monitorMetrics(() => view);
  const times: number[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const begun = performance.now();
    await metrics.text();
    times.push(performance.now() - begun);
  }
  const tookMs = median(times.slice(2));
  const limit = { measured: tookMs, most: 50, unit: 'ms' };
  return limited('a scrape of a hundred targets', `${tookMs.toFixed(1)} ms`, limit);
}

export const ofTheMonitor: Measures = {
  ready,
  round: oneRound,
  'round-https': roundOverHttps,
  scrape,
  request: (folder) => besideBlackbox(folder, 'http'),
  'request-https': (folder) => besideBlackbox(folder, 'https'),
  'one-target': oneTarget,
  'one-target-more': oneTargetMore,
  'thousand-targets': (folder) => manyTargets(folder, 1000, 'http'),
  'thousand-targets-https': (folder) => manyTargets(folder, 1000, 'https'),
  'hundred-targets-https': (folder) => manyTargets(folder, 100, 'https'),
  memory: memoryOfAllProbes,
};
