import { mustHold } from '../../contract/clauses.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { type Reason, UnreachableError } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import { type ProbeResult, reportedEndpoint } from '../../contract/round/attempt.ts';
import { UnjudgeableError } from '../../contract/round/preflight.ts';
import { printableLines } from '../../contract/secrets/printable.ts';
import type { Observed } from './traced-client.ts';

/** Why a run was not a success: a closed list, used as a label. `payload`: an answer does not match its schema. */
export type FailureReason = 'contract' | 'payload' | Reason | 'credentials' | 'address' | 'defect';

/** The result of one run of one probe, and its cost. All texts are free of secrets. */
export interface Run extends Observed {
  readonly startedAt: number;
  readonly result: ProbeResult;
  /** Present for every outcome except `passed`. */
  readonly reason?: FailureReason;
}

/** What a run got. A probe that cannot alter the kept token sends no request: that is no doubt about the provider. */
export function classifyProof({ requests, result }: Run): 'proof' | 'no proof' | 'no answer' {
  const { outcome, probe, unproven } = result;
  if (outcome === 'unreachable') return 'no answer';
  const isAboutMust = mustHold.some(({ id }) => probe.clauses.includes(id));
  return unproven !== undefined && requests > 0 && isAboutMust ? 'no proof' : 'proof';
}

/** A result with its reason. */
export function withReason(result: ProbeResult): Pick<Run, 'result' | 'reason'> {
  const { outcome, reason, findings } = result;
  if (outcome === 'failed') return { result, reason: findings.length > 0 ? 'contract' : 'payload' };
  if (outcome === 'defect') return { result, reason: 'defect' };
  return reason === undefined ? { result } : { result, reason };
}

/** A run that ended before the probe had a result. */
export function runWithoutResult(
  error: unknown,
  { probe, endpoint }: { readonly probe: Probe; readonly endpoint: Endpoint },
  durationSeconds: number,
  scrub: (text: string) => string,
): Pick<Run, 'result' | 'reason'> {
  const isExpected = error instanceof UnjudgeableError || error instanceof UnreachableError;
  const text = error instanceof Error ? error.stack : String(error);
  return {
    reason: isExpected ? error.reason : 'defect',
    result: {
      probe,
      endpoint: reportedEndpoint(probe, endpoint),
      outcome: isExpected ? 'unreachable' : 'defect',
      detail: isExpected ? error.message : printableLines(scrub(text ?? '')),
      findings: [],
      observations: [],
      durationSeconds,
    },
  };
}
