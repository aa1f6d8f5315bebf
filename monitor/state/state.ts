import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../../contract/round/outcome.ts';
import { openDatabase } from './opening.ts';
import { Pending } from './pending.ts';
import { StateReader } from './reading.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { type Tables, tablesOf } from './tables.ts';
import type { HourTally } from './tally.ts';

/** The stored kinds of rows of a target. */
export const kinds = [
  'slot',
  'run',
  'verdict',
  'fact',
  'canary',
  'sight',
  'failure',
  'standing',
  'latency',
  'meta',
] as const;

/** Used in place of a target's name for the state of the monitor itself. */
export const monitorItself = '';

type Kind = (typeof kinds)[number];

/** What `JSON.stringify` writes and `JSON.parse` returns. The caller seals secrets. */
type Storable = object | string | number | boolean | null;

/**
 * The monitor's state, which survives restarts. Writes are buffered until a flush, and reads include the buffer.
 * Instants are milliseconds since 1970.
 */
export interface StateStore {
  /**
   * All rows of a kind, by key: parsed JSON, which the reader must check. Rows that are not JSON are omitted.
   * @throws StateOpenError when the disk fails
   */
  entries(target: string, kind: Kind): ReadonlyMap<string, unknown>;
  /** A later value replaces an earlier one. */
  put(target: string, kind: Kind, key: string, value: Storable): void;
  remove(target: string, kind: Kind, key: string): void;
  /** Adds an event of a target. */
  record(target: string, at: number, event: Storable): void;
  /** The last events, those that were recorded last first. The last 200 are kept. */
  events(
    target: string,
    bounds: { readonly limit: number },
  ): { readonly at: number; readonly event: unknown }[];
  /** Adds a run to its hour. */
  count(target: string, at: number, outcome: Outcome): void;
  /** The hours (UTC) of the last 48 that began at `since` or later, oldest first; those without a run are omitted. */
  hours(target: string, since: number): HourTally[];
  /** Every target with entries, in any order. @throws StateOpenError when the disk fails */
  targets(): string[];
  /** Removes everything about a target. */
  forget(target: string): void;
  /**
   * Writes the buffer, completely or not at all. It never throws: rows that could not be written stay buffered
   * and are tried again.
   * @returns whether the buffer is empty
   */
  flush(): boolean;
  /** Flushes, and deletes outdated rows. @returns whether that was done */
  tidy(now: number): boolean;
  /**
   * Why the last write or read of the file failed: one line without any value. Undefined after a successful
   * write.
   */
  problem(): string | undefined;
  /** How often a write or read of the file failed. */
  failures(): number;
  /** Flushes, and closes the file. @returns whether everything was written */
  close(): boolean;
}

/**
 * Opens the state file, or keeps the state in memory only (`:memory:`).
 * @throws StateOpenError with one line that says what to do
 */
export function openStateStore(file: string): StateStore {
  return stateIn(openDatabase(file), isStill(file));
}

/** Checks the path, because if the file was removed or replaced, new writes are lost at the next start. */
function isStill(file: string): () => boolean {
  const inode = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;
  const opened = inode();
  return () => inode() === opened;
}

/** @param inPlace whether the opened file is still the one at its path */
export function stateIn(db: DatabaseSync, inPlace: () => boolean = () => true): StateStore {
  const tables = tablesOf(db);
  const pending = new Pending();
  const writer = new StateFileWriter(tables, pending, inPlace);
  const reader = new StateReader(tables, pending, (error) =>
    writer.fail(`the state file cannot be read: ${reasonOf(error)}`),
  );
  return {
    entries: (target, kind) => reader.entries(target, kind),
    events: (target, bounds) => reader.events(target, bounds),
    hours: (target, since) => reader.hours(target, since),
    targets: () => reader.targets(),
    put: (target, kind, key, value) =>
      pending.put({ target, kind, key, value: JSON.stringify(value) }),
    remove: (target, kind, key) => pending.put({ target, kind, key, value: undefined }),
    record: (target, at, event) => pending.record({ target, at, event: JSON.stringify(event) }),
    count: (target, at, outcome) => pending.count(target, at, outcome),
    forget: (target) => pending.forget(target),
    flush: () => writer.flush(),
    tidy: (now) => writer.tidy(now),
    problem: () => writer.problem,
    failures: () => writer.failures,
    close() {
      const written = writer.flush();
      if (db.isOpen) db.close();
      return written;
    },
  };
}

/** Writes what is pending, and remembers why that failed. */
class StateFileWriter {
  readonly #tables: Tables;
  readonly #pending: Pending;
  readonly #inPlace: () => boolean;
  problem: string | undefined;
  failures = 0;

  constructor(tables: Tables, pending: Pending, inPlace: () => boolean) {
    this.#tables = tables;
    this.#pending = pending;
    this.#inPlace = inPlace;
  }

  flush(): boolean {
    return this.#pending.isEmpty() || this.#attempt(() => this.#tables.write(this.#pending));
  }

  tidy(now: number): boolean {
    this.#pending.tidy(now);
    return this.#attempt(() => this.#tables.writeAndTidy(this.#pending, now));
  }

  fail(why: string): false {
    const lost = this.#pending.lost;
    this.failures += 1;
    this.problem = lost === 0 ? why : `${why} (${lost} events that had to wait are lost)`;
    return false;
  }

  #attempt(write: () => void): boolean {
    try {
      if (!this.#inPlace())
        return this.fail('the state file was removed or replaced: start the monitor again');
      write();
    } catch (error) {
      return this.fail(`the state file cannot be written: ${reasonOf(error)}`);
    }
    this.#pending.clear();
    this.problem = undefined;
    return true;
  }
}

/** SQLite's message, or the code of a system call: only these texts certainly contain no value. */
function reasonOf(error: unknown): string {
  const fault = sqliteFault(error);
  if (fault?.code === diskFull) return `${fault.text}: make room there`;
  if (fault !== undefined) return fault.text;
  return error instanceof Error && 'code' in error ? String(error.code) : 'defect of the monitor';
}

const diskFull = 13;
