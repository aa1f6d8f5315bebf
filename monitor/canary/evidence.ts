import { envelopeBreaches, isLetIn, isRefusal, isSuccess } from '../../contract/admission.ts';
import type { MustId } from '../../contract/clauses.ts';
import { lifetime } from '../../contract/durations.ts';
import type { Finding } from '../../contract/finding.ts';
import { type Answer, outline, readJson } from '../../contract/http/answer.ts';
import { type Breach, createFinding } from '../../contract/judge/findings.ts';
import type { Age } from './age.ts';
import type { Canary, Check } from './canary.ts';
import { effectiveToleranceMs, type Tolerance } from './verdict.ts';

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

/** An answer to a canary, the check that it led to, and what a finding quotes. */
export interface SeenAnswer {
  readonly answer: Answer;
  readonly check: Check;
  readonly before: Canary;
  readonly endpointName: string;
  readonly scrub: (text: string) => string;
}

type Looked = Pick<SeenAnswer, 'answer' | 'check'>;

/** An admission proves the lifetime if it is at most this long before the token's end. */
const nearMs = 6 * 60_000;

/**
 * The result of a check. A success is an admission, and so is the answer that the token got when it was new (OPEN-7).
 * Any other answer shows nothing before the end, and is wrong after it.
 */
export function readAdmission(answer: Answer, canary: Canary, age: Age, tolerance: Tolerance) {
  if (answer.status === 401) return false;
  const isAdmitted =
    age.least < lifetime + effectiveToleranceMs(tolerance)
      ? isSuccess(answer.status) || answer.status === canary.controlStatus
      : isLetIn(answer, restoreControl(canary, answer));
  return isAdmitted || 'wrong_answer';
}

/**
 * Whether an answer may be an accident. The contract's own 401 and its data never are, and an admission long before the
 * end decides nothing.
 */
export function isOdd({ answer, check }: Looked): boolean {
  if (answer.status === 401) return !isRefusal(answer);
  if (check.verdict === 'wrong_answer') return true;
  const isData = isSuccess(answer.status) && readJson(answer).why === undefined;
  return check.admitted && check.age.least >= lifetime - nearMs && !isData;
}

/** The answer that the token got when it was new, as far as it is stored. */
export const restoreControl = ({ controlStatus }: Canary, answer: Answer): Answer => ({
  ...answer,
  status: controlStatus,
  headers: [],
  body: Buffer.alloc(0),
});

/** What a check shows; undefined when it decides nothing. @param canaries all; the failed ones are the violations */
export function findEvidence(shown: SeenAnswer, canaries: readonly Canary[]): Evidence | undefined {
  const { before, check, answer, endpointName, scrub } = shown;
  const clause = findClause(before, check);
  if (clause === undefined) return undefined;
  const context = { probe: proofs[clause], endpointName, simulated: true, scrub };
  const findings = findBreaches(shown, clause).map((breach) =>
    createFinding(context, breach.clause, answer, breach),
  );
  const counts = findings.length > 0 || clears(clause, check, canaries);
  return counts ? { clause, at: check.at, findings } : undefined;
}

function findClause(
  before: Canary,
  { verdict, phase, age, admitted }: Check,
): ProvenClause | undefined {
  // Close to the end an admission proves the lifetime, even if the token may have been older.
  const isLate = admitted && age.least >= lifetime - nearMs;
  if (verdict === 'undecided') return isLate && before.state === 'alive' ? 'EXPIRY-1' : undefined;
  if (phase === 'after') return before.state === 'expired' ? 'EXPIRY-5' : 'EXPIRY-2';
  return verdict === 'early_reject' || (verdict === 'ok' && isLate) ? 'EXPIRY-1' : undefined;
}

/** What is wrong with the answer. @param about the clause that the check decides about */
function findBreaches(
  { answer, check: { verdict, phase } }: Looked,
  about: ProvenClause,
): (Breach & { readonly clause: MustId })[] {
  const received = outline(answer);
  const young = { clause: about, reason: 'a canary', received };
  if (verdict === 'early_reject') return [{ ...young, expected: 'any answer but 401' }];
  if (verdict === 'late_accept')
    return [{ ...young, expected: '401, since the token has expired' }];
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
 */
export const clears = (clause: ProvenClause, { age }: Check, canaries: readonly Canary[]) =>
  canaries.every((canary) => {
    const violation = findViolation(canary);
    if (violation?.clause !== clause) return true;
    if (clause === 'EXPIRY-1') return age.least > violation.ageMs;
    return clause === 'EXPIRY-2' ? age.most < violation.ageMs : age.least >= violation.ageMs;
  });

/** The clause that a failed canary violates, and at which age. One that was refused before it was admitted was revived. */
function findViolation({ state, bounds: { atLeast = 0, atMost = Infinity } }: Canary) {
  if (state !== 'failed') return undefined;
  if (atLeast <= lifetime) return { clause: 'EXPIRY-1', ageMs: atMost } as const;
  return { clause: atMost < atLeast ? 'EXPIRY-5' : 'EXPIRY-2', ageMs: atLeast } as const;
}
