import type { Finding } from '../finding.ts';
import type { Answer } from '../http/answer.ts';
import { orNothing, Unreachable } from '../http/unreachable.ts';

/** How often an unexpected answer must be seen before so many right ones. */
const needed = 4;

/** Checks the provider as a whole. @throws Stopped if it has stopped answering */
export type CheckAlive = (unexpected?: number) => Promise<void>;

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
 */
export class Repetitions {
  readonly #checkAlive: CheckAlive;
  readonly #confirmed = new Set<string>();

  constructor(checkAlive: CheckAlive = async () => {}) {
    this.#checkAlive = checkAlive;
  }

  /**
   * @param kind what was confirmed once in this run is not asked for again
   * @param unexpected the status of the answer, if a valid token was answered with another
   * @returns how often the answer was seen, if not always; undefined for an accident
   * @throws Unreachable, Stopped
   */
  async of(
    kind: string,
    again: Exchanged['again'],
    isUnexpected: (answer: Answer) => boolean,
    unexpected?: number,
  ): Promise<Pick<Finding, 'seen'> | undefined> {
    if (this.#confirmed.has(kind)) return {};
    let seen = 1;
    let right = 0;
    while (seen < needed && right < needed)
      if (isUnexpected(await again())) seen += 1;
      else right += 1;
    if (seen === needed) await this.#checkAlive(unexpected);
    // An outage may have ended just before the provider was checked.
    let persists = seen === needed && right > 0;
    for (let tries = 0; seen === needed && !persists && tries < needed; tries++)
      persists = isUnexpected(await again());
    if (!persists) return undefined;
    this.#confirmed.add(kind);
    return right === 0 ? {} : { seen: `${seen} of ${seen + right} requests` };
  }
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
