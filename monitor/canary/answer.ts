import { isLetIn, isRefusal, isSuccess } from '../../contract/admission.ts';
import { type Answer, jsonOf } from '../../contract/http/answer.ts';
import { lifetime } from '../../contract/time/clock.ts';
import type { Age } from './age.ts';
import type { Canary, Check, CheckAnswer } from './canary.ts';
import { forgiven, type Tolerance } from './verdict.ts';

/** An answer to a canary, and the check that it led to. */
export interface SeenAnswer {
  readonly answer: Answer;
  readonly check: Check;
}

/** An admission proves the lifetime if it is at most this long before the token's end. */
export const nearMs = 6 * 60_000;

/** How often the monitor sends a request whose answer would count against the provider. */
const mostLooks = 4;

/**
 * The result of a check. A success is an admission. So is the answer that the token got when it was new, because
 * that is not a 401 (OPEN-7). Before the end any other answer shows nothing about the token. After the end only the
 * 401 is right.
 */
export function seenIn(
  answer: Answer,
  canary: Canary,
  age: Age,
  tolerance: Tolerance,
): CheckAnswer['admitted'] {
  if (answer.status === 401) return false;
  const isAdmitted =
    age.least < lifetime + forgiven(tolerance)
      ? isSuccess(answer.status) || answer.status === canary.controlStatus
      : isLetIn(answer, controlOf(canary, answer));
  return isAdmitted || 'wrong_answer';
}

/**
 * Checks a canary, and repeats the check if the answer is unusual: it may come from a proxy. Of four unusual answers
 * the most frequent status counts, and of two equally frequent ones the first.
 * @param look sends the request again
 */
export async function unlessAccident<Seen extends SeenAnswer>(
  look: () => Promise<Seen>,
): Promise<Seen> {
  const looks: Seen[] = [];
  while (looks.length < mostLooks) {
    const seen = await look();
    if (!isOdd(seen)) return seen;
    looks.push(seen);
  }
  const alike = (seen: Seen): number =>
    looks.filter(({ answer }) => answer.status === seen.answer.status).length;
  return looks.reduce((most, seen) => (alike(seen) > alike(most) ? seen : most));
}

/** The contract's own 401 and its data are never accidental. Long before the end an admission decides nothing. */
export function isOdd({ answer, check }: SeenAnswer): boolean {
  if (answer.status === 401) return !isRefusal(answer);
  if (check.verdict === 'wrong_answer') return true;
  const isData = isSuccess(answer.status) && jsonOf(answer).is === 'json';
  return check.admitted && check.age.least >= lifetime - nearMs && !isData;
}

/** The answer that the token got when it was new, as far as it is stored. */
export const controlOf = ({ controlStatus }: Canary, answer: Answer): Answer => ({
  ...answer,
  status: controlStatus,
  headers: [],
  body: Buffer.alloc(0),
});
