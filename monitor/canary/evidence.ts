import { envelopeBreaches } from '../../contract/admission.ts';
import type { MustId } from '../../contract/clauses.ts';
import type { Finding } from '../../contract/finding.ts';
import { type Answer, outline } from '../../contract/http/answer.ts';
import { type Breach, findingOf } from '../../contract/judge/findings.ts';
import { lifetime } from '../../contract/time/clock.ts';
import { nearMs } from './answer.ts';
import type { Canary, Check } from './canary.ts';

/** The clauses that canaries prove, and the names of these proofs in findings. */
export const proofs = {
  'EXPIRY-1': 'a-canary-lives-for-24-hours',
  'EXPIRY-2': 'a-canary-dies-after-24-hours',
  'EXPIRY-5': 'a-dead-canary-stays-dead',
} as const satisfies Partial<Record<MustId, string>>;

export type ProvenClause = keyof typeof proofs;

/** What a check of a canary has shown about a clause. Without findings it proves the clause. */
export interface Evidence {
  readonly clause: ProvenClause;
  /** When the check began: milliseconds since 1970. */
  readonly at: number;
  /** Of this clause, or of ERROR-1 to ERROR-3. */
  readonly findings: readonly Finding[];
}

/** The answer to a canary, and what a finding quotes. */
export interface CheckedAnswer {
  /** The canary before the check. */
  readonly before: Canary;
  readonly check: Check;
  readonly answer: Answer;
  /** As findings name it. */
  readonly endpointName: string;
  readonly scrub: (text: string) => string;
}

/**
 * What a check shows; undefined when it decides nothing.
 * @param canaries the stored canaries, some of which may have failed
 */
export function evidenceOf(
  { before, check, answer, endpointName, scrub }: CheckedAnswer,
  canaries: readonly Canary[],
): Evidence | undefined {
  const clause = clauseOf(before, check);
  if (clause === undefined) return undefined;
  const context = { probe: proofs[clause], endpointName, simulated: true, scrub };
  const findings = breachesIn(answer, check, clause).map(({ clause: violated, ...breach }) =>
    findingOf(context, violated, answer, breach),
  );
  if (findings.length === 0 && !clears(clause, check, canaries)) return undefined;
  return { clause, at: check.at, findings };
}

/**
 * The clause that a check decides about. It is undefined for an undecided check, and for an admission long before
 * the end. An admission close to the end proves the lifetime, even if the token may have been older.
 */
function clauseOf(
  before: Canary,
  { verdict, phase, age, admitted }: Check,
): ProvenClause | undefined {
  const isClose = age.least >= lifetime - nearMs;
  if (verdict === 'undecided')
    return admitted && isClose && before.state === 'alive' ? 'EXPIRY-1' : undefined;
  if (phase === 'after') return before.state === 'expired' ? 'EXPIRY-5' : 'EXPIRY-2';
  if (verdict === 'wrong_answer' || (verdict === 'ok' && !isClose)) return undefined;
  return 'EXPIRY-1';
}

/** What is wrong with the answer to a canary. @param about the clause that the check decides about */
function breachesIn(
  answer: Answer,
  { verdict, phase }: Check,
  about: ProvenClause,
): (Breach & { readonly clause: MustId })[] {
  const received = outline(answer);
  if (verdict === 'early_reject')
    return [{ clause: about, reason: 'a canary', expected: 'any answer but 401', received }];
  const expected = '401, since the token has expired';
  if (verdict === 'late_accept') return [{ clause: about, reason: 'a canary', expected, received }];
  const reason = 'a canary that has expired';
  if (verdict === 'wrong_answer') return [{ clause: 'ERROR-1', reason, received }];
  if (verdict !== 'ok' || phase === 'before') return [];
  return envelopeBreaches(answer).map((breach) => ({ ...breach, reason }));
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
export const clears = (
  clause: ProvenClause,
  { age }: Check,
  canaries: readonly Canary[],
): boolean =>
  canaries
    .filter((canary) => violatedBy(canary) === clause)
    .every(({ bounds: { atLeast = 0, atMost = Infinity } }) => {
      if (clause === 'EXPIRY-1') return age.least > atMost;
      return clause === 'EXPIRY-2' ? age.most < atLeast : age.least >= atLeast;
    });

/** Whether another failed canary shows the same violation, and contradicting that one contradicts this one too. */
export const isOutweighed = (canary: Canary, canaries: readonly Canary[]): boolean =>
  canaries.some(
    (other) =>
      other !== canary &&
      violatedBy(other) !== undefined &&
      violatedBy(other) === violatedBy(canary) &&
      weightOf(other) >= weightOf(canary),
  );

/** How hard a failed canary is to contradict, compared with others that show the same violation; see `clears`. */
function weightOf(canary: Canary): number {
  const { atLeast = 0, atMost = Infinity } = canary.bounds;
  if (violatedBy(canary) === 'EXPIRY-1') return atMost;
  return violatedBy(canary) === 'EXPIRY-2' ? -atLeast : atLeast;
}

/** The clause that a failed canary violates. If its token was refused before it was admitted, it was revived. */
function violatedBy({ state, bounds }: Canary): ProvenClause | undefined {
  const { atLeast = 0, atMost = Infinity } = bounds;
  if (state !== 'failed') return undefined;
  if (atLeast <= lifetime) return 'EXPIRY-1';
  return atMost < atLeast ? 'EXPIRY-5' : 'EXPIRY-2';
}
