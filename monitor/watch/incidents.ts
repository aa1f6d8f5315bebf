import type { MustId } from '../../contract/clauses.ts';
import { field, numberIn } from '../../contract/json-value.ts';
import { dayMs } from '../schedule/maintenance.ts';
import { orUndefined } from '../state/opening.ts';
import type { StateStore } from '../state/state.ts';
import type { ContractStatus, KnownVerdict } from '../target/contract-status.ts';
import { type FailureReason, failureReasons } from '../target/run.ts';
import { isClause, listOf } from './stored.ts';

/**
 * A period in which clauses were violated, or in which some probes (`partly`) or all probes got no answer that can
 * be judged. Instants are milliseconds since 1970; an open incident has no end.
 */
export type Incident = ViolationIncident | OutageIncident;

interface ViolationIncident {
  readonly what: 'violated';
  readonly from: number;
  readonly until?: number;
  /** Every clause that was violated during the incident. */
  readonly clauses: readonly MustId[];
}

interface OutageIncident {
  readonly what: 'partly' | 'unreachable';
  readonly from: number;
  readonly until?: number;
  readonly reason?: FailureReason;
}

/** How many incidents of a target are kept, and for how long. */
const most = { days: 90, number: 100 };

const kind = 'incident';
type State = Pick<StateStore, 'entries' | 'put' | 'remove'>;

interface Context {
  readonly state: State;
  readonly standing: Pick<
    ContractStatus,
    'verdicts' | 'latest' | 'answering' | 'unanswered' | 'state'
  >;
  /** The instant from which the age of incidents counts (milliseconds since 1970). */
  readonly retention: { now(): number };
}

/** The incidents of one target, one entry for each. Only open incidents are in memory: at most one of each kind. */
export class Incidents {
  readonly #target: string;
  readonly #context: Context;
  #violation: ViolationIncident | undefined;
  #outage: OutageIncident | undefined;

  /**
   * Continues the incidents that are open in the state.
   * @param target its name @param now milliseconds since 1970 @throws StateOpenError
   */
  constructor(target: string, context: Context, now: number) {
    this.#target = target;
    this.#context = context;
    for (const one of incidentsIn(context.state, target).filter(({ until }) => until === undefined))
      if (one.what === 'violated') this.#violation = one;
      else this.#outage = one;
    // If the set of probes changed, other clauses may be violated now.
    this.update(now);
  }

  /** Applies the current status. @param at when it changed */
  update(at: number): void {
    this.#violation = this.#keep(this.#violation, this.#violationNow(at), at);
    this.#outage = this.#keep(this.#outage, this.#outageNow(at), at);
  }

  #violationNow(at: number): ViolationIncident | undefined {
    const before = this.#violation;
    const ids = this.#clausesThatAre('violated');
    if (ids.length === 0) return this.#mayBeHidden(before?.clauses) ? before : undefined;
    const { from = at, clauses = [] } = before ?? {};
    return { what: 'violated', from, clauses: [...new Set([...clauses, ...ids])] };
  }

  /** Whether any violation may go on unseen: a run about its clause got no answer, or none that proves anything. */
  #mayBeHidden(clauses: readonly MustId[] = []): boolean {
    const unverified = this.#clausesThatAre('unverified').filter((id) => clauses.includes(id));
    const blind = this.#context.standing
      .latest()
      .filter(({ result }) => result.outcome === 'unreachable' || result.unproven !== undefined);
    return blind.some(({ result }) => unverified.some((id) => result.probe.clauses.includes(id)));
  }

  #clausesThatAre(verdict: KnownVerdict['verdict']): MustId[] {
    const all = this.#context.standing.verdicts().filter((one) => one.verdict === verdict);
    return all.map(({ clause }) => clause.id);
  }

  #outageNow(at: number): OutageIncident | undefined {
    const { standing } = this.#context;
    const answering = standing.answering();
    if (answering === 'everywhere') return undefined;
    // A violation often leaves other clauses unproven: that is no incident of its own.
    if (answering === 'unproven' && standing.state().is !== 'partly') return undefined;
    const before = this.#outage;
    const isAway = answering === 'nowhere' || before?.what === 'unreachable';
    const reason = before?.reason ?? standing.unanswered()?.reason;
    return { what: isAway ? 'unreachable' : 'partly', from: before?.from ?? at, reason };
  }

  /** Stores an incident if it changed. @returns the open incident */
  #keep<One extends Incident>(
    before: One | undefined,
    now: One | undefined,
    at: number,
  ): One | undefined {
    if (JSON.stringify(now) === JSON.stringify(before)) return before;
    if (now !== undefined) this.#put(now);
    else if (before !== undefined) this.#put({ ...before, until: Math.max(before.from, at) });
    if (before === undefined) this.#tidy();
    return now;
  }

  #put(incident: Incident): void {
    this.#context.state.put(this.#target, kind, keyOf(incident), incident);
  }

  /** Removes incidents that are too old or too many. If they cannot be read now, they are removed later. */
  #tidy(): void {
    const { state, retention } = this.#context;
    const now = retention.now();
    const all = orUndefined(() => incidentsIn(state, this.#target)) ?? [];
    const kept = new Set(keptOf(all, now));
    for (const one of all.filter((incident) => !kept.has(incident)))
      state.remove(this.#target, kind, keyOf(one));
  }
}

/** The incidents of the last 90 days, the latest first, at most 100. @param now milliseconds since 1970 */
export const incidentsOf = (
  state: Pick<State, 'entries'>,
  target: string,
  now: number,
): Incident[] => keptOf(orUndefined(() => incidentsIn(state, target)) ?? [], now);

/** The open incidents, however many have begun since, and the latest others. @param all the latest first */
function keptOf(all: readonly Incident[], now: number): Incident[] {
  const isOpen = ({ until }: Incident): boolean => until === undefined;
  const open = all.filter(isOpen).length;
  const ended = all.filter((one) => !isOpen(one) && !isOld(one, now));
  const latest = new Set(ended.slice(0, most.number - open));
  return all.filter((one) => isOpen(one) || latest.has(one));
}

const keyOf = ({ what, from }: Incident): string =>
  `${what === 'violated' ? 'contract' : 'answers'} ${from}`;

const isOld = ({ until }: Incident, now: number): boolean =>
  until !== undefined && until < now - most.days * dayMs;

/** The latest first. */
const incidentsIn = (state: Pick<State, 'entries'>, target: string): Incident[] =>
  [...state.entries(target, kind).values()]
    .flatMap(incidentFrom)
    .sort((one, other) => other.from - one.from);

/** Parses an incident, which another version of the monitor may have written. */
function incidentFrom(value: unknown): Incident[] {
  const from = numberIn(value, 'from');
  if (from === undefined) return [];
  const times = { from, until: numberIn(value, 'until') };
  const clauses = listOf(field(value, 'clauses'), isClause);
  const what = (['violated', 'partly', 'unreachable'] as const).find(
    (one) => one === field(value, 'what'),
  );
  if (what === undefined) return [];
  if (what === 'violated') return clauses.length === 0 ? [] : [{ what, ...times, clauses }];
  const reason = failureReasons.find((one) => one === field(value, 'reason'));
  return [{ what, ...times, reason }];
}
