import { StateOpenError } from './opening.ts';
import type { Pending } from './pending.ts';
import { sqliteFault } from './sqlite-fault.ts';
import type { StateStore } from './state.ts';
import type { Tables } from './tables.ts';
import { added, type RunTally, type Span } from './tally.ts';

type Reading = Pick<StateStore, 'entries' | 'events' | 'hours' | 'days' | 'targets' | 'damaged'>;

/**
 * Reads what the file holds together with what is still to be written.
 * @param failed is told when a page cannot be told in full; what a start rests on throws instead
 */
export function readerOf(
  tables: Tables,
  waiting: Pending,
  failed: (error: unknown) => void,
): Reading {
  const damaged = new Set<string>();

  /** Of a target that is to be forgotten nothing in the file counts. */
  const filed = <Row>(target: string, read: () => Row[]): Row[] =>
    waiting.forgotten.has(target) ? [] : read();

  function orNone<Row>(read: () => Row[]): Row[] {
    try {
      return read();
    } catch (error) {
      failed(error);
      return [];
    }
  }

  function parsed(json: string, ...name: readonly (string | number)[]): unknown {
    try {
      return JSON.parse(json);
    } catch {
      damaged.add(JSON.stringify(name));
      return undefined;
    }
  }

  function tallies(target: string, span: Span, since: number): RunTally[] {
    const rows = orNone(() => filed(target, () => tables.tallies(target, span, since)));
    const found = new Map(rows.map((tally) => [tally.from, tally]));
    for (const row of waiting.tallies())
      if (row.target === target && row.span === span && row.tally.from >= since)
        found.set(row.tally.from, added(found.get(row.tally.from), row.tally));
    return [...found.values()].sort((one, other) => one.from - other.from);
  }

  return {
    entries(target, kind) {
      const rows = new Map<string, string | undefined>();
      for (const { key, value } of orStop(() => filed(target, () => tables.entries(target, kind))))
        rows.set(key, value);
      for (const entry of waiting.entries())
        if (entry.target === target && entry.kind === kind) rows.set(entry.key, entry.value);
      const found = new Map<string, unknown>();
      for (const [key, json] of rows) {
        const value = json === undefined ? undefined : parsed(json, target, kind, key);
        if (value !== undefined) found.set(key, value);
      }
      return found;
    },
    events(target, { limit }) {
      const later = waiting.events().filter((row) => row.target === target);
      const rows = orNone(() => filed(target, () => tables.events(target, limit)));
      return [...later.reverse(), ...rows]
        .sort((one, other) => other.at - one.at)
        .slice(0, limit)
        .map(({ at, event }) => ({ at, event: parsed(event, target, at) }))
        .filter(({ event }) => event !== undefined);
    },
    hours: (target, since) => tallies(target, 'hour', since),
    days: (target, since) => tallies(target, 'day', since),
    targets() {
      const found = new Set(orStop(tables.targets).filter((one) => !waiting.forgotten.has(one)));
      for (const { target, value } of waiting.entries()) if (value !== undefined) found.add(target);
      return [...found];
    },
    damaged: () => damaged.size,
  };
}

/** @throws CannotOpen: a monitor that took a file that it cannot read for an empty one would lose what is in it */
function orStop<Row>(read: () => Row[]): Row[] {
  try {
    return read();
  } catch (error) {
    const fault = sqliteFault(error);
    if (fault === undefined) throw error;
    throw new StateOpenError(
      `the state file cannot be read (${fault.text}): bring back a copy, or move it away to begin anew`,
    );
  }
}
