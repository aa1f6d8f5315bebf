import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { parsedJson } from '../../contract/json-value.ts';
import type { Log } from '../log.ts';
import { describeOpenError } from './opening.ts';

/** What the file holds of a target: parsed JSON, which another version may have written. */
export interface Saved {
  readonly status: unknown;
  readonly canaries: ReadonlyMap<string, unknown>;
}

/** A row for each target and each canary. What cannot be written, as on a full disk, is written after the next round. */
export class Store {
  readonly #db: DatabaseSync;
  readonly #log: Pick<Log, 'info' | 'error'> | undefined;
  /** Why the last write failed: one line without any value; undefined after a successful one. */
  #problem: string | undefined;
  #failures = 0;

  /** @param log hears when writing begins to fail, and when it succeeds again */
  constructor(db: DatabaseSync, log?: Pick<Log, 'info' | 'error'>) {
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
    const json = row && JSON.stringify(row);
    if (json === undefined)
      this.#write('delete from canaries where target = ? and id = ?', target, id);
    else this.#write('insert or replace into canaries values (?, ?, ?)', target, id, json);
  }

  /** Removes the targets that were not saved since then, except these. @param before milliseconds since 1970 */
  forget(before: number, except: ReadonlySet<string>): void {
    const keptNames = JSON.stringify([...except]);
    const isOld = 'target not in (select value from json_each(?))';
    this.#write(`delete from targets where saved < ? and ${isOld}`, before, keptNames);
    const isLeft = 'target not in (select target from targets)';
    this.#write(`delete from canaries where ${isLeft} and ${isOld}`, keptNames);
  }

  /** Whether the last write succeeded, and how often one failed. */
  health() {
    return { isStateWritable: this.#problem === undefined, failedWrites: this.#failures };
  }

  close(): void {
    this.#db.close();
  }

  #write(sql: string, ...values: SQLInputValue[]): void {
    try {
      this.#db.prepare(sql).run(...values);
      this.#note(undefined);
    } catch (error) {
      this.#failures += 1;
      this.#note(
        `the state file ${describeOpenError(error) ?? 'cannot be written: defect of the monitor'}`,
      );
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
