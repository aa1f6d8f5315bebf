import type { PublishedOutcome } from '../../contract/round/outcome.ts';
import type { StateStore } from '../state/state.ts';
import { type HourTally, keptHoursMs } from '../state/tally.ts';
import { type EventStatus, eventsOf } from './events.ts';
import { type LatencyInterval, latencyOf } from './latency.ts';

/** The history of a target, as stored in the state. */
export interface PastStatus {
  /** The outcomes of the runs of two days by hour (UTC), oldest first; hours without a run are omitted. */
  readonly hours: readonly TallyStatus[];
  /** The latency of two days by the half hour, oldest first, without half hours that have no measurement. */
  readonly latency: readonly LatencyStatus[];
  /** The latest first: at most 100. */
  readonly events: readonly EventStatus[];
}

/** Runs that began in one hour. */
export interface TallyStatus extends Readonly<Record<PublishedOutcome, number>> {
  readonly from: Date;
}

export interface LatencyStatus extends Omit<LatencyInterval, 'from'> {
  readonly from: Date;
}

export type PastState = Pick<StateStore, 'hours' | 'events' | 'entries'>;

/** Reads the history. @param name of the target @param now milliseconds since 1970 */
export function pastOf(name: string, state: PastState, now: number): PastStatus {
  // A clock that was ahead has left rows of the future.
  const isPast = ({ from }: { readonly from: number }): boolean => from <= now;
  return {
    hours: state
      .hours(name, now - keptHoursMs + 1)
      .filter(isPast)
      .map(dated),
    latency: latencyOf(state, name, now).filter(isPast).map(dated),
    events: eventsOf(state, name, now),
  };
}

const dated = <Row extends HourTally | LatencyInterval>({ from, ...row }: Row) => ({
  from: new Date(from),
  ...row,
});
