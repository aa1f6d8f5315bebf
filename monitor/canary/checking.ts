import { breach, envelopeBreaches, isLetIn, refusalText } from '../../contract/admission.ts';
import type { MustId } from '../../contract/clauses.ts';
import { type Answer, outline } from '../../contract/http/answer.ts';
import { type Breach, findingOf } from '../../contract/judge/findings.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import { lifetime } from '../../contract/time/clock.ts';
import type { Run } from '../round/run.ts';
import type { Canary, Check } from './canary.ts';
import { controlOf, nearMs } from './canary-answer.ts';
import type { CheckedCanary } from './canary-client.ts';
import { canaryProbes, type Proof } from './probes.ts';

type Scrub = (text: string) => string;

/**
 * The result of a check: a run of the probe that the check decides about, or an empty list.
 * @param canaries the stored canaries, some of which may have failed
 */
export function decidedBy(
  target: string,
  { before, exchange: { s, r }, answer, check, client, seen }: CheckedCanary,
  canaries: readonly Canary[],
): Run[] {
  const durationSeconds = (r.monotonic - s.monotonic) / 1000;
  const result = outcomeOf(before, check, answer, { scrub: client.scrub, durationSeconds });
  if (result === undefined) return [];
  const { probe, outcome } = result;
  if (outcome === 'passed' && !clears(probe, check, canaries)) return [];
  const why = outcome === 'failed' ? { reason: 'contract' as const } : {};
  return [{ target, startedAt: check.at, result, ...why, ...seen() }];
}

/**
 * The result of a check as an outcome of the probe that it decides about; undefined when it decides nothing.
 * @param before the canary before the check
 * @param durationSeconds how long the check took
 */
export function outcomeOf(
  before: Canary,
  check: Check,
  answer: Answer,
  { scrub, durationSeconds }: { readonly scrub: Scrub; readonly durationSeconds: number },
): ProbeResult | undefined {
  const probe = probeOf(before, check);
  if (probe === undefined) return undefined;
  const run = { probe: probe.name, endpointName: before.endpoint, simulated: true, scrub };
  const findings = breachesIn(answer, { probe, before, check }).map(({ clause, ...breach }) =>
    findingOf(run, clause, answer, breach),
  );
  return {
    probe,
    endpoint: before.endpoint,
    outcome: findings.length > 0 ? 'failed' : 'passed',
    findings,
    observations: [],
    unproven: unprovenBy(answer, before, check),
    durationSeconds,
  };
}

/**
 * The probe that a check decides about. It is undefined for an undecided check, and for an admission long before
 * the end. An admission close to the end proves the lifetime, even if the token may have been older.
 */
function probeOf(before: Canary, { verdict, phase, age, admitted }: Check): Proof | undefined {
  const { lives, dies, stays } = canaryProbes;
  const isClose = age.least >= lifetime - nearMs;
  if (verdict === 'undecided')
    return admitted && isClose && before.state === 'alive' ? lives : undefined;
  if (phase === 'after') return before.state === 'expired' ? stays : dies;
  if (verdict === 'wrong_answer' || (verdict === 'ok' && !isClose)) return undefined;
  return lives;
}

/** What is wrong with the answer to a canary, by the clause that the check is about. */
function breachesIn(
  answer: Answer,
  {
    probe,
    before,
    check: { verdict, phase },
  }: Pick<CheckedCanary, 'before' | 'check'> & { probe: Proof },
): (Breach & { readonly clause: MustId })[] {
  const received = outline(answer);
  if (verdict === 'early_reject')
    return [{ clause: 'EXPIRY-1', reason: 'a canary', expected: 'any answer but 401', received }];
  if (verdict === 'late_accept') {
    const clause = probe === canaryProbes.stays ? 'EXPIRY-5' : 'EXPIRY-2';
    const expected = '401, since the token has expired';
    return [{ clause, reason: 'a canary', expected, received }];
  }
  if (!needsRefusal({ verdict, phase })) return [];
  const reason = 'a canary that has expired';
  const expected = refusalText;
  if (answer.status === 401)
    return envelopeBreaches(answer).map(({ clause, received: wrong }) => ({
      clause,
      reason,
      expected,
      received: wrong,
    }));
  if (unprovenBy(answer, before, { verdict, phase }) !== undefined) return [];
  const clause = isLetIn(answer, controlOf(before, answer)) ? 'EXPIRY-2' : 'ERROR-1';
  return [{ clause, reason, expected, received }];
}

/** Whether the contract's 401 is the right answer to a check. */
const needsRefusal = ({ verdict, phase }: Pick<Check, 'verdict' | 'phase'>): boolean =>
  verdict === 'wrong_answer' || (verdict === 'ok' && phase === 'after');

/** Why an answer other than 401 proves nothing about an expired token. */
function unprovenBy(
  answer: Answer,
  before: Canary,
  check: Pick<Check, 'verdict' | 'phase'>,
): string | undefined {
  if (!needsRefusal(check) || answer.status === 401) return undefined;
  return breach(answer, controlOf(before, answer)) === 'nothing proven'
    ? `with and without a valid token the endpoint answers ${answer.status}`
    : undefined;
}

/**
 * Whether a successful check contradicts every stored violation of the same kind. For example, a refusal an hour
 * after the end does not disprove a leeway of a minute. Only these checks clear a violation:
 * - a late accept: the refused token was certainly younger than the violating one was when it was admitted;
 * - an early reject: the admitted token was certainly older than the violating one was when it was refused;
 * - a revival: the refused token was at least as old as the violating one was when it was admitted again.
 * Without this rule a lasting violation would appear and disappear with the check times.
 * @param canaries all canaries; the failed ones are the violations
 */
export const clears = (probe: Proof, { age }: Check, canaries: readonly Canary[]): boolean =>
  canaries
    .filter((canary) => breachOf(canary) === probe)
    .every(({ bounds: { atLeast = 0, atMost = Infinity } }) => {
      if (probe === canaryProbes.lives) return age.least > atMost;
      return probe === canaryProbes.dies ? age.most < atLeast : age.least >= atLeast;
    });

/** Whether another failed canary shows the same violation, and contradicting that one contradicts this one too. */
export const isOutweighed = (canary: Canary, canaries: readonly Canary[]): boolean =>
  canaries.some(
    (other) =>
      other !== canary &&
      breachOf(other) !== undefined &&
      breachOf(other) === breachOf(canary) &&
      weightOf(other) >= weightOf(canary),
  );

/** How hard a failed canary is to contradict, compared with others that show the same violation; see `clears`. */
function weightOf(canary: Canary): number {
  const { atLeast = 0, atMost = Infinity } = canary.bounds;
  if (breachOf(canary) === canaryProbes.lives) return atMost;
  return breachOf(canary) === canaryProbes.dies ? -atLeast : atLeast;
}

/** The clause that a failed canary violates. If its token was refused before it was admitted, it was revived. */
function breachOf({ state, bounds }: Canary): Proof | undefined {
  const { atLeast = 0, atMost = Infinity } = bounds;
  const { lives, dies, stays } = canaryProbes;
  if (state !== 'failed') return undefined;
  if (atLeast <= lifetime) return lives;
  return atMost < atLeast ? stays : dies;
}
