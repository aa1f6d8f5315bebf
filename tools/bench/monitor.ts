import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selectMonitored } from '../../monitor/round/plan.ts';
import { probes } from '../../probes/index.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { authority } from '../../tests/client/certificates.ts';
import { tlsFront } from '../../tests/client/tls-front.ts';
import { addressOf, startMonitor } from '../../tests/monitor/process.ts';
import { measureMedians, nodeArguments } from './processes.ts';
import { type Measured, type Rows, shown } from './table.ts';

/** Measures a monitor of many targets, which are all the same provider over https, by the id of its process. */
async function underLoad<Result>(
  folder: string,
  { targets, period }: { targets: number; period: string },
  measure: (pid: number) => Promise<Result>,
): Promise<Result> {
  await using sandbox = await startSandbox();
  const { cert, good, remove } = await authority();
  await remove();
  const ca = path.join(folder, 'ca.pem');
  await writeFile(ca, cert);
  const front = await tlsFront(sandbox.baseUrl, good);
  const endpoints = ['GET /public-api/v1/widgets'];
  const credentials = { apiKeyEnv: 'BENCH_KEY', secretKeyEnv: 'BENCH_SECRET' };
  const url = front.url.href;
  const named = Array.from({ length: targets }, (_, at) => ({ name: `t${at}`, url, credentials }));
  const file = path.join(folder, 'targets.yaml');
  const defaults = { ca, endpoints, monitor: { period } };
  // YAML reads JSON.
  await writeFile(file, JSON.stringify({ defaults, targets: named }));
  const { apiKey: BENCH_KEY, secretKey: BENCH_SECRET } = sandbox.state.account;
  const NODE_OPTIONS = `${nodeArguments('').slice(0, -1).join(' ')} --max-semi-space-size=1`;
  const env = { PUBLIC_API_TARGETS: file, BENCH_KEY, BENCH_SECRET, NODE_OPTIONS };
  await using monitor = startMonitor(env);
  await addressOf(monitor);
  try {
    return await measure(monitor.pid);
  } finally {
    front.close();
  }
}

/** At the start every probe runs once, spread over this time. */
const openingMs = 20_000;

/**
 * The cost of one more target: the figures to choose the size of a machine and of a Prometheus. At a period of 1 s,
 * half a minute of ten targets has the runs of 300 minutes at a period of 60 s.
 */
const oneTargetMore = (folder: string): Promise<Measured> =>
  underLoad(folder, { targets: 10, period: '1s' }, async (pid) => {
    await sleep(openingMs);
    const before = processorSeconds(pid);
    await sleep(30_000);
    return { value: ((processorSeconds(pid) - before) * 1000) / 300 };
  });

/** Runs each probe once on many targets: the memory of one target, and so of a thousand. */
async function memoryOfAllProbes(folder: string): Promise<Measured> {
  const inUse = (targets: number): Promise<number> =>
    underLoad(folder, { targets, period: '10m' }, async (pid) => {
      // After the start, the monitor begins a run every 50 ms.
      await sleep(targets * selectMonitored(probes).length * 50 + openingMs);
      return privateMegabytes(pid);
    });
  const few = await inUse(50);
  const many = await inUse(200);
  const note = `from ${shown(few, 'MB')} with 50 and ${shown(many, 'MB')} with 200`;
  return { value: many + ((many - few) / 150) * 800, note };
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
  const [value = NaN] = await measureMedians(folder, 5, {
    args: nodeArguments('monitor/probe/main.ts'),
  });
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
    what: 'processor time of a target in a minute over https, at a period of 60 s',
    unit: 'ms',
    max: 8,
    measure: oneTargetMore,
  },
  'monitor/memory': {
    what: 'private memory with 1,000 targets over https, all probes',
    unit: 'MB',
    max: 130,
    measure: memoryOfAllProbes,
  },
};
