import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../../contract/command.ts';

/** The state file cannot be used, with the reason: one line that says what to do. */
export class StateOpenError extends UserError {}

const inMemory = ':memory:';

/** Our mark in the SQLite header of each state file, so that another program's database is not accepted: `mon1`. */
const applicationId = 0x6d6f6e31;

/** Counts the forms of the file. SQLite keeps it as `user_version`. */
const version = 5;

const tables = `
  create table targets (
    target text primary key not null, saved integer not null, status text not null
  ) strict;
  create table canaries (
    target text not null, id text not null, canary text not null, primary key (target, id)
  ) strict;`;

/** The versions before had one table of rows. Canaries are kept, and since when each clause has its verdict. */
const fromEntries = `
  insert into canaries select target, key, value from entries where kind = 'canary';
  insert into targets select target, cast(unixepoch('subsec') * 1000 as integer), json_object(
    'address', max(case when kind = 'standing' and key = 'address' then value->>'$' end),
    'clauses', json_group_object(key, json_object(
      'verdict', value->'$.verdict', 'since', value->'$.since', 'findings', json('[]')
    )) filter (where kind = 'verdict'))
    from entries where kind in ('standing', 'verdict') and json_valid(value) group by target;
  drop table entries;
  drop table if exists events;
  drop table if exists hours;
  drop table if exists tallies;`;

/**
 * Opens the state file for this process alone, creates it (mode 0600, its folder 0700) if it does not exist, and
 * migrates it to the newest version.
 * @throws StateOpenError and leaves the file unchanged
 */
export function openDatabase(file: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    if (file !== inMemory) create(file);
    // An absolute path is never taken for an address (`file:…`).
    db = new DatabaseSync(file === inMemory ? file : path.resolve(file));
    settle(db);
    return db;
  } catch (error) {
    db?.close();
    const why = describeOpenError(error);
    throw why === undefined ? error : new StateOpenError(`the state file ${file} ${why}`);
  }
}

/** SQLite would create a file that every user can read. Its log gets the mode of the file. */
function create(file: string): void {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  try {
    chmodSync(file, 0o600);
  } catch {
    // A file system without modes is not a reason to stop: tokens are sealed in the file.
  }
}

/** Takes the lock before the first read, and holds it. A commit survives the death of the process. */
function settle(db: DatabaseSync): void {
  db.exec('pragma locking_mode = exclusive; begin exclusive');
  migrate(db);
  db.exec(`commit;
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma wal_autocheckpoint = 500;
    pragma journal_size_limit = 2097152`);
}

/** A database that this program cannot use. The message follows the name of the database. */
class MigrationError extends Error {}

function migrate(db: DatabaseSync): void {
  const before = header(db, 'user_version');
  const isEmpty = db.prepare('select 1 from sqlite_schema limit 1').get() === undefined;
  const isOurs = header(db, 'application_id') === applicationId;
  if (!isOurs && !(isEmpty && before === 0))
    throw new MigrationError('is a database of another program: set MONITOR_STATE to another file');
  if (before > version)
    throw new MigrationError(
      `was written by a newer monitor (version ${before}, this one knows ${version}): ` +
        'run that one, or set MONITOR_STATE to another file',
    );
  // Damage found now is one clear message, and later hard to explain. About 2 ms per megabyte.
  const integrity = db.prepare('pragma quick_check(1)').get()?.quick_check;
  if (integrity !== 'ok') throw new MigrationError(damaged);
  if (before === version) return;
  db.exec(before === 0 ? tables : tables + fromEntries);
  db.exec(`pragma application_id = ${applicationId}; pragma user_version = ${version}`);
}

const header = (db: DatabaseSync, field: 'user_version' | 'application_id'): number =>
  Number(db.prepare(`pragma ${field}`).get()?.[field]);

const damaged =
  'is damaged: move it away together with its -wal file, then begin anew or bring back a copy';
const full = 'cannot be written, its disk is full: make room there';

const reasons: Readonly<Record<number, string>> = {
  5: 'is in use, most likely by another monitor: stop that one, or set MONITOR_STATE to another file',
  11: damaged,
  13: full,
  26: 'is not an SQLite database: set MONITOR_STATE to another file, or move it away to begin anew',
};

/** Why the file cannot be used, without any stored value; undefined for a defect of ours. */
export function describeOpenError(error: unknown): string | undefined {
  if (error instanceof MigrationError) return error.message;
  // Of SQLite: its result code, and its own words for it. Of a system call: the name of its error.
  const { code, errcode = 0, errstr = code } = Object(error);
  if (errstr === undefined || errstr === 'ENOSPC') return errstr && full;
  const remedy = 'give this user the right to write it and its folder';
  return (
    reasons[errcode & 0xff] ??
    `cannot be used (${errstr}): ${remedy}, or set MONITOR_STATE to another file`
  );
}
