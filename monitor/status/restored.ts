import { endpointName } from '../../contract/http/request.ts';
import { isObject } from '../../contract/json-value.ts';
import type { Due, KnownPlace } from '../round/agenda.ts';
import type { Status } from './status.ts';

/**
 * The status of a row in the state file, which an earlier version or a damaged disk may have written: a row of another
 * form counts as none, and of one of another address only what happened there stays.
 * @param fresh what is known without the row
 */
export function restored(row: unknown, fresh: Status): Status {
  if (!isObject(row)) return fresh;
  if (row.address !== fresh.address) return { ...fresh, events: ended(row.events, fresh.since) };
  const isWhole = (name: string): boolean => isObject(row[name]) || row[name] === undefined;
  if (!['clauses', 'counters'].every(isWhole)) return fresh;
  const merged: Record<string, unknown> = {
    ...fresh,
    ...row,
    clauses: mergedEach(fresh.clauses, row.clauses),
    counters: { ...fresh.counters, ...Object(row.counters) },
  };
  const isAlike = ([name, value]: [string, unknown]): boolean => {
    const other = merged[name];
    return typeof other === typeof value && Array.isArray(other) === Array.isArray(value);
  };
  // Its form is that of a fresh one, as far as a row of our own can differ.
  return Object.entries(fresh).every(isAlike) ? (merged as unknown as Status) : fresh;
}

/** Events that are over. */
const ended = (events: unknown, until: number): Status['events'] =>
  Array.isArray(events) ? events.map((event) => ({ until, ...Object(event) })) : [];

/** The clauses of a row. Rows of earlier versions have only the verdict, and since when. */
function mergedEach(fresh: Status['clauses'], row: unknown): object {
  const known = Object.entries(fresh).map(([id, clause]) => {
    const { [id]: own } = Object(row);
    return [id, isObject(own) ? { findings: clause.findings, ...own } : clause];
  });
  return Object.fromEntries(known);
}

/** What is known of a place for its next run. @param now milliseconds since 1970 */
export function knownPlace({ places }: Status, key: string, now: number): KnownPlace | undefined {
  const known = places[key];
  if (known === undefined) return undefined;
  const { at, begun, result, silent, proofless } = known;
  const isFailed = result !== undefined && result.outcome !== 'passed';
  const failing = silent > 0 || proofless > 0 ? 'unjudged' : isFailed ? 'failed' : undefined;
  return { agoMs: now - at, nextRow: begun?.nextRow, failing };
}

/** The status before a run that must not be repeated after a crash. @param at milliseconds since 1970 */
export function noted(status: Status, due: readonly Due[], at: number): Status {
  const places = { ...status.places };
  for (const { place } of due) {
    const { probe, endpoint, key } = place;
    const none = { probe: probe.name, endpoint: endpointName(endpoint), silent: 0, proofless: 0 };
    places[key] = { ...none, ...places[key], at };
  }
  return { ...status, places };
}
