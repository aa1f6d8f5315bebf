import { type MustId, mustHold, type OpenId } from '../../contract/clauses.ts';
import type { Phases } from '../../contract/http/answer.ts';
import { isObject } from '../../contract/json-value.ts';
import type { Outcome, ProbeResult } from '../../contract/round/attempt.ts';
import type { ClauseVerdict } from '../../contract/round/verdict.ts';
import type { Evidence, ProvenClause } from '../canary/evidence.ts';
import type { CanaryPhase, CanaryVerdict } from '../canary/verdict.ts';
import type { KnownPlace } from '../round/agenda.ts';
import type { Expiry } from '../round/certificates.ts';
import type { FailureReason } from '../round/run.ts';
import type { FactHistory, KnownFact } from './facts.ts';
import { type Distribution, type HalfHour, noDurations } from './speed.ts';

/** The state of a target in one word, and in one sentence. An outage does not cancel a violation. */
export const headline = {
  waiting: 'The first round is running',
  holds: 'The contract holds',
  violated: 'The contract is violated',
  unreachable: 'The provider cannot be judged',
  partly: 'The contract is judged only in part',
  unverified: 'No clause could be verified',
} as const;
export type TargetState = keyof typeof headline;

// All instants are milliseconds since 1970. All texts are one line, and free of secrets.

/** A verdict on a clause, and since when it has been the same. */
export interface KnownVerdict extends Omit<ClauseVerdict, 'clause'> {
  readonly since: number;
}

/** What a probe has shown on one endpoint. */
type PlaceResult = Pick<ProbeResult, 'outcome' | 'detail' | 'unproven' | 'doubts' | 'findings'> & {
  readonly reason?: FailureReason;
};

/** One probe on one endpoint. */
export interface PlaceStatus {
  readonly probe: string;
  readonly endpoint: string;
  /** When its latest run that counts began. */
  readonly at: number;
  /** Of its latest complete run; absent before the first. */
  readonly result?: PlaceResult;
  /** What the runs of an unfinished list have shown so far. `nextRow` is the row with which the next run begins. */
  readonly begun?: PlaceResult & { readonly nextRow: number };
  /** Its latest runs, if no answer could be judged. Without a reason there were answers, but they prove nothing. */
  readonly unjudged?: {
    /** How many in a row: at most 2. */
    readonly runs: number;
    readonly reason?: FailureReason;
    readonly detail: string;
  };
}

/** The control of one endpoint: the request with a valid token. */
export interface EndpointStatus {
  /** Its last run; absent before the first. */
  readonly last?: {
    readonly at: number;
    readonly outcome: Outcome;
    readonly durationSeconds: number;
    /** 0 without an answer. */
    readonly status: number;
    /** Seconds. */
    readonly phases?: Phases;
    readonly isTls: boolean;
  };
  /** The last 48 hours, oldest first, without half hours in which it did not run. */
  readonly halfHours: readonly HalfHour[];
}

/** A clause was violated, or some probes (`partly`) or all probes got no answer that can be judged. */
export interface TargetEvent {
  readonly what: 'violated' | 'partly' | 'unreachable';
  readonly clause?: MustId;
  /** Why there was no answer that can be judged. */
  readonly detail?: string;
  readonly from: number;
  readonly until?: number;
}

export interface CanaryCheckStatus {
  readonly at: number;
  /** The minimum age of the token at the provider. If the maximum below is absent, it is unknown. */
  readonly leastSeconds: number;
  readonly mostSeconds?: number;
  readonly admitted: boolean;
  readonly verdict: CanaryVerdict;
}

/** What was counted since the target was first watched. */
export interface Counters {
  readonly runs: Readonly<Record<Outcome, number>>;
  /** Runs without an answer that can be judged. */
  readonly unreachable: Readonly<Partial<Record<FailureReason, number>>>;
  /** Runs that found the clause violated. */
  readonly findings: Readonly<Partial<Record<MustId, number>>>;
  readonly observationChanges: Readonly<Partial<Record<OpenId, number>>>;
  readonly canaryChecks: Readonly<Partial<Record<`${CanaryPhase} ${CanaryVerdict}`, number>>>;
  /** From the open connection to the first byte of each answer. */
  readonly requests: Distribution;
}

/** All that is known of a target: its row in the state file. Page, metrics, log and alerts are functions of it. */
export interface Status {
  readonly target: string;
  readonly address: string;
  readonly state: TargetState;
  readonly since: number;
  /** Why it, or a part of it, gets no answer that can be judged. */
  readonly silence?: {
    /** Whether no endpoint gets one. */
    readonly isEverywhere: boolean;
    readonly reason: FailureReason;
    readonly detail: string;
    readonly since: number;
  };
  /** An endpoint whose answers prove nothing, and why. */
  readonly unproven?: string;
  readonly clauses: Readonly<Record<MustId, KnownVerdict>>;
  readonly places: Readonly<Record<string, PlaceStatus>>;
  /** What the latest decisive check of a canary has shown. */
  readonly evidence: Readonly<Partial<Record<ProvenClause, Evidence>>>;
  readonly endpoints: Readonly<Record<string, EndpointStatus>>;
  readonly facts: readonly KnownFact[];
  readonly factHistories: Readonly<Record<string, FactHistory>>;
  /** At most 100, the latest first. */
  readonly events: readonly TargetEvent[];
  /** At most 60, the latest first. */
  readonly checks: readonly CanaryCheckStatus[];
  readonly counters: Counters;
  readonly lastRoundAt?: number;
  /** Of the last TLS handshake, also of one that failed. */
  readonly certificate?: Expiry;
  /** How far the provider's clock is ahead of ours. */
  readonly clockOffsetSeconds?: number;
}

export const notRunYet = {
  cause: 'prevented',
  reason: 'not all of its probes have run yet',
} as const;

/** A target of which nothing is known yet */
export const newStatus = (target: string, address: string, since: number): Status => ({
  target,
  address,
  state: 'waiting',
  since,
  // Object.fromEntries loses the keys.
  clauses: Object.fromEntries(
    mustHold.map(({ id }) => [id, { verdict: 'unverified', ...notRunYet, findings: [], since }]),
  ) as unknown as Status['clauses'],
  places: {},
  evidence: {},
  endpoints: {},
  facts: [],
  factHistories: {},
  events: [],
  checks: [],
  counters: {
    runs: { passed: 0, failed: 0, unreachable: 0, defect: 0 },
    unreachable: {},
    findings: {},
    observationChanges: {},
    canaryChecks: {},
    requests: noDurations,
  },
});

/** The clauses with a verdict, in the order of the contract. */
export const clausesWith = (
  { clauses }: Pick<Status, 'clauses'>,
  wanted: KnownVerdict['verdict'],
): { readonly id: MustId; readonly text: string }[] =>
  mustHold.filter(({ id }) => clauses[id].verdict === wanted);

/** Why a target is not judged everywhere, for a state that says so. */
export const whyNotJudged = ({ state, silence, unproven }: Status): string | undefined =>
  state === 'unreachable' || state === 'partly' ? (silence?.detail ?? unproven) : undefined;

/** Reads a status from its row in the state file. A row of another address does not count. */
export function restoreStatus(row: unknown, initial: Status): Status {
  if (!isObject(row) || row.address !== initial.address) return initial;
  // An earlier version may have known fewer clauses and counters.
  const clauses = { ...initial.clauses, ...Object(row.clauses) };
  const counters = { ...initial.counters, ...Object(row.counters) };
  return { ...initial, ...row, clauses, counters };
}

/** What the agenda needs to know of a place. */
export function readPlace({ places }: Status, key: string, now: number): KnownPlace | undefined {
  const place = places[key];
  if (place === undefined) return undefined;
  const { at, begun, result, unjudged } = place;
  const known = { agoMs: now - at, nextRow: begun?.nextRow };
  if (unjudged !== undefined) return { ...known, failure: 'unjudged' };
  // What a list has found counts in its result at once.
  const hasFailed = result !== undefined && result.outcome !== 'passed';
  return { ...known, failure: hasFailed ? 'failed' : undefined };
}
