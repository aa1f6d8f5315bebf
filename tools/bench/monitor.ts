import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../sandbox/provider.ts';
import { authority } from '../../tests/client/certificates.ts';
import { tlsFront } from '../../tests/client/tls-front.ts';
import { findAddress, startMonitor } from '../../tests/monitor/process.ts';
import { measureMedians, nodeArguments } from './processes.ts';
import { type Measured, type Rows, shown } from './table.ts';

/** Monitors of many targets that are all the same provider, over https. */
async function overHttps(folder: string) {
  const sandbox = await startSandbox();
  const { cert, good, remove } = await authority();
  await remove();
  const ca = path.join(folder, 'ca.pem');
  await writeFile(ca, cert);
  const front = await tlsFront(sandbox.baseUrl, good);
  const endpoints = ['GET /public-api/v1/widgets'];
  const credentials = { apiKeyEnv: 'BENCH_KEY', secretKeyEnv: 'BENCH_SECRET' };
  const url = front.url.href;
  const file = path.join(folder, 'targets.yaml');
  const { apiKey: BENCH_KEY, secretKey: BENCH_SECRET } = sandbox.state.account;
  const NODE_OPTIONS = `${nodeArguments('').slice(0, -1).join(' ')} --max-semi-space-size=1`;
  const MONITOR_STATE = path.join(folder, 'state.sqlite');
  const env = { PUBLIC_API_TARGETS: file, MONITOR_STATE, BENCH_KEY, BENCH_SECRET, NODE_OPTIONS };
  return {
    state: MONITOR_STATE,
    /** Starts a monitor of so many targets. */
    async watch(targets: number, period: string) {
      const numbers = Array.from({ length: targets }, (_, number) => number);
      const all = numbers.map((number) => ({ name: `t${number}`, url, credentials }));
      const defaults = { ca, endpoints, monitor: { period } };
      // YAML reads JSON.
      await writeFile(file, JSON.stringify({ defaults, targets: all }));
      const monitor = startMonitor(env);
      const page = await findAddress(monitor);
      const stop = async () => void (await monitor.stop());
      return { pid: monitor.pid, page, [Symbol.asyncDispose]: stop };
    },
    async [Symbol.asyncDispose]() {
      front.close();
      await sandbox.close();
    },
  };
}

/** At a period of 1 s, the first pass through all lists takes two minutes instead of two hours. */
const firstPassTicks = 180;
const usualTicks = 60;
const minutesOfDay = 1440;

/**
 * The cost of one more target: the figures to choose the size of a machine. A tick at a period of 1 s has the runs of a
 * minute at a period of 60 s. All lists run once a day, so a minute has its share of what the first pass costs.
 */
async function oneTargetMore(folder: string): Promise<Measured> {
  const targets = 10;
  await using provider = await overHttps(folder);
  await using monitor = await provider.watch(targets, '1s');
  const measureNow = async () => [processorSeconds(monitor.pid), await missedTicks(monitor.page)];
  /** The cost of a tick: on a busy machine some ticks are missed. */
  const ofTick = async (ticks: number): Promise<number> => {
    const [before = NaN, missedBefore = NaN] = await measureNow();
    await sleep(ticks * 1000);
    const [after = NaN, missed = NaN] = await measureNow();
    return ((after - before) * 1000) / (ticks * targets - (missed - missedBefore));
  };
  const firstPass = await ofTick(firstPassTicks);
  const usual = await ofTick(usualTicks);
  const lists = ((firstPass - usual) * firstPassTicks) / minutesOfDay;
  const note = `${shown(usual, 'ms')}, and ${shown(lists, 'ms')} for the lists of a day`;
  return { value: usual + lists, note };
}

/** The most memory in a minute, of a thousand targets that have run each probe before a restart. */
async function memoryOfAllProbes(folder: string): Promise<Measured> {
  const targets = 1000;
  await using provider = await overHttps(folder);
  {
    await using _ = await provider.watch(1, '1s');
    await sleep(firstPassTicks * 1000);
  }
  spread(provider.state, targets);
  await using monitor = await provider.watch(targets, '60s');
  const before = privateMegabytes(monitor.pid);
  // Two rounds of each target.
  await sleep(120_000);
  let value = 0;
  for (let second = 0; second < 60; second++) {
    value = Math.max(value, privateMegabytes(monitor.pid));
    await sleep(1000);
  }
  return { value, note: `${shown(before, 'MB')} before the first round` };
}

/** Gives each target what is known of the first one. */
function spread(state: string, targets: number): void {
  const db = new DatabaseSync(state);
  db.exec(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${targets - 1})
    insert into targets select 't' || n, saved, json_set(status, '$.target', 't' || n)
    from targets, numbers where target = 't0';
    delete from canaries`);
  db.close();
}

async function missedTicks(page: URL): Promise<number> {
  const metrics = await (await fetch(new URL('metrics', page))).text();
  return Number(/^contract_monitor_ticks_missed_total (\d+)/m.exec(metrics)?.[1]);
}

/** Seconds of processor time that a process has used. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  // Linux counts in hundredths.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Megabytes that belong to this process alone. */
function privateMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)];
  return kilobytes.reduce((sum, [, count]) => sum + Number(count) * 1024, 0) / 1e6;
}

async function round(folder: string): Promise<Measured> {
  const args = nodeArguments('monitor/probe/main.ts');
  const [value = NaN] = await measureMedians(folder, 5, { args });
  return { value };
}

export const monitorRows: Rows = {
  'monitor/round': {
    what: 'npm run probe: one round of the sandbox',
    unit: 's',
    max: 0.25,
    measure: round,
  },
  'monitor/target': {
    what: 'processor time of a target in a minute over https, with its share of the lists of a day',
    unit: 'ms',
    max: 8,
    measure: oneTargetMore,
  },
  'monitor/memory': {
    what: 'private memory with 1,000 targets over https, after all probes',
    unit: 'MB',
    max: 130,
    measure: memoryOfAllProbes,
  },
};
