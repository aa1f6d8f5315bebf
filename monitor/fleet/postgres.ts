import type pg from 'pg';
import type { Secret } from '../../contract/secrets/secret.ts';
import { StateOpenError } from '../state/opening.ts';
import { retention } from '../state/tally.ts';
import { Connection } from './connection.ts';
import {
  type Batch,
  type Beat,
  DatabaseGone,
  type FleetDatabase,
  type LeaseRow,
  type Pulse,
  type TargetRows,
} from './database.ts';
import { migrations, schema } from './migrations.ts';

/** A heartbeat that takes longer is too late. */
const beatMs = 4_000;

/** The limit for queries on rows of many targets. Heartbeats have their own connection, and do not wait for them. */
const rowsMs = 30_000;

/** How many events of a target the next holder loads: more than a page shows. */
const mostEvents = 100;

/** A fleet's database, on PostgreSQL 12 or newer. */
export class PostgresDatabase implements FleetDatabase {
  readonly #beats: Connection;
  readonly #rows: Connection;
  #listener = (): void => {};

  constructor(address: Secret) {
    this.#beats = new Connection({
      address,
      queryMs: beatMs,
      prepare: async (client) => {
        await migrate(client);
        client.on('notification', () => this.#listener());
        await client.query(`listen ${schema}`);
      },
    });
    this.#rows = new Connection({ address, queryMs: rowsMs });
  }

  /**
   * Connects, so that a refusal ends the start. A database that is not available now may be later.
   * @throws StateOpenError
   */
  async open(): Promise<void> {
    await this.#beats.query('select').catch((error: unknown) => {
      if (!(error instanceof DatabaseGone)) throw error;
    });
  }

  async beat(beat: Beat): Promise<Pulse> {
    const [row] = await this.#beats.query(`select ${schema}.beat($1) as pulse`, [
      JSON.stringify(beat),
    ]);
    return row?.pulse;
  }

  async load(targets: readonly string[]): Promise<ReadonlyMap<string, TargetRows>> {
    const all = new Map(
      targets.map((target) => [target, { entries: [], events: [], tallies: [] } as Loaded]),
    );
    const from = async (text: string) => this.#rows.query(text, [targets]);
    for (const { target, kind, key, value } of await from(
      `select target, kind, key, value from ${schema}.entries where target = any ($1)`,
    ))
      all.get(target)?.entries.push({ kind, key, value });
    for (const { target, at, event } of await from(
      `select target, at, event from (
         select *, row_number() over (partition by target order by at desc, id desc) as place
         from ${schema}.events where target = any ($1)
       ) as latest where place <= ${mostEvents} order by target, at, id`,
    ))
      all.get(target)?.events.push({ at: Number(at), event });
    for (const { target, span, at, kept, broken, unreachable, defect } of await from(
      `select target, span, at, kept, broken, unreachable, defect
       from ${schema}.tallies where target = any ($1)`,
    )) {
      const tally = { from: Number(at), kept, broken, unreachable, defect };
      all.get(target)?.tallies.push({ span, tally });
    }
    return all;
  }

  async write(batches: readonly Batch[]): Promise<readonly string[]> {
    const [row] = await this.#rows.query(
      `select ${schema}.write($1, $2, $3, $4, $5) as stale`,
      rowsOf(batches).map((rows) => JSON.stringify(rows)),
    );
    return row?.stale ?? [];
  }

  async targets(): Promise<readonly LeaseRow[]> {
    const rows = await this.#rows.query(
      `select target, holder, summary from ${schema}.leases order by target`,
    );
    return rows.map(({ target, holder, summary }) => ({
      target,
      holder: holder ?? undefined,
      summary: summary ?? undefined,
    }));
  }

  async entry(target: string, kind: string, key: string): Promise<string | undefined> {
    const [row] = await this.#rows.query(
      `select value from ${schema}.entries where target = $1 and kind = $2 and key = $3`,
      [target, kind, key],
    );
    return row?.value;
  }

  async tidy(now: number): Promise<void> {
    const { events, hour, day } = retention;
    await this.#rows.query(`delete from ${schema}.events where at < ${before('$2')}`, [
      now,
      events,
    ]);
    await this.#rows.query(
      `delete from ${schema}.tallies
       where span = 'hour' and at < ${before('$2')} or span = 'day' and at < ${before('$3')}`,
      [now, hour, day],
    );
    // A target that is missing in the file today may be in it again tomorrow, so it is kept for a while.
    await this.#rows.query(
      `with gone as (
         delete from ${schema}.leases where holder is null
           and changed < now() - make_interval(secs => $1::float8 / 1000) returning target
       ), without_events as (
         delete from ${schema}.events where target in (select target from gone)
       ), without_tallies as (
         delete from ${schema}.tallies where target in (select target from gone)
       )
       delete from ${schema}.entries where target in (select target from gone)`,
      [events],
    );
  }

  onNotice(listener: () => void): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    await Promise.all([this.#beats.close(), this.#rows.close()]);
  }
}

/** An instant before now. By the slower clock, because a wrong clock of one member must not delete the rows of all. */
const before = (ms: string): string =>
  `(least($1::float8, extract(epoch from now())::float8 * 1000) - ${ms}::float8)::bigint`;

type Loaded = { -readonly [Part in keyof TargetRows]: TargetRows[Part][number][] };

/** Converts the batches to the parameters of the database function `write`: one list of rows for each table. */
function rowsOf(batches: readonly Batch[]): readonly unknown[][] {
  const each = (rows: (batch: Batch) => readonly object[]): unknown[] =>
    batches.flatMap((batch) => rows(batch).map((row) => ({ target: batch.target, ...row })));
  return [
    batches.map(({ target, fence, number, summary }) => ({ target, fence, number, summary })),
    each(({ entries }) => entries.filter(({ value }) => value !== undefined)),
    each(({ entries }) => entries.filter(({ value }) => value === undefined)),
    each(({ events }) => events),
    each(({ tallies }) =>
      tallies.map(({ span, tally: { from, ...counts } }) => ({ span, at: from, ...counts })),
    ),
  ];
}

/**
 * Migrates the schema to the newest version. If several members start at once, one of them migrates. If the schema
 * is current, no lock is taken. The database ends the session of a member that stalls while it has the lock.
 * @throws StateOpenError
 */
async function migrate(client: pg.Client): Promise<void> {
  if ((await versionOf(client)) === migrations.length) return;
  await client.query('begin');
  try {
    await client.query(`set local idle_in_transaction_session_timeout = ${beatMs}`);
    await client.query(`select pg_advisory_xact_lock(hashtext('${schema}'), 2)`);
    const version = await versionOf(client);
    if (version === undefined) {
      await client.query(`create schema if not exists ${schema}`);
      await client.query(`create table ${schema}.version (number integer not null)`);
      await client.query(`insert into ${schema}.version values (0)`);
    }
    await client.query(`set local search_path = ${schema}`);
    for (const step of migrations.slice(version ?? 0)) await client.query(step);
    await client.query('update version set number = $1', [migrations.length]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** The number of steps that a database has; undefined without a fleet. @throws StateOpenError for more steps */
async function versionOf(client: pg.Client): Promise<number | undefined> {
  // The catalogue is queried directly: the cache of `to_regclass` may miss a table that another member just created.
  const { rows } = await client.query(
    "select from pg_tables where schemaname = $1 and tablename = 'version'",
    [schema],
  );
  if (rows.length === 0) return undefined;
  const found = await client.query(`select number from ${schema}.version`);
  const version = Number(found.rows[0]?.number);
  if (version > migrations.length)
    throw new StateOpenError(
      `the database in MONITOR_STATE was written by a newer monitor (version ${version}, this one knows ` +
        `${migrations.length}): run that one, or set MONITOR_STATE to another database`,
    );
  return version;
}
