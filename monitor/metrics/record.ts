import { leftOpen, type MustId, mustHold, type OpenId } from '../../contract/clauses.ts';
import type { Phases } from '../../contract/http/answer.ts';
import {
  type PublishedOutcome,
  publishedOutcome,
  publishedOutcomes,
} from '../../contract/round/outcome.ts';
import {
  type CanaryPhase,
  type CanaryState,
  type CanaryVerdict,
  canaryStates,
  canaryVerdicts,
  type Lifetime,
} from '../canary/verdict.ts';
import { type FailureReason, failureReasons, type Run } from '../round/run.ts';
import type { HttpFacts } from '../round/traced-client.ts';
import type { KnownVerdict } from '../target/contract-status.ts';
import type { Labels } from './family.ts';

export interface RunCounts {
  readonly labels: Labels;
  readonly endings: Record<PublishedOutcome, number>;
  readonly reasons: Record<FailureReason, number>;
}

/**
 * The metrics of one target, as plain numbers. prom-client needs some 200 bytes per series, too much for a thousand
 * targets. All memory is freed with the target.
 */
export interface TargetRecord {
  readonly labels: Labels;
  readonly counts: RunCounts;
  readonly probes: Map<string, ProbeRecord>;
  readonly verdicts: Record<MustId, KnownVerdict['verdict']>;
  readonly violations: Record<MustId, number>;
  readonly observationChanges: Record<OpenId, number>;
  readonly canaryChecks: Record<CanaryPhase, Record<CanaryVerdict, number>>;
  readonly processing: { readonly atMost: Map<number, number>; sum: number; count: number };
  readonly certificate: Certificate;
  /** Answered requests that took longer than `slowSeconds`. */
  slowRequests: number;
  expected: Expected;
  canaries: Readonly<Record<CanaryState, number>>;
  lifetime: Lifetime;
  clockOffsetSeconds?: number;
  inMaintenance: boolean;
}

/** The state of a target before its first run. */
export interface Expected {
  readonly timeoutSeconds: number;
  /** The share of runs that must get an answer. */
  readonly objectiveRatio?: number;
  /** The processing time above which a run of the target counts as slow. */
  readonly slowSeconds?: number;
}

/** The certificate of the last handshake. It must stay visible after it has expired. */
export interface Certificate {
  readonly labels: Labels;
  /** The earliest end of its chain: milliseconds since 1970. */
  earliestExpiry?: number;
}

export interface ProbeRecord {
  readonly labels: Labels;
  readonly target: TargetRecord;
  last?: LastRun;
  /** Milliseconds since 1970. */
  lastKeptAt?: number;
  consecutiveFailures: number;
  /** Of the control only. */
  measured?: Measured;
}

/** The measurements of the control's last request with only a token. */
export interface Measured {
  readonly labels: Labels;
  readonly probe: ProbeRecord;
  phases?: Phases;
  http?: HttpFacts;
}

interface LastRun {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly success: boolean;
  readonly durationSeconds: number;
}

/** The request with a valid token: what blackbox_exporter's metrics describe. */
export const control = 'a-token-opens-the-endpoint';

export const mustIds: readonly MustId[] = mustHold.map(({ id }) => id);
export const openIds: readonly OpenId[] = leftOpen.map(({ id }) => id);

/** Typical response times of an API in seconds, from unnoticeable to hopeless. */
export const processingBounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** A target of which nothing is known yet. */
export const targetRecord = (name: string, expected: Expected): TargetRecord => ({
  labels: { target: name },
  counts: countsOf({ target: name }),
  probes: new Map(),
  verdicts: forEach(mustIds, 'unverified'),
  violations: forEach(mustIds, 0),
  observationChanges: forEach(openIds, 0),
  canaryChecks: { before: forEach(canaryVerdicts, 0), after: forEach(canaryVerdicts, 0) },
  processing: { atMost: new Map(processingBounds.map((bound) => [bound, 0])), sum: 0, count: 0 },
  certificate: { labels: { target: name } },
  slowRequests: 0,
  expected,
  canaries: forEach(canaryStates, 0),
  lifetime: {},
  inMaintenance: false,
});

/** Gives a target exactly these probes. Counters of removed probes are dropped; those of remaining probes are kept. */
export function expectProbes(target: TargetRecord, names: readonly string[]): void {
  for (const known of [...target.probes.keys()])
    if (!names.includes(known)) target.probes.delete(known);
  for (const name of names) {
    const labels = { ...target.labels, probe: name };
    const fresh: ProbeRecord = { labels, target, consecutiveFailures: 0 };
    const probe = target.probes.get(name) ?? fresh;
    target.probes.set(name, probe);
    if (name === control) probe.measured ??= { labels, probe };
  }
}

const countsOf = (labels: Labels): RunCounts => ({
  labels,
  endings: forEach(publishedOutcomes, 0),
  reasons: forEach(failureReasons, 0),
});

/** Applies a run. @param success whether the latest run of the probe on each of its endpoints was a success */
export function recordRun(probe: ProbeRecord, run: Run, success: boolean): void {
  const { startedAt, result, reason } = run;
  probe.last = { success, startedAt, durationSeconds: result.durationSeconds };
  const { counts, certificate } = probe.target;
  counts.endings[publishedOutcome(result.outcome)] += 1;
  if (reason !== undefined) counts.reasons[reason] += 1;
  if (run.http !== undefined) certificate.earliestExpiry = run.http.tls?.earliestExpiry;
  if (probe.measured === undefined) return;
  probe.measured.http = run.authorised?.http;
  probe.measured.phases = run.authorised?.phases;
}

/** Adds the time that the provider worked on one request. */
export function recordProcessing(target: TargetRecord, seconds: number): void {
  const { processing, expected } = target;
  if (expected.slowSeconds !== undefined && seconds > expected.slowSeconds)
    target.slowRequests += 1;
  processing.sum += seconds;
  processing.count += 1;
  for (const [bound, count] of processing.atMost)
    if (seconds <= bound) processing.atMost.set(bound, count + 1);
}

/** An object that has the same value under every key. */
function forEach<const Key extends string, Value>(
  keys: readonly Key[],
  value: Value,
): Record<Key, Value> {
  // The only cast from a list of keys to a type: Object.fromEntries loses the keys.
  return Object.fromEntries(keys.map((key) => [key, value])) as Record<Key, Value>;
}
