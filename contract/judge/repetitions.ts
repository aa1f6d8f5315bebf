import type { Finding } from '../finding.ts';
import type { Answer } from '../http/answer.ts';

/** How often an unexpected answer must be seen before so many right ones. */
export const needed = 4;

/** How a run treats accidents. */
export interface RepetitionOptions {
  /** Checks the provider as a whole. @throws Stopped if it has stopped answering */
  readonly checkAlive?: (unexpected?: number) => Promise<void>;
  /** Called for each unexpected answer that was not given again. */
  readonly onAccident?: () => void;
}

/** An answer, and a function that sends its request again. */
export interface Exchanged {
  readonly answer: Answer;
  readonly again: () => Promise<Answer>;
  /** Sends the same request to a path that does not exist. */
  readonly elsewhere?: () => Promise<Answer>;
}

/** An answer that may be an accident on the way. */
export interface Suspicion extends Pick<Exchanged, 'again'> {
  readonly isUnexpected: (answer: Answer) => boolean;
  /** Its status, if a valid token was answered with another. */
  readonly unexpected?: number;
}

/**
 * Separates the provider's faults from accidents: a proxy, a firewall or a restart answers instead of the provider,
 * usually to about one request in a hundred. So the request of an unexpected answer is sent again at once, while
 * simulated time stands still.
 */
export class Repetitions {
  readonly #options: RepetitionOptions;
  readonly #confirmed = new Set<string>();

  constructor(options: RepetitionOptions = {}) {
    this.#options = options;
  }

  /**
   * @param kind what was confirmed once in this run is not asked for again
   * @returns how often the answer was seen, if not always; undefined for an accident
   * @throws Unreachable, Stopped
   */
  async of(
    kind: string,
    { again, isUnexpected, unexpected }: Suspicion,
  ): Promise<Pick<Finding, 'seen'> | undefined> {
    const { checkAlive, onAccident } = this.#options;
    if (this.#confirmed.has(kind)) return {};
    let seen = 1;
    let right = 0;
    while (seen < needed && right < needed)
      if (isUnexpected(await again())) seen += 1;
      else right += 1;
    if (seen === needed) await checkAlive?.(unexpected);
    // An outage may have ended just before the provider was checked.
    let persists = seen === needed && right > 0;
    for (let tries = 0; seen === needed && !persists && tries < needed; tries++)
      persists = isUnexpected(await again());
    if (!persists) {
      onAccident?.();
      return undefined;
    }
    this.#confirmed.add(kind);
    return right === 0 ? {} : { seen: `${seen} of ${seen + right} requests` };
  }
}
