import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Pending } from './pending.ts';
import { type RunTally, retention, type Span } from './tally.ts';

export type Tables = ReturnType<typeof tablesOf>;

type Row = Record<string, SQLOutputValue>;

/** The tables of the file. All methods throw SQLite's errors. @param db a database of the newest version */
export function tablesOf(db: DatabaseSync) {
  const entries = db.prepare('select key, value from entries where target = ? and kind = ?');
  const events = db.prepare(
    'select at, event from events where target = ? order by at desc, id desc limit ?',
  );
  const tallies = db.prepare(
    'select * from tallies where target = ? and span = ? and at >= ? order by at',
  );
  const targets = db.prepare('select distinct target from entries');
  const write = writerOf(db);
  const tidy = tidierOf(db);
  return {
    entries: (target: string, kind: string) =>
      entries.all(target, kind).map(({ key, value }) => ({ key: `${key}`, value: `${value}` })),
    /** The latest first. */
    events: (target: string, limit: number) =>
      events.all(target, limit).map(({ at, event }) => ({ at: Number(at), event: `${event}` })),
    tallies: (target: string, span: Span, since: number) =>
      tallies.all(target, span, since).map(tallyOf),
    targets: () => targets.all().map(({ target }) => `${target}`),
    /** Writes everything or nothing. */
    write: (pending: Pending) => inTransaction(db, () => write(pending)),
    /** The same, and deletes outdated rows. */
    writeAndTidy: (pending: Pending, now: number) =>
      inTransaction(db, () => {
        write(pending);
        tidy(now);
      }),
  };
}

const tallyOf = ({ at, kept, broken, unreachable, defect }: Row): RunTally => ({
  from: Number(at),
  kept: Number(kept),
  broken: Number(broken),
  unreachable: Number(unreachable),
  defect: Number(defect),
});

function writerOf(db: DatabaseSync): (pending: Pending) => void {
  const forget = ['entries', 'events', 'tallies'].map((table) =>
    db.prepare(`delete from ${table} where target = ?`),
  );
  const put = db.prepare(
    `insert into entries (target, kind, key, value) values (?, ?, ?, ?)
     on conflict do update set value = excluded.value`,
  );
  const remove = db.prepare('delete from entries where target = ? and kind = ? and key = ?');
  const record = db.prepare('insert into events (target, at, event) values (?, ?, ?)');
  const count = db.prepare(
    `insert into tallies (target, span, at, kept, broken, unreachable, defect)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict do update set kept = kept + excluded.kept, broken = broken + excluded.broken,
       unreachable = unreachable + excluded.unreachable, defect = defect + excluded.defect`,
  );
  return (pending) => {
    for (const target of pending.forgotten) for (const each of forget) each.run(target);
    for (const { target, kind, key, value } of pending.entries.values())
      if (value === undefined) remove.run(target, kind, key);
      else put.run(target, kind, key, value);
    for (const { target, at, event } of pending.events) record.run(target, at, event);
    for (const { target, span, tally } of pending.tallies.values()) {
      const { from, kept, broken, unreachable, defect } = tally;
      count.run(target, span, from, kept, broken, unreachable, defect);
    }
  };
}

function tidierOf(db: DatabaseSync): (now: number) => void {
  const events = db.prepare('delete from events where at < ?');
  const tallies = db.prepare('delete from tallies where span = ? and at < ?');
  return (now) => {
    events.run(now - retention.events);
    for (const span of ['hour', 'day'] as const) tallies.run(span, now - retention[span]);
  };
}

/** Runs `work` in one transaction. If an earlier failure left one open, it is rolled back first. */
function inTransaction(db: DatabaseSync, work: () => void): void {
  const undo = (): void => {
    if (db.isTransaction) db.exec('rollback');
  };
  undo();
  db.exec('begin immediate');
  try {
    work();
    db.exec('commit');
  } catch (error) {
    undo();
    throw error;
  }
}
