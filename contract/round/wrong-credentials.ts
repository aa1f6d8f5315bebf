import { isIntrusive, type Probe, type Stage } from '../probe.ts';
import type { ProbeResult } from './attempt.ts';
import type { DueRun, Target } from './target.ts';

type Options = Pick<Target, 'account' | 'secondAccount' | 'wrongCredentials'>;

/** To which account wrong credentials are sent, how many, and what follows from it. */
export class WrongCredentials {
  readonly #options: Options;
  readonly #guesses: { left: number };
  #wereSent = false;

  constructor(options: Options) {
    this.#options = options;
    this.#guesses = { left: options.wrongCredentials ?? Number.POSITIVE_INFINITY };
  }

  begin(stage: Stage): void {
    this.#wereSent ||= stage === 'wrong-credentials';
  }

  /** What of a probe's world depends on it. */
  worldFor(probe: Probe) {
    const { account, secondAccount = account } = this.#options;
    return { account: isIntrusive(probe) ? secondAccount : account, guesses: this.#guesses };
  }

  /** Why a missing token is no violation; undefined while the account cannot be locked. */
  lockedOut(probe: Probe): string | undefined {
    const isSafe = this.#options.secondAccount !== undefined;
    if (isSafe && isIntrusive(probe))
      return 'the second account (PUBLIC_API_SECOND_KEY) gets no token';
    return this.#wereSent && !isSafe
      ? 'after wrong credentials no token was given any more'
      : undefined;
  }

  /** The result of a run that the settings switch off. */
  leftOut({ probe, endpoint }: DueRun): ProbeResult | undefined {
    if (this.#options.wrongCredentials !== 0 || !isIntrusive(probe)) return undefined;
    const unproven = 'PUBLIC_API_WRONG_CREDENTIALS is 0, so no wrong credentials are sent';
    const nothing = { findings: [], observations: [], unproven, isOff: true } as const;
    return { probe, endpoint, outcome: 'passed', ...nothing, durationSeconds: 0 };
  }
}
