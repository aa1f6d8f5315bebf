import { parsedJson } from '../../contract/json-value.ts';
import { StateOpenError } from './opening.ts';
import type { Pending } from './pending.ts';
import { sqliteFault } from './sqlite-fault.ts';
import type { Tables } from './tables.ts';
import { added, type HourTally } from './tally.ts';

/** Reads the file together with the pending changes. */
export class StateReader {
  readonly #tables: Tables;
  readonly #pending: Pending;
  readonly #failed: (error: unknown) => void;

  /** @param failed called when a page cannot be shown in full. Reads that a start depends on throw instead. */
  constructor(tables: Tables, pending: Pending, failed: (error: unknown) => void) {
    this.#tables = tables;
    this.#pending = pending;
    this.#failed = failed;
  }

  entries(target: string, kind: string): Map<string, unknown> {
    const rows = new Map<string, string | undefined>();
    const filed = orStop(() => this.#filed(target, () => this.#tables.entries(target, kind)));
    for (const { key, value } of filed) rows.set(key, value);
    for (const entry of this.#pending.entries.values())
      if (entry.target === target && entry.kind === kind) rows.set(entry.key, entry.value);
    const found = new Map<string, unknown>();
    for (const [key, json] of rows) {
      const value = json === undefined ? undefined : parsedJson(json);
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  events(
    target: string,
    { limit }: { readonly limit: number },
  ): { readonly at: number; readonly event: unknown }[] {
    const later = this.#pending.events.filter((row) => row.target === target);
    const rows = this.#orNone(() => this.#filed(target, () => this.#tables.events(target, limit)));
    return [...later.reverse(), ...rows]
      .slice(0, limit)
      .map(({ at, event }) => ({ at, event: parsedJson(event) }))
      .filter(({ event }) => event !== undefined);
  }

  hours(target: string, since: number): HourTally[] {
    const rows = this.#orNone(() => this.#filed(target, () => this.#tables.hours(target, since)));
    const found = new Map(rows.map((tally) => [tally.from, tally]));
    for (const { target: own, tally } of this.#pending.hours.values())
      if (own === target && tally.from >= since)
        found.set(tally.from, added(found.get(tally.from), tally));
    return [...found.values()].sort((one, other) => one.from - other.from);
  }

  targets(): string[] {
    const forgotten = this.#pending.forgotten;
    const filed = orStop(() => this.#tables.targets());
    const found = new Set(filed.filter((one) => !forgotten.has(one)));
    for (const { target, value } of this.#pending.entries.values())
      if (value !== undefined) found.add(target);
    return [...found];
  }

  /** Rows of a target whose removal is pending are ignored. */
  #filed<Row>(target: string, read: () => Row[]): Row[] {
    return this.#pending.forgotten.has(target) ? [] : read();
  }

  #orNone<Row>(read: () => Row[]): Row[] {
    try {
      return read();
    } catch (error) {
      this.#failed(error);
      return [];
    }
  }
}

/** @throws StateOpenError: if an unreadable file counted as empty, the monitor would lose its content */
function orStop<Row>(read: () => Row[]): Row[] {
  try {
    return read();
  } catch (error) {
    const fault = sqliteFault(error);
    if (fault === undefined) throw error;
    throw new StateOpenError(
      `the state file cannot be read (${fault.text}): move it away together with its -wal file, then begin anew or bring back a copy`,
    );
  }
}
