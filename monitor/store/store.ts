import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { parsedJson } from '../../contract/json-value.ts';
import { openDatabase, StateOpenError } from './opening.ts';
import { sqliteFault } from './sqlite-fault.ts';

/** What `JSON.stringify` writes. The caller seals secrets. */
type Row = object;

/** What the file holds of a target: parsed JSON, which another version may have written. */
export interface Saved {
  readonly status: unknown;
  /** The fingerprints of its latest tokens. */
  readonly sights: unknown;
  /** By their ids. */
  readonly canaries: ReadonlyMap<string, unknown>;
}

/**
 * The monitor's state, which survives restarts: a row for each target and each canary. A write that fails, such as on
 * a full disk, waits for the next one.
 */
export interface Store {
  /** @throws StateOpenError if the disk fails: if an unreadable file counted as empty, its content would be lost */
  load(target: string): Saved;
  /** Writes a target, and everything that waits. @param at milliseconds since 1970 */
  save(target: string, row: { readonly status: Row; readonly sights: Row }, at: number): void;
  /** Writes a canary, or removes it. */
  saveCanary(target: string, id: string, row: Row | undefined): void;
  /** Removes the targets that were not saved since then, except these. @param before milliseconds since 1970 */
  forget(before: number, except: ReadonlySet<string>): void;
  /** Why the last write failed: one line without any value; undefined after a successful one. */
  problem(): string | undefined;
  /** How often a write failed. */
  failures(): number;
  /** Writes what waits, and closes the file. @returns whether everything was written */
  close(): boolean;
}

/**
 * Opens the state file, or keeps the state in memory only (`:memory:`).
 * @throws StateOpenError with one line that says what to do
 */
export function openStore(file: string, onProblem?: OnProblem): Store {
  return new FileStore(openDatabase(file), { onProblem, inPlace: isStill(file) });
}

/** Called when writing begins to fail, and with undefined when it succeeds again. @param problem one line */
type OnProblem = (problem: string | undefined) => void;

/** Checks the path, because if the file was removed or replaced, new writes are lost at the next start. */
function isStill(file: string): () => boolean {
  const inode = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;
  const opened = inode();
  return () => inode() === opened;
}

interface FileStoreOptions {
  readonly onProblem?: OnProblem;
  /** Whether the opened file is still the one at its path. */
  readonly inPlace?: () => boolean;
}

export class FileStore implements Store {
  readonly #db: DatabaseSync;
  readonly #options: FileStoreOptions;
  /** By the row that it is about: only the latest version of each row waits. */
  readonly #waiting = new Map<string, () => void>();
  #problem: string | undefined;
  #failures = 0;

  constructor(db: DatabaseSync, options: FileStoreOptions = {}) {
    this.#db = db;
    this.#options = options;
  }

  load(target: string): Saved {
    try {
      const row = this.#db
        .prepare('select status, sights from targets where target = ?')
        .get(target);
      const canaries = this.#db
        .prepare('select id, canary from canaries where target = ?')
        .all(target)
        .map(({ id, canary }) => [`${id}`, parsedJson(`${canary}`)] as const);
      return {
        status: parsedJson(`${row?.status ?? ''}`),
        sights: parsedJson(`${row?.sights ?? ''}`),
        canaries: new Map(canaries),
      };
    } catch (error) {
      const fault = sqliteFault(error);
      if (fault === undefined) throw error;
      throw new StateOpenError(
        `the state file cannot be read (${fault.text}): move it away together with its -wal file, then begin anew or bring back a copy`,
      );
    }
  }

  save(target: string, { status, sights }: { status: Row; sights: Row }, at: number): void {
    const values = [target, at, JSON.stringify(status), JSON.stringify(sights)];
    this.#write(JSON.stringify([target]), () =>
      this.#db.prepare('insert or replace into targets values (?, ?, ?, ?)').run(...values),
    );
  }

  saveCanary(target: string, id: string, row: Row | undefined): void {
    const json = row && JSON.stringify(row);
    this.#write(JSON.stringify([target, id]), () =>
      json === undefined
        ? this.#db.prepare('delete from canaries where target = ? and id = ?').run(target, id)
        : this.#db
            .prepare('insert or replace into canaries values (?, ?, ?)')
            .run(target, id, json),
    );
  }

  forget(before: number, except: ReadonlySet<string>): void {
    this.#write('forget', () => {
      const old = this.#db.prepare('select target from targets where saved < ?').all(before);
      for (const { target } of old)
        if (!except.has(`${target}`))
          for (const table of ['targets', 'canaries'])
            this.#db.prepare(`delete from ${table} where target = ?`).run(`${target}`);
    });
  }

  problem(): string | undefined {
    return this.#problem;
  }

  failures(): number {
    return this.#failures;
  }

  close(): boolean {
    if (this.#waiting.size > 0) this.#writeAll();
    if (this.#db.isOpen) this.#db.close();
    return this.#waiting.size === 0;
  }

  #write(row: string, statement: () => unknown): void {
    this.#waiting.set(row, statement);
    this.#writeAll();
  }

  /** Writes everything that waits, or nothing. */
  #writeAll(): void {
    try {
      if (this.#options.inPlace?.() === false) {
        this.#fail('the state file was removed or replaced: start the monitor again');
        return;
      }
      this.#inTransaction(() => {
        for (const statement of this.#waiting.values()) statement();
      });
      this.#waiting.clear();
      this.#note(undefined);
    } catch (error) {
      this.#fail(`the state file cannot be written: ${reasonOf(error)}`);
    }
  }

  #fail(why: string): void {
    this.#failures += 1;
    this.#note(why);
  }

  #note(problem: string | undefined): void {
    const before = this.#problem;
    this.#problem = problem;
    if (problem !== before) this.#options.onProblem?.(problem);
  }

  /** If an earlier failure left a transaction open, it is rolled back first. */
  #inTransaction(work: () => void): void {
    const undo = (): void => {
      if (this.#db.isTransaction) this.#db.exec('rollback');
    };
    undo();
    this.#db.exec('begin immediate');
    try {
      work();
      this.#db.exec('commit');
    } catch (error) {
      undo();
      throw error;
    }
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
