import { added, type RunTally, retention, type Span } from './tally.ts';

/** A row of its kind: JSON, or undefined for one that is taken away. */
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

/**
 * What the file does not hold yet. Of each thing only the latest is kept, so that it stays small when nothing can be
 * written.
 */
export interface Pending {
  /** What is in the file of these goes before anything is written. */
  readonly forgotten: ReadonlySet<string>;
  entries(): Iterable<Entry>;
  events(): readonly EventRow[];
  tallies(): Iterable<TallyRow>;
  /** Events that were let go because there were too many. */
  lost(): number;
  isEmpty(): boolean;
  put(entry: Entry): void;
  record(row: EventRow): void;
  count(row: TallyRow): void;
  forget(target: string): void;
  /** Lets go what is too old to be kept. */
  tidy(now: number): void;
  clear(): void;
}

/** More than a monitor can learn in days without a disk. */
const mostEvents = 10_000;

/** Nothing pending. */
export function pending(): Pending {
  const forgotten = new Set<string>();
  const entries = new Map<string, Entry>();
  const tallies = new Map<string, TallyRow>();
  let events: EventRow[] = [];
  let lost = 0;

  return {
    forgotten,
    entries: () => entries.values(),
    events: () => events,
    tallies: () => tallies.values(),
    lost: () => lost,
    isEmpty: () => forgotten.size + entries.size + tallies.size + events.length === 0,
    put(entry) {
      entries.set(nameOf(entry.target, entry.kind, entry.key), entry);
    },
    record(row) {
      events.push(row);
      if (events.length <= mostEvents) return;
      events.shift();
      lost += 1;
    },
    count({ target, span, tally }) {
      const name = nameOf(target, span, String(tally.from));
      tallies.set(name, { target, span, tally: added(tallies.get(name)?.tally, tally) });
    },
    forget(target) {
      forgotten.add(target);
      events = events.filter((row) => row.target !== target);
      for (const rows of [entries, tallies])
        for (const [name, row] of rows) if (row.target === target) rows.delete(name);
    },
    tidy(now) {
      events = events.filter(({ at }) => at >= now - retention.events);
      for (const [name, { span, tally }] of tallies)
        if (tally.from < now - retention[span]) tallies.delete(name);
    },
    clear() {
      for (const rows of [forgotten, entries, tallies]) rows.clear();
      events = [];
      lost = 0;
    },
  };
}

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);
