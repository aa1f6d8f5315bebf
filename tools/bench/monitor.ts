import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monitored } from '../../monitor/round/plan.ts';
import { probes } from '../../probes/index.ts';
import { freePort } from '../../tests/free-port.ts';
import { addressOf, startMonitor } from '../../tests/monitor/process.ts';
import { startProgram } from '../../tests/process.ts';
import { costOf, inTurns, nodeArguments, privateMegabytes } from './processes.ts';
import { type Provider, startProvider } from './provider.ts';
import { beside, type Measured, type Rows, shown } from './table.ts';

interface Load {
  readonly targets: number;
  readonly period: string;
  /** The only probe that runs; by default all. */
  readonly only?: string;
}

interface Watching {
  readonly pid: number;
  readonly provider: Provider;
  /** The text at a path of the monitor. */
  read(path: string): Promise<string>;
}

/** Measures a monitor of many targets, which are all the same provider over https. */
async function underLoad<Result>(
  folder: string,
  load: Load,
  measure: (watching: Watching) => Promise<Result>,
): Promise<Result> {
  await using provider = await startProvider(folder);
  const file = path.join(folder, 'targets.yaml');
  // YAML reads JSON.
  await writeFile(file, JSON.stringify(targetsFile(provider, load)));
  const { apiKey: BENCH_KEY, secretKey: BENCH_SECRET } = provider.account;
  await using monitor = startMonitor({
    ...{ PUBLIC_API_TARGETS: file, BENCH_KEY, BENCH_SECRET },
    NODE_OPTIONS: nodeArguments('start').slice(0, -1).join(' '),
  });
  const page = await addressOf(monitor);
  const read = async (at: string): Promise<string> => (await fetch(new URL(at, page))).text();
  return await measure({ pid: monitor.pid, provider, read });
}

function targetsFile({ baseUrl, ca }: Provider, { targets, period, only }: Load): object {
  const off = monitored(probes).filter(({ name }) => only !== undefined && name !== only);
  const switches = Object.fromEntries(off.map(({ name }) => [name, 'off']));
  const credentials = { apiKeyEnv: 'BENCH_KEY', secretKeyEnv: 'BENCH_SECRET' };
  return {
    defaults: {
      ...{ ca, endpoints: ['GET /public-api/v1/widgets'] },
      monitor: { period, probes: switches },
    },
    targets: Array.from({ length: targets }, (_, index) => ({
      name: `target-${index}`,
      url: baseUrl.href,
      credentials,
    })),
  };
}

/** How many rounds the monitor has missed since its start. */
const missedRounds = async ({ read }: Watching): Promise<number> =>
  Number(/^contract_monitor_ticks_missed_total (\d+)$/m.exec(await read('/metrics'))?.[1]);

/** At the start every probe runs once, spread over this time. */
const openingMs = 20_000;

/** At a period of 1 s, each second has the runs of a minute at a period of 60 s. */
const costOfTarget = (folder: string) =>
  underLoad(folder, { targets: 10, period: '1s' }, async (watching) => {
    await sleep(openingMs);
    const cost = await costOf(watching.provider, () => sleep(30_000), watching.pid);
    const series = (await watching.read('/probe?target=target-0')).match(/^[^#\n]/gm)?.length;
    return { ...cost, minutes: 300, series, missed: await missedRounds(watching) };
  });

/** The cost of one more target: the figures to choose the size of a machine and of a Prometheus. */
async function oneTargetMore(folder: string): Promise<Measured> {
  const { seconds, minutes, requests, series, missed } = await costOfTarget(folder);
  const sent = `${(requests / minutes).toFixed(0)} requests`;
  const note = `${sent}; a target has ${series} series; ${missed} rounds missed`;
  return { value: (seconds * 1000) / minutes, note };
}

/** Microseconds of processor time for each request, of all probes and of probes of blackbox_exporter. */
async function besideBlackbox(folder: string): Promise<Measured | undefined> {
  if (spawnSync(blackbox, ['--version']).status !== 0) return undefined;
  const own = await costOfTarget(folder);
  const other = await costOfBlackbox(folder);
  return beside([own.perRequestUs, other.perRequestUs], 'µs');
}

const blackbox = 'prometheus-blackbox-exporter';

async function costOfBlackbox(folder: string) {
  await using provider = await startProvider(folder);
  const http = {
    valid_status_codes: [401],
    fail_if_body_not_matches_regexp: ['Invalid or expired access token'],
    tls_config: { ca_file: provider.ca },
  };
  const config = path.join(folder, 'blackbox.yml');
  await writeFile(config, JSON.stringify({ modules: { refused: { prober: 'http', http } } }));
  const address = `127.0.0.1:${await freePort()}`;
  const args = [`--config.file=${config}`, `--web.listen-address=${address}`];
  await using exporter = startProgram(folder, blackbox, args, { PATH: process.env.PATH ?? '' });
  const query = new URLSearchParams({ module: 'refused', target: provider.widgets });
  const probe = async (): Promise<string> =>
    (await fetch(`http://${address}/probe?${query}`)).text();
  while ((await probe().catch(() => undefined)) === undefined) await sleep(50);
  const thousand = async (): Promise<void> => {
    for (let turn = 0; turn < 1000; turn++)
      if (!(await probe()).includes('\nprobe_success 1'))
        throw new Error('blackbox_exporter sees no 401');
  };
  return await costOf(provider, thousand, exporter.child.pid);
}

/** A thousand targets with one run a minute. */
async function thousandTargets(folder: string): Promise<Measured> {
  const load = { targets: 1000, period: '60s', only: 'a-token-opens-the-endpoint' };
  return await underLoad(folder, load, async (watching) => {
    // The first minute includes the first tokens and canaries of all targets.
    await sleep(135_000);
    const note = `${await missedRounds(watching)} rounds missed`;
    return { value: privateMegabytes(watching.pid), note };
  });
}

/** Runs each probe once on many targets: the memory of one target, and so of a thousand. */
async function memoryOfAllProbes(folder: string): Promise<Measured> {
  const inUse = (targets: number): Promise<number> =>
    underLoad(folder, { targets, period: '10m' }, async ({ pid }) => {
      // After the start, the monitor begins a run every 50 ms.
      await sleep(targets * monitored(probes).length * 50 + openingMs);
      return privateMegabytes(pid);
    });
  const few = await inUse(50);
  const many = await inUse(200);
  const note = `from ${shown(few, 'MB')} with 50 and ${shown(many, 'MB')} with 200`;
  return { value: many + ((many - few) / 150) * 800, note };
}

async function round(folder: string): Promise<Measured> {
  const [value = NaN] = await inTurns(folder, 5, { args: nodeArguments('probe') });
  return { value };
}

export const ofTheMonitor: Rows = {
  'monitor/round': {
    what: 'npm run probe: one round of the sandbox',
    unit: 's',
    most: 0.25,
    measure: round,
  },
  'monitor/request': {
    what: "processor time of a request over https, judged and recorded, beside blackbox_exporter's",
    unit: '×',
    most: 0.45,
    measure: besideBlackbox,
  },
  'monitor/target': {
    what: 'processor time of a target in a minute over https, at a period of 60 s',
    unit: 'ms',
    most: 8,
    measure: oneTargetMore,
  },
  'monitor/thousand': {
    what: 'private memory with 1,000 targets over https, one run a minute',
    unit: 'MB',
    most: 250,
    measure: thousandTargets,
  },
  'monitor/memory': {
    what: 'private memory with 1,000 targets over https, all probes',
    unit: 'MB',
    most: 150,
    measure: memoryOfAllProbes,
  },
};
