import type { DatabaseSync } from 'node:sqlite';

/**
 * The history of the state file, step by step: `user_version` counts the steps of a file. Of the first three versions
 * only this table is read, and only once.
 */
export const migrations: readonly string[] = [
  `create table entries (
     target text not null, kind text not null, key text not null, value text not null,
     primary key (target, kind, key)
   ) strict`,
  '',
  '',
  `create table targets (
     target text primary key not null, saved integer not null,
     status text not null, sights text not null
   ) strict;
   create table canaries (
     target text not null, id text not null, canary text not null, primary key (target, id)
   ) strict;
   insert into canaries select target, key, value from entries where kind = 'canary';
   insert into targets select target, cast(unixepoch('subsec') * 1000 as integer),
     json_object(
       'address', max(case when kind = 'standing' and key = 'address' then value->>'$' end),
       'since', max(case when kind = 'standing' and key = 'state' then value->'$.since' end),
       'hasAnswered', json('true'),
       'clauses', json_group_object(key, json_object('verdict', value->'$.verdict', 'since', value->'$.since'))
         filter (where kind = 'verdict'),
       'places', json_group_object(key, json_patch('{}', json_object(
         'probe', value->'$.outcome.probe', 'endpoint', value->'$.outcome.endpoint',
         'at', value->'$.startedAt', 'silent', 0, 'proofless', 0,
         'result', json_object(
           'outcome', case value->>'$.outcome.ending'
             when 'kept' then 'passed' when 'broken' then 'failed' else value->>'$.outcome.ending' end,
           'reason', value->'$.reason', 'detail', value->'$.outcome.detail',
           'unproven', value->'$.outcome.unproven', 'findings', value->'$.outcome.findings')
       ))) filter (where kind = 'run')
     ), '[]'
     from entries where target <> '' and json_valid(value) group by target;
   drop table entries;
   drop table if exists events;
   drop table if exists hours;
   drop table if exists tallies`,
];

/** Our mark in the SQLite header of each state file, so that another program's database is not accepted: `mon1`. */
const applicationId = 0x6d6f6e31;

/** A database that this program cannot use. The message follows the name of the database. */
export class MigrationError extends Error {}

/**
 * Checks a database inside a transaction, and migrates it to the newest version.
 * @throws StateOpenError when it is damaged, another program's, or of a newer version; then nothing was written
 */
export function migrate(db: DatabaseSync, steps: readonly string[]): void {
  const version = header(db, 'user_version');
  const empty = db.prepare('select 1 from sqlite_schema limit 1').get() === undefined;
  const ours = header(db, 'application_id') === applicationId;
  if (!ours && !(empty && version === 0))
    throw new MigrationError('is a database of another program: set MONITOR_STATE to another file');
  if (version > steps.length)
    throw new MigrationError(
      `was written by a newer monitor (version ${version}, this one knows ${steps.length}): ` +
        'run that one, or set MONITOR_STATE to another file',
    );
  checkPages(db);
  if (version === steps.length) return;
  for (const step of steps.slice(version)) db.exec(step);
  db.exec(`pragma application_id = ${applicationId}; pragma user_version = ${steps.length}`);
}

const header = (db: DatabaseSync, field: 'user_version' | 'application_id'): number =>
  Number(db.prepare(`pragma ${field}`).get()?.[field]);

/** Checks all pages: damage found now is one clear message, and later hard to explain. About 2 ms per megabyte. */
function checkPages(db: DatabaseSync): void {
  const found = db.prepare('pragma quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new MigrationError(damaged);
}

/** What to do with a file that SQLite cannot read. */
export const damaged =
  'is damaged: move it away together with its -wal file, then begin anew or bring back a copy';
