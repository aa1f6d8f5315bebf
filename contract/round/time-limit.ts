import type { Service } from '../http/client.ts';
import type { Probe, Scope, Stage } from '../probe.ts';

/** The time of a round is over. What was not tried by then is unverified. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** The share of the time that is kept for wrong credentials and what follows them. */
const keptShare = 0.2;

/** The time that a round may take, from now on. */
export class TimeLimit {
  readonly #maxMs: number;
  readonly #startedAt = performance.now();

  /** @param maxMs milliseconds */
  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** The same service, which sends nothing when the time of a stage is over. @throws OutOfTimeError */
  service(service: Service, stage: Stage): Service {
    const check = (): void => this.#check(stage);
    const over = (own: Service): Service => ({
      issue: async (account) => {
        check();
        return own.issue(account);
      },
      exchange: async (...request) => {
        check();
        return own.exchange(...request);
      },
      call: async (...request) => {
        check();
        return own.call(...request);
      },
      connection: (use, sharing) => own.connection((kept) => use(over(kept)), sharing),
    });
    return over(service);
  }

  #check(stage: Stage): void {
    const isLast = stage === 'wrong-credentials' || stage === 'years';
    const most = isLast ? this.#maxMs : this.#maxMs * (1 - keptShare);
    if (performance.now() - this.#startedAt < most) return;
    throw new OutOfTimeError(`not finished within --max-time ${this.#maxMs / 1000} s`);
  }
}

const value: Readonly<Record<Scope, number>> = { core: 0, service: 1, deep: 2 };

/** The most valuable runs first: what every endpoint must do. */
export const byValue = <Run extends { readonly probe: Pick<Probe, 'scope'> }>(
  runs: readonly Run[],
): Run[] => runs.toSorted((one, other) => value[one.probe.scope] - value[other.probe.scope]);
