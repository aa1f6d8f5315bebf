import { type Outcome, publishedOutcome } from '../../contract/round/outcome.ts';
import { added, beginningOf, type HourTally, keptHoursMs, oneRun } from './tally.ts';

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

interface HourRow {
  readonly target: string;
  readonly tally: HourTally;
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
  readonly hours = new Map<string, HourRow>();
  events: EventRow[] = [];
  /** How many events were dropped because there were too many. */
  lost = 0;

  isEmpty(): boolean {
    const rows = this.forgotten.size + this.entries.size + this.hours.size;
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

  /** Adds a run to its hour. */
  count(target: string, at: number, outcome: Outcome): void {
    const from = beginningOf(at);
    const name = nameOf(target, String(from));
    const known = this.hours.get(name)?.tally;
    const tally = added(known, oneRun(from, publishedOutcome(outcome)));
    this.hours.set(name, { target, tally });
  }

  forget(target: string): void {
    this.forgotten.add(target);
    this.events = this.events.filter((row) => row.target !== target);
    for (const rows of [this.entries, this.hours])
      for (const [name, row] of rows) if (row.target === target) rows.delete(name);
  }

  tidy(now: number): void {
    for (const [name, { tally }] of this.hours)
      if (tally.from < now - keptHoursMs) this.hours.delete(name);
  }

  clear(): void {
    for (const rows of [this.forgotten, this.entries, this.hours]) rows.clear();
    this.events = [];
    this.lost = 0;
  }
}

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);
