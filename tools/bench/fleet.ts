import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { monitored } from '../../monitor/target/plan.ts';
import { probes } from '../../probes/index.ts';
import { startCluster } from '../../tests/fleet/cluster.ts';
import type { Figure, Measure } from './figure.ts';
import {
  countingProvider,
  privateBytes,
  processorSeconds,
  samples,
  startWatching,
  targetsFile,
  type Watching,
} from './watching.ts';

const measuredMs = 60_000;

/** The first minutes include the first tokens and canaries, and the distribution of the targets. */
const settledMs = 180_000;

/** The number of runs by schedule lag, summed over all monitors. */
async function lags(members: readonly Watching[]): Promise<Map<number, number>> {
  const sums = new Map<number, number>();
  for (const { page } of members)
    for (const [labels, count] of await samples(page, 'monitor_schedule_lag_seconds_bucket')) {
      const le = Number(/le="([^"]+)"/.exec(labels)?.[1]?.replace('+Inf', 'Infinity'));
      sums.set(le, (sums.get(le) ?? 0) + count);
    }
  return sums;
}

/** The activity and the size of the database. */
async function work(address: string) {
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await client.query(`
    select xact_commit::float8 as transactions, pg_current_wal_lsn() - '0/0'::pg_lsn as wal,
      pg_database_size(current_database())::float8 as size
    from pg_stat_database where datname = current_database()`);
  await client.end();
  const [{ transactions, wal, size }] = rows;
  return { transactions: Number(transactions), wal: Number(wal), size: Number(size) };
}

const pidOf = ({ child }: { readonly child: ChildProcess }): number => child.pid ?? Number.NaN;

/** All measurements at one instant. */
async function look(members: readonly Watching[], address: string) {
  const busy = members.map((one) => processorSeconds(pidOf(one)));
  const seconds = busy.reduce((sum, one) => sum + one, 0);
  return { lags: await lags(members), database: await work(address), seconds };
}

/** A thousand targets, each with one run a minute, in a fleet of three on one PostgreSQL. */
async function thousandTargets(folder: string): Promise<readonly Figure[]> {
  const [cluster, provider] = [await startCluster(), await countingProvider()];
  const state = await cluster.database();
  const off = monitored(probes)
    .filter(({ name }) => name !== 'a-token-opens-the-endpoint')
    .map(({ name }) => `${name}: off`);
  const settings = `{ period: 60s, endpoints: [GET /public-api/v1/widgets], probes: { ${off.join(', ')} } }`;
  const env = await targetsFile(folder, provider, { count: 1000, settings });
  const members: Watching[] = [];
  for (let member = 0; member < 3; member++)
    members.push(await startWatching(folder, { ...env, MONITOR_STATE: state }));
  try {
    await sleep(settledMs);
    const before = await look(members, state);
    await sleep(measuredMs);
    const after = await look(members, state);
    const bytes = Math.max(...members.map((one) => privateBytes(pidOf(one))));
    return figures(before, after, bytes);
  } finally {
    await Promise.all(members.map((one) => one.stop()));
    await provider.close();
    await cluster[Symbol.asyncDispose]();
  }
}

type Measurement = Awaited<ReturnType<typeof look>>;

function figures(before: Measurement, after: Measurement, bytes: number): readonly Figure[] {
  const counts = [...after.lags].map(
    ([le, count]) => [le, count - (before.lags.get(le) ?? 0)] as const,
  );
  const all = Math.max(...counts.map(([, count]) => count));
  const lag = Math.min(...counts.filter(([, count]) => count >= 0.99 * all).map(([le]) => le));
  const since = (name: 'transactions' | 'wal'): number =>
    (after.database[name] - before.database[name]) / (measuredMs / 1000);
  const cpu = (after.seconds - before.seconds) / 3;
  const what = 'a fleet of three with 1,000 targets and one PostgreSQL';
  return [
    {
      what: `${what}: schedule lag of ${all} runs in a minute`,
      value: `99 % within ${lag * 1000} ms`,
      bound: '100 ms',
      kept: lag <= 0.1,
    },
    {
      what: `${what}: transactions a second`,
      value: `${since('transactions').toFixed(1)}, ${(since('wal') / 1024).toFixed(0)} KB of write-ahead log`,
      bound: '50',
      kept: since('transactions') <= 50,
    },
    {
      what: `${what}: processor time of a member in a minute, and its private memory`,
      value: `${cpu.toFixed(1)} s, ${Math.round(bytes / 1e6)} MB`,
      kept: true,
    },
    {
      what: `${what}: size of the database after four minutes`,
      value: `${Math.round(after.database.size / 1e6)} MB`,
      kept: true,
    },
  ];
}

/** The cost of a fleet and its database. */
export const ofTheFleet: readonly Measure[] = [thousandTargets];
