import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Ending } from '../../contract/round/attempt.ts';
import { openDatabase } from './opening.ts';
import { Pending } from './pending.ts';
import { StateReader } from './reading.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { type Tables, tablesOf } from './tables.ts';
import type { RunTally } from './tally.ts';

/** What is kept of a target. */
export const kinds = [
  'slot',
  'run',
  'verdict',
  'fact',
  'canary',
  'sight',
  'fingerprints',
  'failure',
  'standing',
  'figures',
  'meta',
] as const;

type Kind = (typeof kinds)[number];

/** What `JSON.stringify` writes and `JSON.parse` gives back. Secrets are sealed by the caller. */
type Storable = object | string | number | boolean | null;

/**
 * What the monitor remembers from one start to the next. Everything is buffered until it is flushed, and reading sees
 * what is buffered. Instants are milliseconds since 1970.
 */
export interface StateStore {
  /**
   * All that is kept of a kind, by key: parsed JSON, to be checked by the reader. A row that is no JSON is left
   * out.
   * @throws StateOpenError when the disk fails
   */
  entries(target: string, kind: Kind): ReadonlyMap<string, unknown>;
  /** The last one wins. */
  put(target: string, kind: Kind, key: string, value: Storable): void;
  remove(target: string, kind: Kind, key: string): void;
  /** Adds to what has happened to a target. */
  record(target: string, at: number, event: Storable): void;
  /** What has happened in the last 30 days, the latest first. */
  events(
    target: string,
    bounds: { readonly limit: number },
  ): { readonly at: number; readonly event: unknown }[];
  /** Counts a run to its hour and its day. */
  count(target: string, at: number, ending: Ending): void;
  /** The hours that began at `since` or later, oldest first, of the last 30 days; those without a run are left out. */
  hours(target: string, since: number): RunTally[];
  /** The same of days (UTC), of the last 366. */
  days(target: string, since: number): RunTally[];
  /** Every target that there are entries of, in no order. @throws StateOpenError when the disk fails */
  targets(): string[];
  /** Takes away all that is kept of a target. */
  forget(target: string): void;
  /**
   * Writes what is buffered, all of it or nothing. It never throws: what could not be written stays and is tried
   * again.
   * @returns whether nothing waits any more
   */
  flush(): boolean;
  /** Flushes, and takes away what is too old to be kept. @returns whether that was done */
  tidy(now: number): boolean;
  /** Why the file was last not to be written, or read: one line without any value. Undefined once it was written. */
  problem(): string | undefined;
  /** How often the file was not to be written, or read. */
  failures(): number;
  /** How many rows were found that are no JSON. */
  damaged(): number;
  /** Flushes, and lets the file go. @returns whether everything was written */
  close(): boolean;
}

/**
 * Opens the state file, or keeps the state in memory only (`:memory:`).
 * @throws StateOpenError with one line that says what to do
 */
export function openStateStore(file: string): StateStore {
  return stateIn(openDatabase(file), isStill(file));
}

/** What is written into a file that was removed, or that another took the place of, is gone at the next start. */
function isStill(file: string): () => boolean {
  const inode = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;
  const opened = inode();
  return () => inode() === opened;
}

/** @param inPlace whether the file that was opened is still the one that the next start finds */
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
    days: (target, since) => reader.days(target, since),
    targets: () => reader.targets(),
    damaged: () => reader.damaged(),
    put: (target, kind, key, value) =>
      pending.put({ target, kind, key, value: JSON.stringify(value) }),
    remove: (target, kind, key) => pending.put({ target, kind, key, value: undefined }),
    record: (target, at, event) => pending.record({ target, at, event: JSON.stringify(event) }),
    count: (target, at, ending) => pending.countRun(target, at, ending),
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

/** Writes what is pending, and remembers what prevents it. */
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
    const lost = this.#pending.lost();
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

/** In SQLite's words, or a system call's code: no other text is sure to hold no value. */
function reasonOf(error: unknown): string {
  const fault = sqliteFault(error);
  if (fault?.code === diskFull) return `${fault.text}: make room there`;
  if (fault !== undefined) return fault.text;
  return error instanceof Error && 'code' in error ? String(error.code) : 'defect of the monitor';
}

const diskFull = 13;
