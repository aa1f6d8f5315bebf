import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Pending } from './pending.ts';
import { type HourTally, keptHoursMs } from './tally.ts';

export type Tables = ReturnType<typeof tablesOf>;

type Row = Record<string, SQLOutputValue>;

/** How many events of a target are kept: the begin and the end of each that a page lists. */
const mostEvents = 200;

/** The tables of the file. All methods throw SQLite's errors. @param db a database of the newest version */
export function tablesOf(db: DatabaseSync) {
  const entries = db.prepare('select key, value from entries where target = ? and kind = ?');
  const events = db.prepare(
    'select at, event from events where target = ? order by id desc limit ?',
  );
  const hours = db.prepare('select * from hours where target = ? and at >= ? order by at');
  const targets = db.prepare('select distinct target from entries');
  const write = writerOf(db);
  const tidy = tidierOf(db);
  return {
    entries: (target: string, kind: string) =>
      entries.all(target, kind).map(({ key, value }) => ({ key: `${key}`, value: `${value}` })),
    /** The last recorded first. */
    events: (target: string, limit: number) =>
      events.all(target, limit).map(({ at, event }) => ({ at: Number(at), event: `${event}` })),
    hours: (target: string, since: number) => hours.all(target, since).map(tallyOf),
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

const tallyOf = ({ at, kept, broken, unreachable, defect }: Row): HourTally => ({
  from: Number(at),
  kept: Number(kept),
  broken: Number(broken),
  unreachable: Number(unreachable),
  defect: Number(defect),
});

function writerOf(db: DatabaseSync): (pending: Pending) => void {
  const forget = ['entries', 'events', 'hours'].map((table) =>
    db.prepare(`delete from ${table} where target = ?`),
  );
  const put = db.prepare(
    `insert into entries (target, kind, key, value) values (?, ?, ?, ?)
     on conflict do update set value = excluded.value`,
  );
  const remove = db.prepare('delete from entries where target = ? and kind = ? and key = ?');
  const record = db.prepare('insert into events (target, at, event) values (?, ?, ?)');
  const count = db.prepare(
    `insert into hours (target, at, kept, broken, unreachable, defect)
     values (?, ?, ?, ?, ?, ?)
     on conflict do update set kept = kept + excluded.kept, broken = broken + excluded.broken,
       unreachable = unreachable + excluded.unreachable, defect = defect + excluded.defect`,
  );
  return (pending) => {
    for (const target of pending.forgotten) for (const each of forget) each.run(target);
    for (const { target, kind, key, value } of pending.entries.values())
      if (value === undefined) remove.run(target, kind, key);
      else put.run(target, kind, key, value);
    for (const { target, at, event } of pending.events) record.run(target, at, event);
    for (const { target, tally } of pending.hours.values()) {
      const { from, kept, broken, unreachable, defect } = tally;
      count.run(target, from, kept, broken, unreachable, defect);
    }
  };
}

function tidierOf(db: DatabaseSync): (now: number) => void {
  const events = db.prepare(
    `delete from events where id in (
       select id from (
         select id, row_number() over (partition by target order by id desc) as place from events
       ) where place > ?
     )`,
  );
  const hours = db.prepare('delete from hours where at < ?');
  return (now) => {
    events.run(mostEvents);
    hours.run(now - keptHoursMs);
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
