import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startCluster } from '../../tests/fleet/cluster.ts';
import { compared, type Figure, limited } from './figure.ts';
import type { Measures } from './selection.ts';
import {
  allBut,
  countingProvider,
  lagBetween,
  privateBytes,
  processorSeconds,
  scheduleLags,
  startWatching,
  targetsFile,
  type Watching,
} from './watching.ts';

const measuredMs = 60_000;

/** The first minutes include the first tokens and canaries, and the distribution of the targets. */
const settledMs = 180_000;

/** The activity and the size of the database. */
async function databaseWork(address: string) {
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

async function measure(members: readonly Watching[], address: string) {
  const seconds = members.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);
  return { lags: await scheduleLags(members), database: await databaseWork(address), seconds };
}

/** A thousand targets, each with one run a minute, in a fleet of three on one PostgreSQL. */
async function thousandTargets(folder: string): Promise<readonly Figure[]> {
  await using cluster = await startCluster();
  await using provider = await countingProvider();
  const state = await cluster.database();
  const settings = `{ period: 60s, endpoints: [GET /public-api/v1/widgets], probes: ${allBut('a-token-opens-the-endpoint')} }`;
  const env = await targetsFile(folder, provider, { count: 1000, settings });
  await using started = new AsyncDisposableStack();
  const members: Watching[] = [];
  for (let member = 0; member < 3; member++)
    members.push(started.use(await startWatching(folder, { ...env, MONITOR_STATE: state })));
  await sleep(settledMs);
  const before = await measure(members, state);
  await sleep(measuredMs);
  const after = await measure(members, state);
  const bytes = Math.max(...members.map(({ pid }) => privateBytes(pid)));
  return figures(before, after, bytes);
}

type Measurement = Awaited<ReturnType<typeof measure>>;

function figures(before: Measurement, after: Measurement, bytes: number): readonly Figure[] {
  const { runs, lagSeconds } = lagBetween(before.lags, after.lags);
  const since = (name: 'transactions' | 'wal'): number =>
    (after.database[name] - before.database[name]) / (measuredMs / 1000);
  const cpu = (after.seconds - before.seconds) / 3;
  const what = 'a fleet of three with 1,000 targets and one PostgreSQL';
  return [
    limited(
      `${what}: schedule lag of ${runs} runs in a minute`,
      `99 % within ${lagSeconds * 1000} ms`,
      { measured: lagSeconds * 1000, most: 100, unit: 'ms' },
    ),
    limited(
      `${what}: transactions a second`,
      `${since('transactions').toFixed(1)}, ${(since('wal') / 1024).toFixed(0)} KB of write-ahead log`,
      { measured: since('transactions'), most: 50, unit: '' },
    ),
    compared(
      `${what}: processor time of a member in a minute, and its private memory`,
      `${cpu.toFixed(1)} s, ${Math.round(bytes / 1e6)} MB`,
    ),
    compared(
      `${what}: size of the database after four minutes`,
      `${Math.round(after.database.size / 1e6)} MB`,
    ),
  ];
}

export const ofTheFleet: Measures = { 'thousand-targets': thousandTargets };
