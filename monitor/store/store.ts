import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { parsedJson } from '../../contract/json-value.ts';
import { diskFull, openDatabase, sqliteFault } from './opening.ts';

/** What the file holds of a target: parsed JSON, which another version may have written. */
export interface Saved {
  readonly status: unknown;
  readonly canaries: ReadonlyMap<string, unknown>;
}

/** Hears when writing begins to fail, and when it succeeds again. */
interface StateLog {
  info(text: string, fields: object): void;
  error(text: string, fields: object): void;
}

/** Opens the state file, or keeps the state in memory only (`:memory:`). @throws StateOpenError */
export const openStore = (file: string, log?: StateLog): Store =>
  new Store(openDatabase(file), log);

/** A row for each target and each canary. What cannot be written, as on a full disk, is written after the next round. */
export class Store {
  readonly #db: DatabaseSync;
  readonly #log: StateLog | undefined;
  /** Why the last write failed: one line without any value; undefined after a successful one. */
  #problem: string | undefined;
  #failures = 0;

  constructor(db: DatabaseSync, log?: StateLog) {
    this.#db = db;
    this.#log = log;
  }

  load(target: string): Saved {
    const read = (columns: string, table: string) =>
      this.#db.prepare(`select ${columns} from ${table} where target = ?`).all(target);
    const [row] = read('status', 'targets');
    const canaries = read('id, canary', 'canaries').map(
      ({ id, canary }) => [`${id}`, parsedJson(`${canary}`)] as const,
    );
    return { status: parsedJson(`${row?.status ?? ''}`), canaries: new Map(canaries) };
  }

  /** Writes a target. @param at milliseconds since 1970 */
  save(target: string, status: object, at: number): void {
    const json = JSON.stringify(status);
    this.#write('insert or replace into targets values (?, ?, ?)', target, at, json);
  }

  /** Writes a canary, or removes it. The caller seals its token. */
  saveCanary(target: string, id: string, row: object | undefined): void {
    if (row === undefined)
      this.#write('delete from canaries where target = ? and id = ?', target, id);
    else
      this.#write(
        'insert or replace into canaries values (?, ?, ?)',
        target,
        id,
        JSON.stringify(row),
      );
  }

  /** Removes the targets that were not saved since then, except these. @param before milliseconds since 1970 */
  forget(before: number, except: ReadonlySet<string>): void {
    const kept = JSON.stringify([...except]);
    const isOld = 'target not in (select value from json_each(?))';
    this.#write(`delete from targets where saved < ? and ${isOld}`, before, kept);
    const isLeft = 'target not in (select target from targets)';
    this.#write(`delete from canaries where ${isLeft} and ${isOld}`, kept);
  }

  /** Whether the last write succeeded, and how often one failed. */
  health() {
    return { isStateWritable: this.#problem === undefined, failedWrites: this.#failures };
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #write(sql: string, ...values: SQLInputValue[]): void {
    try {
      this.#db.prepare(sql).run(...values);
      this.#note(undefined);
    } catch (error) {
      this.#failures += 1;
      this.#note(`the state file cannot be written: ${reasonOf(error)}`);
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
