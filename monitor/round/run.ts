import type { Finding } from '../../contract/finding.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { reasons, Unreachable } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import { type ProbeResult, reportedEndpoint } from '../../contract/round/attempt.ts';
import { type PublishedOutcome, publishedOutcome } from '../../contract/round/outcome.ts';
import { Unjudgeable } from '../../contract/round/preflight.ts';
import { printableLines } from '../../contract/secrets/printable.ts';
import type { Observed } from './traced-client.ts';

/**
 * Why a run was not a success: a closed list, used as a label. `contract`: a clause is violated. `payload`: no
 * clause is, but the answer does not match the target's schema. `credentials` and `address`: the provider cannot be
 * judged as configured. `defect`: a fault of ours. All others: there was no answer that could be judged.
 */
export const failureReasons = [
  'contract',
  'payload',
  ...reasons,
  'credentials',
  'address',
  'defect',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The result of one run of one probe, and its cost. All texts are free of secrets. */
export interface Run extends Observed {
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly result: ProbeResult;
  /** Present for every outcome except `passed`. */
  readonly reason?: FailureReason;
}

/** A run as it is stored, without the facts of its answers, which are only for the metrics. */
export const withoutFacts = ({ http: _, authorised: __, ...run }: Run): Run => run;

/** A run for pages and programs; dates are serialised as ISO 8601. */
export interface RunStatus {
  readonly probe: string;
  readonly endpoint: string;
  readonly startedAt: Date;
  readonly ending: PublishedOutcome;
  readonly reason?: FailureReason;
  readonly detail?: string;
  readonly unproven?: string;
  readonly durationSeconds: number;
  readonly phases?: Run['phases'];
  readonly requests: number;
  readonly findings: readonly Finding[];
}

export function runStatus({ startedAt, result, reason, phases, requests }: Run): RunStatus {
  const { probe, endpoint, outcome, detail, unproven, durationSeconds, findings } = result;
  return {
    probe: probe.name,
    endpoint,
    startedAt: new Date(startedAt),
    ending: publishedOutcome(outcome),
    reason,
    detail,
    unproven,
    durationSeconds,
    phases,
    requests,
    findings,
  };
}

/** A result with its reason. */
export function settled(result: ProbeResult): Pick<Run, 'result' | 'reason'> {
  const { outcome, reason, findings } = result;
  if (outcome === 'failed') return { result, reason: findings.length > 0 ? 'contract' : 'payload' };
  if (outcome === 'defect') return { result, reason: 'defect' };
  return reason === undefined ? { result } : { result, reason };
}

/** A run that ended before the probe had a result. */
export function unjudged(
  error: unknown,
  { probe, endpoint }: { readonly probe: Probe; readonly endpoint: Endpoint },
  durationSeconds: number,
  scrub: (text: string) => string,
): Pick<Run, 'result' | 'reason'> {
  const known = error instanceof Unjudgeable || error instanceof Unreachable;
  const text = error instanceof Error ? error.stack : String(error);
  return {
    reason: known ? error.reason : 'defect',
    result: {
      probe,
      endpoint: reportedEndpoint(probe, endpoint),
      outcome: known ? 'unreachable' : 'defect',
      detail: known ? error.message : printableLines(scrub(text ?? '')),
      findings: [],
      observations: [],
      durationSeconds,
    },
  };
}
