import { type Entry, Pending } from '../state/pending.ts';
import type { Batch, Lease } from './database.ts';

/**
 * The changes of one target that the database does not have yet. Once a batch is sent, it is not changed. It is
 * sent again until it is known to be written, because a lost connection leaves that unknown.
 */
export class Outbox {
  readonly #lease: Lease;
  /** The rows of the next batch. */
  waiting = new Pending();
  #sent: Batch | undefined;
  #number = 0;
  #summary: string | undefined;
  #lost = 0;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  get fence(): number {
    return this.#lease.fence;
  }

  /** Events that were dropped because there were too many. */
  lost(): number {
    return this.#lost + this.waiting.lost;
  }

  isEmpty(): boolean {
    return this.#sent === undefined && this.waiting.isEmpty();
  }

  /** Whether a row waits. */
  has(row: Pick<Entry, 'kind' | 'key'>): boolean {
    const rows = [...this.waiting.entries.values(), ...(this.#sent?.entries ?? [])];
    return rows.some(({ kind, key }) => kind === row.kind && key === row.key);
  }

  summarise(summary: string): void {
    this.#summary = summary;
  }

  /** The batch to send now: the previous one until it is written. */
  next(): Batch | undefined {
    if (this.#sent !== undefined || this.waiting.isEmpty()) return this.#sent;
    const rows = this.waiting;
    this.#lost += rows.lost;
    this.waiting = new Pending();
    this.#number += 1;
    this.#sent = {
      ...this.#lease,
      number: this.#number,
      summary: this.#summary,
      entries: [...rows.entries.values()].map(({ kind, key, value }) => ({ kind, key, value })),
      events: rows.events.map(({ at, event }) => ({ at, event })),
      tallies: [...rows.tallies.values()].map(({ span, tally }) => ({ span, tally })),
    };
    return this.#sent;
  }

  /** The database has the batch that was sent. */
  written(): void {
    this.#sent = undefined;
  }
}
