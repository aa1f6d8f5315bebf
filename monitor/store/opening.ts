import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../../contract/user-error.ts';
import { damaged, MigrationError, migrate, migrations } from './migrations.ts';
import { sqliteFault } from './sqlite-fault.ts';

/** The state file cannot be used, with the reason: one line that says what to do. */
export class StateOpenError extends UserError {}

/** Stores nothing on disk. */
const inMemory = ':memory:';

/**
 * Opens the state file for this process alone, creates it (mode 0600, its folder 0700) if it does not exist, and
 * migrates it to the newest version.
 * @throws StateOpenError and leaves the file unchanged
 */
export function openDatabase(file: string, steps: readonly string[] = migrations): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    if (file !== inMemory) makeReady(file);
    // An absolute path is never taken for an address (`file:…`).
    db = new DatabaseSync(file === inMemory ? file : path.resolve(file));
    settle(db, steps);
    if (file !== inMemory) makePrivate(file);
    return db;
  } catch (error) {
    db?.close();
    throw explained(error, file);
  }
}

/**
 * Takes the lock before the first read, and holds it until the process ends in any way. A commit survives the death
 * of the process. If the machine itself fails, the last seconds may be missing.
 */
function settle(db: DatabaseSync, steps: readonly string[]): void {
  db.exec('pragma locking_mode = exclusive; begin exclusive');
  migrate(db, steps);
  db.exec(`commit;
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma wal_autocheckpoint = 500;
    pragma journal_size_limit = 2097152`);
}

/** Without this, SQLite would create a file that every user can read, and would open one that it cannot write. */
function makeReady(file: string): void {
  const folder = path.dirname(path.resolve(file));
  attempt(`its folder ${folder} cannot be made`, () =>
    mkdirSync(folder, { recursive: true, mode: 0o700 }),
  );
  const found = attempt('it cannot be looked at', () => statSync(file, { throwIfNoEntry: false }));
  if (found?.isDirectory())
    throw new MigrationError('is a folder: set MONITOR_STATE to a file in it');
  if (found?.isFile() === false)
    throw new MigrationError('is not a regular file: set MONITOR_STATE to another one');
  const { R_OK, W_OK, X_OK } = constants;
  // SQLite creates and removes its log (-wal) beside the file.
  attempt(`its folder ${folder} cannot be written`, () => accessSync(folder, W_OK | X_OK));
  if (found !== undefined) attempt('it cannot be written', () => accessSync(file, R_OK | W_OK));
  else attempt('it cannot be made', () => closeSync(openSync(file, 'wx', 0o600)));
}

/** A file system without modes is not a reason to stop: tokens are sealed in the file. */
function makePrivate(file: string): void {
  for (const each of [file, `${file}-wal`])
    try {
      chmodSync(each, 0o600);
    } catch {}
}

function attempt<T>(failed: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new MigrationError(
      `cannot be used, ${failed} (${code}): ${remedies[code] ?? 'set MONITOR_STATE to another file'}`,
    );
  }
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'give this user the right to, or set MONITOR_STATE to another file',
  EPERM: 'give this user the right to, or set MONITOR_STATE to another file',
  ENOSPC: 'make room on its disk',
  EDQUOT: 'make room on its disk',
};

/** Messages by SQLite's primary result codes. */
const reasons: Readonly<Record<number, string>> = {
  5: 'is in use, most likely by another monitor: stop that one, or set MONITOR_STATE to another file',
  11: damaged,
  13: 'cannot be written, its disk is full: make room there',
  26: 'is not an SQLite database: set MONITOR_STATE to another file, or move it away to begin anew',
};

function explained(error: unknown, file: string): unknown {
  if (error instanceof MigrationError)
    return new StateOpenError(`the state file ${file} ${error.message}`);
  const fault = sqliteFault(error);
  if (fault === undefined) return error;
  const why =
    reasons[fault.code] ?? `cannot be opened (${fault.text}): set MONITOR_STATE to another file`;
  return new StateOpenError(`the state file ${file} ${why}`);
}
