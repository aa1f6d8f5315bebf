import type { Finding } from '../finding.ts';
import type { Answer } from '../http/answer.ts';
import { orNothing } from '../http/client.ts';
import { UnreachableError } from '../http/unreachable.ts';

/**
 * How often an unexpected answer must be seen before so many right ones. With one accident in a hundred requests, an
 * accident is mistaken for a fault once in five million requests.
 */
const needed = 4;

/** An answer, and a function that sends its request again. */
export interface Exchanged {
  readonly answer: Answer;
  readonly resend: () => Promise<Answer>;
  /** Sends the same request to a path that does not exist. */
  readonly sendElsewhere?: () => Promise<Answer>;
}

/**
 * Separates the provider's faults from accidents: a proxy or a restart answers about one request in a hundred. So the
 * request of an unexpected answer is sent again at once, while simulated time stands still.
 * @returns how often the answer was seen, if not always; undefined for an accident
 * @throws UnreachableError, StoppedError
 */
export async function confirm(
  resend: Exchanged['resend'],
  isUnexpected: (answer: Answer) => boolean,
  checkAlive: () => Promise<void> = async () => {},
): Promise<Pick<Finding, 'seen'> | undefined> {
  let seen = 1;
  let right = 0;
  while (seen < needed && right < needed)
    if (isUnexpected(await resend())) seen += 1;
    else right += 1;
  if (seen < needed) return undefined;
  await checkAlive();
  if (right > 0) return { seen: `${seen} of ${seen + right} requests` };
  // An outage may have ended just before the provider was checked.
  for (let tries = 0; tries < needed; tries++) if (isUnexpected(await resend())) return {};
  return undefined;
}

/**
 * Whether requests of a kind never get an answer, although others do each time.
 * @param error why the first got none
 * @param admitted sends a request that is admitted @throws UnreachableError if these get no answer either
 */
export async function isLostAlone(
  error: unknown,
  resend: () => Promise<unknown>,
  admitted: () => Promise<unknown>,
): Promise<boolean> {
  if (!(error instanceof UnreachableError) || error.reason !== 'reset') return false;
  for (let tries = 0; tries < needed; tries++) {
    if ((await orNothing(resend())) !== undefined) return false;
    await admitted();
  }
  return true;
}
