import { field } from '../../contract/json-value.ts';
import type { PublishedOutcome } from '../../contract/round/outcome.ts';
import { verdictNames } from '../../contract/round/verdict.ts';
import { dayMs } from '../schedule/maintenance.ts';
import type { StateStore } from '../state/state.ts';
import type { RunTally } from '../state/tally.ts';
import type { KnownVerdict } from '../target/contract-status.ts';
import type { FailureReason } from '../target/run.ts';
import { type Incident, incidentsOf } from './incidents.ts';
import { type LatencyInterval, latencyOf } from './latency.ts';
import { isClause } from './stored.ts';

/** The history of a target, as stored in the state. */
export interface PastStatus {
  /** The outcomes of runs by hour (UTC) and by day, oldest first; hours without a run are omitted. */
  readonly hours: readonly TallyStatus[];
  readonly days: readonly TallyStatus[];
  /** Changes of verdicts, the latest first. */
  readonly changes: readonly ChangeStatus[];
  /** The latency of two days by the half hour, oldest first, without half hours that have no measurement. */
  readonly latency: readonly LatencyStatus[];
  /** The latest first: 90 days, at most 100. */
  readonly incidents: readonly IncidentStatus[];
}

/** Runs that began in one hour or day. */
export interface TallyStatus extends Readonly<Record<PublishedOutcome, number>> {
  readonly from: Date;
}

interface ChangeStatus {
  readonly at: Date;
  readonly clause: string;
  readonly verdict: KnownVerdict['verdict'];
  readonly before: KnownVerdict['verdict'];
}

export interface LatencyStatus extends Omit<LatencyInterval, 'from'> {
  readonly from: Date;
}

/** A period in which clauses were violated, or in which some or all probes got no answer that can be judged. */
export interface IncidentStatus {
  readonly what: Incident['what'];
  readonly from: Date;
  /** Absent while the incident is open. */
  readonly until?: Date;
  readonly durationSeconds: number;
  /** Every clause that was violated during the incident. */
  readonly clauses?: readonly string[];
  /** Why there was no answer. */
  readonly reason?: FailureReason;
}

export type PastState = Pick<StateStore, 'hours' | 'days' | 'events' | 'entries'>;

const mostChanges = 10;

/** Reads the history. @param name of the target @param now milliseconds since 1970 */
export function pastOf(name: string, state: PastState, now: number): PastStatus {
  const events = state.events(name, { limit: mostChanges });
  // A clock that was ahead has left rows of the future.
  const isPast = ({ from }: { readonly from: number }): boolean => from <= now;
  return {
    hours: state
      .hours(name, now - 2 * dayMs)
      .filter(isPast)
      .map(dated),
    days: state
      .days(name, now - 365 * dayMs)
      .filter(isPast)
      .map(dated),
    changes: events.flatMap(({ at, event }) => changeFrom(at, event)),
    latency: latencyOf(state, name, now).filter(isPast).map(dated),
    incidents: incidentsOf(state, name, now).map((one) => incidentStatus(one, now)),
  };
}

const dated = <Row extends RunTally | LatencyInterval>({ from, ...row }: Row) => ({
  from: new Date(from),
  ...row,
});

function changeFrom(at: number, event: unknown): ChangeStatus[] {
  const clause = field(event, 'clause');
  const [verdict, before] = ['verdict', 'before'].map((name) =>
    verdictNames.find((one) => one === field(event, name)),
  );
  if (!isClause(clause) || verdict === undefined || before === undefined) return [];
  return [{ at: new Date(at), clause, verdict, before }];
}

const incidentStatus = ({ from, until, ...incident }: Incident, now: number): IncidentStatus => ({
  ...incident,
  from: new Date(from),
  until: until === undefined ? undefined : new Date(until),
  durationSeconds: Math.max(0, (until ?? now) - from) / 1000,
});
