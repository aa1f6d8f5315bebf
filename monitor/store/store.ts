import type { DatabaseSync } from 'node:sqlite';
import { parsedJson } from '../../contract/json-value.ts';
import { openDatabase, StateOpenError, sqliteFault } from './opening.ts';

/** What the file holds of a target: parsed JSON, which another version may have written. */
export interface Saved {
  readonly status: unknown;
  /** By their ids. */
  readonly canaries: ReadonlyMap<string, unknown>;
}

/** Hears when writing begins to fail, and when it succeeds again. */
interface StateLog {
  info(text: string, fields: object): void;
  error(text: string, fields: object): void;
}

/**
 * Opens the state file, or keeps the state in memory only (`:memory:`).
 * @throws StateOpenError with one line that says what to do
 */
export const openStore = (file: string, log?: StateLog): Store =>
  new Store(openDatabase(file), log);

/**
 * The monitor's state, which survives restarts: a row for each target and each canary. A write that fails, such as on
 * a full disk, waits for the next one.
 */
export class Store {
  readonly #db: DatabaseSync;
  readonly #log: StateLog | undefined;
  /** By the row that it is about: only the latest version of each row waits. */
  readonly #waiting = new Map<string, () => void>();
  /** Why the last write failed: one line without any value; undefined after a successful one. */
  #problem: string | undefined;
  #failures = 0;

  constructor(db: DatabaseSync, log?: StateLog) {
    this.#db = db;
    this.#log = log;
  }

  /** @throws StateOpenError if the disk fails: if an unreadable file counted as empty, its content would be lost */
  load(target: string): Saved {
    const read = (columns: string, table: string) =>
      this.#db.prepare(`select ${columns} from ${table} where target = ?`).all(target);
    try {
      const [row] = read('status', 'targets');
      const canaries = read('id, canary', 'canaries').map(
        ({ id, canary }) => [`${id}`, parsedJson(`${canary}`)] as const,
      );
      return { status: parsedJson(`${row?.status ?? ''}`), canaries: new Map(canaries) };
    } catch (error) {
      const fault = sqliteFault(error);
      if (fault === undefined) throw error;
      throw new StateOpenError(
        `the state file cannot be read (${fault.text}): move it away together with its -wal file, then begin anew or bring back a copy`,
      );
    }
  }

  /** Writes a target, and everything that waits. @param at milliseconds since 1970 */
  save(target: string, status: object, at: number): void {
    const values = [target, at, JSON.stringify(status)];
    this.#write(JSON.stringify([target]), () =>
      this.#db.prepare('insert or replace into targets values (?, ?, ?)').run(...values),
    );
  }

  /** Writes a canary, or removes it. The caller seals its token. */
  saveCanary(target: string, id: string, row: object | undefined): void {
    const json = row && JSON.stringify(row);
    this.#write(JSON.stringify([target, id]), () =>
      json === undefined
        ? this.#db.prepare('delete from canaries where target = ? and id = ?').run(target, id)
        : this.#db
            .prepare('insert or replace into canaries values (?, ?, ?)')
            .run(target, id, json),
    );
  }

  /** Removes the targets that were not saved since then, except these. @param before milliseconds since 1970 */
  forget(before: number, except: ReadonlySet<string>): void {
    this.#write('forget', () => {
      const old = this.#db.prepare('select target from targets where saved < ?').all(before);
      for (const { target } of old)
        if (!except.has(`${target}`))
          for (const table of ['targets', 'canaries'])
            this.#db.prepare(`delete from ${table} where target = ?`).run(`${target}`);
    });
  }

  /** Whether the last write succeeded, and how often one failed. */
  health() {
    return { isStateWritable: this.#problem === undefined, failedWrites: this.#failures };
  }

  /** Writes what waits, and closes the file. */
  close(): void {
    if (this.#waiting.size > 0) this.#writeAll();
    if (this.#db.isOpen) this.#db.close();
  }

  #write(row: string, statement: () => unknown): void {
    this.#waiting.set(row, statement);
    this.#writeAll();
  }

  /** Writes everything that waits, or nothing. */
  #writeAll(): void {
    try {
      this.#db.exec('begin immediate');
      for (const statement of this.#waiting.values()) statement();
      this.#db.exec('commit');
      this.#waiting.clear();
      this.#note(undefined);
    } catch (error) {
      this.#failures += 1;
      this.#note(`the state file cannot be written: ${reasonOf(error)}`);
    } finally {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('rollback');
    }
  }

  #note(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    const event = 'state';
    if (problem === undefined) this.#log?.info('the state is writable again', { event });
    else this.#log?.error(problem, { event, problem });
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
