import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '../user-error.ts';
import { minutes, seconds } from './clock.ts';

export interface ClockLockOptions {
  /** Ends the wait, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, with one line, if another run has the clock. */
  readonly onWait: (line: string) => void;
  readonly mostWaitMs?: number;
}

/** SQLite's code for a database that another process has locked. */
const busy = 5;

/**
 * Waits until no other run of this user on this machine moves a provider's clock. Otherwise each run would report the
 * clock jumps of the other as faults of the provider. SQLite holds the lock, so the system releases it however the
 * process ends.
 * @param name of the clock
 * @returns a function that releases the lock
 * @throws UserError when the other run does not end
 */
export async function lockClock(
  name: string,
  { signal, onWait, mostWaitMs = minutes(10) }: ClockLockOptions,
): Promise<() => void> {
  const file = lockFile(name);
  const until = performance.now() + mostWaitMs;
  for (let waiting = false; ; waiting = true) {
    const unlock = tryLock(file);
    if (unlock !== undefined) return unlock;
    if (!waiting) onWait(`another run moves the ${name}: waiting for its end`);
    if (performance.now() > until)
      throw new UserError(
        `${name}: another run has moved it for ${mostWaitMs / seconds(1)} s: end that one, or wait for it`,
      );
    await pause(100, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** A file for each clock and user id. In a container the user may have no name, which os.userInfo() needs. */
function lockFile(name: string): string {
  const user = process.getuid?.() ?? -1;
  const key = createHash('sha256').update(`${user} ${name}`).digest('hex');
  return path.join(os.tmpdir(), `public-api-clock-${key.slice(0, 16)}.lock`);
}

/** @returns the function that releases the lock; undefined while another run has it */
function tryLock(file: string): (() => void) | undefined {
  const database = opened(file);
  // If the file cannot be opened, runs continue without a lock, as they would on two machines.
  if (database === undefined) return () => {};
  const inode = inodeOf(file);
  if (!locks(database) || inode === undefined || inodeOf(file) !== inode) {
    // Another run has it, or has just removed it.
    database.close();
    return undefined;
  }
  const unlock = (): void => {
    process.off('exit', unlock);
    rmSync(file, { force: true });
    database.close();
  };
  process.once('exit', unlock);
  return unlock;
}

function opened(file: string): DatabaseSync | undefined {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch {
    return undefined;
  }
}

const inodeOf = (file: string): number | undefined =>
  statSync(file, { throwIfNoEntry: false })?.ino;

function locks(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return false;
    throw error;
  }
}
