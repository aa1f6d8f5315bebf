import { type Outcome, publishedOutcome } from '../../contract/round/outcome.ts';
import { added, beginningOf, oneRun, type RunTally, retention, type Span } from './tally.ts';

/** A row of its kind: JSON; undefined for a removed row. */
interface Entry {
  readonly target: string;
  readonly kind: string;
  readonly key: string;
  readonly value: string | undefined;
}

/** Something that happened, as JSON. */
interface EventRow {
  readonly target: string;
  readonly at: number;
  readonly event: string;
}

interface TallyRow {
  readonly target: string;
  readonly span: Span;
  readonly tally: RunTally;
}

/** More events than a monitor records in days without a disk. */
const mostEvents = 10_000;

/**
 * The changes that are not in the file yet. Only the latest version of each row is kept, so the buffer stays small
 * when writing is impossible.
 */
export class Pending {
  /** The file's rows of these targets are deleted before anything is written. */
  readonly forgotten = new Set<string>();
  readonly entries = new Map<string, Entry>();
  readonly tallies = new Map<string, TallyRow>();
  events: EventRow[] = [];
  /** How many events were dropped because there were too many. */
  lost = 0;

  isEmpty(): boolean {
    const rows = this.forgotten.size + this.entries.size + this.tallies.size;
    return rows + this.events.length === 0;
  }

  put(entry: Entry): void {
    this.entries.set(nameOf(entry.target, entry.kind, entry.key), entry);
  }

  record(row: EventRow): void {
    this.events.push(row);
    if (this.events.length <= mostEvents) return;
    this.events.shift();
    this.lost += 1;
  }

  /** Adds a run to its hour and its day. */
  count(target: string, at: number, outcome: Outcome): void {
    for (const span of ['hour', 'day'] as const) {
      const from = beginningOf(span, at);
      const name = nameOf(target, span, String(from));
      const known = this.tallies.get(name)?.tally;
      const tally = added(known, oneRun(from, publishedOutcome(outcome)));
      this.tallies.set(name, { target, span, tally });
    }
  }

  forget(target: string): void {
    this.forgotten.add(target);
    this.events = this.events.filter((row) => row.target !== target);
    for (const rows of [this.entries, this.tallies])
      for (const [name, row] of rows) if (row.target === target) rows.delete(name);
  }

  tidy(now: number): void {
    this.events = this.events.filter(({ at }) => at >= now - retention.events);
    for (const [name, { span, tally }] of this.tallies)
      if (tally.from < now - retention[span]) this.tallies.delete(name);
  }

  clear(): void {
    for (const rows of [this.forgotten, this.entries, this.tallies]) rows.clear();
    this.events = [];
    this.lost = 0;
  }
}

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);
