import type { Finding } from '../finding.ts';
import type { Answer } from '../http/answer.ts';
import { orNothing, Unreachable } from '../http/unreachable.ts';

/**
 * How often an unexpected answer must be seen before so many right ones. With one accident in a hundred requests, an
 * accident is mistaken for a fault once in five million requests.
 */
const needed = 4;

/** An answer, and a function that sends its request again. */
export interface Exchanged {
  readonly answer: Answer;
  readonly again: () => Promise<Answer>;
  /** Sends the same request to a path that does not exist. */
  readonly elsewhere?: () => Promise<Answer>;
}

/**
 * Separates the provider's faults from accidents: a proxy or a restart answers about one request in a hundred. So the
 * request of an unexpected answer is sent again at once, while simulated time stands still.
 * @returns how often the answer was seen, if not always; undefined for an accident
 * @throws Unreachable, Stopped
 */
export async function repeats(
  again: Exchanged['again'],
  isUnexpected: (answer: Answer) => boolean,
  checkAlive: () => Promise<void> = async () => {},
): Promise<Pick<Finding, 'seen'> | undefined> {
  let seen = 1;
  let right = 0;
  while (seen < needed && right < needed)
    if (isUnexpected(await again())) seen += 1;
    else right += 1;
  if (seen < needed) return undefined;
  await checkAlive();
  if (right > 0) return { seen: `${seen} of ${seen + right} requests` };
  // An outage may have ended just before the provider was checked.
  for (let tries = 0; tries < needed; tries++) if (isUnexpected(await again())) return {};
  return undefined;
}

/**
 * Whether requests of a kind never get an answer, although others do each time.
 * @param error why the first got none
 * @param admitted sends a request that is admitted @throws Unreachable if these get no answer either
 */
export async function isLostAlone(
  error: unknown,
  again: () => Promise<unknown>,
  admitted: () => Promise<unknown>,
): Promise<boolean> {
  if (!(error instanceof Unreachable) || error.reason !== 'reset') return false;
  for (let tries = 0; tries < needed; tries++) {
    if ((await orNothing(again())) !== undefined) return false;
    await admitted();
  }
  return true;
}
