import { clauses, type MustId, mustHold, type OpenId } from '../../contract/clauses.ts';
import { type Phases, phaseNames } from '../../contract/http/answer.ts';
import { type Ending, endings } from '../../contract/round/attempt.ts';
import type { Lifetime } from '../canary/canary.ts';
import {
  type CanaryPhase,
  type CanaryState,
  type CanaryVerdict,
  canaryStates,
  canaryVerdicts,
} from '../canary/verdict.ts';
import type { KnownVerdict } from '../target/contract-status.ts';
import { type FailureReason, failureReasons, type HttpFacts, type Run } from '../target/run.ts';

/**
 * What metrics hold of one target, as plain numbers: prom-client takes some 200 bytes for a series, which at 1,700 a
 * target is more than a thousand targets may cost. When it is forgotten, all of it is gone.
 */
export interface TargetRecord {
  readonly name: string;
  timeoutSeconds: number;
  readonly probes: Map<string, ProbeRecord>;
  readonly verdicts: Record<MustId, KnownVerdict['verdict']>;
  readonly violations: Record<MustId, number>;
  readonly observationChanges: Record<OpenId, number>;
  readonly canaryChecks: Record<CanaryPhase, Record<CanaryVerdict, number>>;
  canaries: Readonly<Record<CanaryState, number>>;
  lifetime: Lifetime;
  unexpectedRejections: number;
  clockOffsetSeconds?: number;
  inMaintenance: boolean;
  readonly processing: { readonly atMost: Map<number, number>; sum: number; count: number };
}

/** What metrics hold of one probe on one target. */
export interface ProbeRecord {
  readonly name: string;
  readonly target: TargetRecord;
  last?: LastRun;
  /** Of the last handshake, milliseconds since 1970: it must not vanish just when the certificate has ended. */
  earliestExpiry?: number;
  /** Milliseconds since 1970. */
  lastKeptAt?: number;
  consecutiveFailures: number;
  readonly endings: Record<Ending, number>;
  readonly reasons: Record<FailureReason, number>;
  seconds: number;
  /** Runs in which something was answered, and what their phases took in all. */
  answered: number;
  readonly phases: Record<keyof Phases, number>;
}

interface LastRun extends Pick<Run, 'startedAt' | 'phases' | 'http'> {
  readonly success: boolean;
  readonly durationSeconds: number;
}

export const mustIds: readonly MustId[] = mustHold.map(({ id }) => id);
export const openIds: readonly OpenId[] = clauses.map(({ id }) => id).filter(isOpen);

/** Seconds in which an API answers, from what is not noticed to what is given up. */
export const processingBounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

function isOpen(id: string): id is OpenId {
  return id.startsWith('OPEN-');
}

/** A target of which nothing is known yet. */
export const targetRecord = (name: string): TargetRecord => ({
  name,
  timeoutSeconds: 0,
  probes: new Map(),
  verdicts: forEach(mustIds, 'unverified'),
  violations: forEach(mustIds, 0),
  observationChanges: forEach(openIds, 0),
  canaryChecks: { before: forEach(canaryVerdicts, 0), after: forEach(canaryVerdicts, 0) },
  canaries: forEach(canaryStates, 0),
  lifetime: {},
  unexpectedRejections: 0,
  inMaintenance: false,
  processing: { atMost: new Map(processingBounds.map((bound) => [bound, 0])), sum: 0, count: 0 },
});

/** Lets a target have just these probes: what was counted of the others is gone, and of those that stay is kept. */
export function expectProbes(target: TargetRecord, names: readonly string[]): void {
  for (const known of [...target.probes.keys()])
    if (!names.includes(known)) target.probes.delete(known);
  for (const name of names) {
    if (target.probes.has(name)) continue;
    target.probes.set(name, {
      name,
      target,
      consecutiveFailures: 0,
      endings: forEach(endings, 0),
      reasons: forEach(failureReasons, 0),
      seconds: 0,
      answered: 0,
      phases: forEach(phaseNames, 0),
    });
  }
}

/** Takes a run in. @param success whether the latest run of the probe on each of its endpoints was a success */
export function recordRun(probe: ProbeRecord, run: Run, success: boolean): void {
  const { startedAt, outcome, reason, http } = run;
  probe.last = {
    success,
    startedAt,
    durationSeconds: outcome.durationSeconds,
    ...(run.phases === undefined ? {} : { phases: run.phases }),
    ...(http === undefined ? {} : { http }),
  };
  probe.endings[outcome.ending] += 1;
  if (reason !== undefined) probe.reasons[reason] += 1;
  probe.seconds += outcome.durationSeconds;
  if (http !== undefined) recordHandshake(probe, http);
  if (run.phases === undefined) return;
  probe.answered += 1;
  for (const phase of phaseNames) probe.phases[phase] += run.phases[phase];
}

/** Takes in how long the provider worked on one request. */
export function recordProcessing({ processing }: TargetRecord, seconds: number): void {
  processing.sum += seconds;
  processing.count += 1;
  for (const [bound, count] of processing.atMost)
    if (seconds <= bound) processing.atMost.set(bound, count + 1);
}

function recordHandshake(probe: ProbeRecord, { tls }: HttpFacts): void {
  if (tls === undefined) delete probe.earliestExpiry;
  else probe.earliestExpiry = tls.earliestExpiry;
}

/** An object that has the same value under every key. */
function forEach<const Key extends string, Value>(
  keys: readonly Key[],
  value: Value,
): Record<Key, Value> {
  // The one place where a list of keys becomes a type: Object.fromEntries forgets them.
  return Object.fromEntries(keys.map((key) => [key, value])) as Record<Key, Value>;
}
