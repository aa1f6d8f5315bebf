import { endpointName } from '../../contract/http/request.ts';
import { isObject } from '../../contract/json-value.ts';
import type { Due, KnownPlace } from '../round/agenda.ts';
import type { Status } from './status.ts';

/**
 * The status of a row in the state file. Of one of another address only what happened there stays.
 * @param fresh what is known without the row
 */
export function restored(row: unknown, fresh: Status): Status {
  if (!isObject(row)) return fresh;
  if (row.address === fresh.address)
    // An earlier version may have known fewer clauses and counters.
    return {
      ...fresh,
      ...row,
      clauses: { ...fresh.clauses, ...Object(row.clauses) },
      counters: { ...fresh.counters, ...Object(row.counters) },
    };
  const events = Array.isArray(row.events) ? row.events : [];
  return { ...fresh, events: events.map((event) => ({ until: fresh.since, ...event })) };
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
