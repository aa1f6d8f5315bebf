import { DatabaseSync } from 'node:sqlite';
import type { Time } from '../schedule/time.ts';
import { migrations } from '../state/migrations.ts';
import { StateOpenError } from '../state/opening.ts';
import { Pending } from '../state/pending.ts';
import { type StateStore, stateIn } from '../state/state.ts';
import { type Tables, tablesOf } from '../state/tables.ts';
import { type Batch, DatabaseGone, type FleetDatabase, type TargetRows } from './database.ts';
import { Outbox } from './outbox.ts';

/** What the other members, and the next holder, need to know about a target that is watched here. */
export interface Snapshots {
  /** The exported metrics, as JSON; undefined while they did not change. */
  figures(target: string): string | undefined;
  /** What every member's page shows about the target, as JSON. */
  summary(target: string): string | undefined;
  /** Called when these metrics are written: from now on no scrape returns lower values. */
  onFigures(target: string, figures: string): void;
  /** Called when another member has taken the target. */
  onTaken(target: string): void;
}

/** The name of a target's metrics among its entries. */
export const figuresEntry = { kind: 'figures', key: 'all' } as const;

/** A stopping monitor retries a failed write after this time. */
const againMs = 200;

/** The most targets in one statement: the rows of each take some kilobytes. */
const mostBatches = 500;

/**
 * The state of the targets that this member holds. It reads from a copy that exists as long as the lease: a
 * temporary SQLite database, in memory or, when it is large, in an unnamed file. Changes go to the copy at once,
 * and to the database in batches.
 */
export class FleetState {
  readonly store: StateStore;
  readonly #database: FleetDatabase;
  readonly #snapshots: Snapshots;
  readonly #tables: Tables;
  readonly #copy: StateStore;
  readonly #outboxes = new Map<string, Outbox>();
  #sending: Promise<void> | undefined;
  #problem: string | undefined;
  #failures = 0;

  constructor(database: FleetDatabase, snapshots: Snapshots) {
    this.#database = database;
    this.#snapshots = snapshots;
    const db = new DatabaseSync('');
    db.exec(migrations.join(';'));
    this.#tables = tablesOf(db);
    this.#copy = stateIn(db);
    this.store = this.#storeOf(this.#copy);
  }

  /** From now on this member writes the target's changes. @param rows everything stored about the target */
  adopt(target: string, fence: number, { entries, events, tallies }: TargetRows): void {
    this.drop(target);
    const loaded = new Pending();
    for (const entry of entries) loaded.put({ target, ...entry });
    for (const event of events) loaded.record({ target, ...event });
    for (const tally of tallies) loaded.count({ target, ...tally });
    this.#tables.write(loaded);
    this.#outboxes.set(target, new Outbox({ target, fence }));
    const figures = entries.find(({ kind }) => kind === figuresEntry.kind)?.value;
    if (figures !== undefined) this.#snapshots.onFigures(target, figures);
  }

  /** Called when another member holds the target. Unwritten changes are lost. */
  drop(target: string): void {
    this.#outboxes.delete(target);
    this.#copy.forget(target);
    this.#copy.flush();
  }

  /** Whether the database has all changes of a target. */
  isWritten(target: string): boolean {
    return this.#outboxes.get(target)?.isEmpty() ?? true;
  }

  /** Whether the database has a row of a target as it is here. */
  isStored(target: string, kind: string, key: string): boolean {
    return !this.#outboxes.get(target)?.has({ kind, key });
  }

  /** Writes pending changes. @returns whether none is left */
  async settle(): Promise<boolean> {
    await this.#sending;
    this.#flush();
    await this.#sending;
    return [...this.#outboxes.values()].every((one) => one.isEmpty());
  }

  /** Writes pending changes until none is left. @returns false after that time, even without an answer */
  async settleWithin(ms: number, { after }: Pick<Time, 'after'>): Promise<boolean> {
    let isLate = false;
    const pause = (forMs: number) => new Promise<void>((resolve) => void after(forMs, resolve));
    const limit = pause(ms).then(() => {
      isLate = true;
    });
    let written = false;
    while (!written && !isLate) {
      written = await Promise.race([this.settle(), limit.then(() => false)]);
      if (!written && !isLate) await pause(againMs);
    }
    return written;
  }

  #storeOf(copy: StateStore): StateStore {
    const waiting = (target: string): Pending | undefined => this.#outboxes.get(target)?.waiting;
    return {
      ...copy,
      put(target, kind, key, value) {
        copy.put(target, kind, key, value);
        waiting(target)?.put({ target, kind, key, value: JSON.stringify(value) });
      },
      remove(target, kind, key) {
        copy.remove(target, kind, key);
        waiting(target)?.put({ target, kind, key, value: undefined });
      },
      record(target, at, event) {
        copy.record(target, at, event);
        waiting(target)?.record({ target, at, event: JSON.stringify(event) });
      },
      count(target, at, outcome) {
        copy.count(target, at, outcome);
        waiting(target)?.countRun(target, at, outcome);
      },
      // Rows of other members' targets are not deleted here, but by the database's `tidy`.
      targets: () => [],
      flush: () => this.#flush(),
      tidy: (now) => {
        copy.tidy(now);
        this.#database.tidy(now).catch(() => undefined);
        return this.#flush();
      },
      problem: () => this.#problem ?? copy.problem(),
      failures: () => this.#failures + copy.failures(),
    };
  }

  #flush(): boolean {
    this.#copy.flush();
    for (const [target, outbox] of this.#outboxes) this.#snapshot(target, outbox);
    const batches = [...this.#outboxes.values()].flatMap((one) => one.next() ?? []);
    if (batches.length > 0) this.#sending ??= this.#send(batches);
    // Other members may have taken the targets whose changes could not be written.
    else this.#problem = undefined;
    return batches.length === 0;
  }

  #snapshot(target: string, outbox: Outbox): void {
    const figures = this.#snapshots.figures(target);
    if (figures !== undefined) {
      outbox.waiting.put({ target, ...figuresEntry, value: figures });
      // The counters continue from these if the target is watched again under the same lease.
      this.#copy.put(target, figuresEntry.kind, figuresEntry.key, JSON.parse(figures));
    }
    if (outbox.waiting.isEmpty()) return;
    const summary = this.#snapshots.summary(target);
    if (summary !== undefined) outbox.summarise(summary);
  }

  async #send(batches: readonly Batch[]): Promise<void> {
    try {
      for (let from = 0; from < batches.length; from += mostBatches) {
        const some = batches.slice(from, from + mostBatches);
        this.#written(some, new Set(await this.#database.write(some)));
      }
      this.#problem = undefined;
    } catch (error) {
      this.#failures += 1;
      this.#problem = `${problemOf('written', error)}${this.#lost()}`;
    } finally {
      this.#sending = undefined;
    }
  }

  #lost(): string {
    const lost = [...this.#outboxes.values()].reduce((sum, one) => sum + one.lost(), 0);
    return lost === 0 ? '' : ` (${lost} events that had to wait are lost)`;
  }

  #written(batches: readonly Batch[], taken: ReadonlySet<string>): void {
    for (const { target, fence, entries } of batches) {
      const outbox = this.#outboxes.get(target);
      if (outbox?.fence !== fence) continue;
      if (taken.has(target)) {
        this.drop(target);
        this.#snapshots.onTaken(target);
        continue;
      }
      outbox.written();
      const figures = entries.find(({ kind }) => kind === figuresEntry.kind)?.value;
      if (figures !== undefined) this.#snapshots.onFigures(target, figures);
    }
  }
}

/** Describes why the database does not work now: one line without any value. */
export function problemOf(what: 'read' | 'used' | 'written', error: unknown): string {
  if (error instanceof StateOpenError) return error.message;
  const reason = error instanceof DatabaseGone ? error.message : 'defect of the monitor';
  return `the database cannot be ${what}: ${reason}`;
}
