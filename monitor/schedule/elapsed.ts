import type { Time } from './time.ts';

/**
 * Elapsed time that is never less than has really passed, as far as any clock of this machine tells: one stands still
 * while the machine sleeps, another is stepped back. Where the machine as a whole was stopped from outside, only the
 * provider's `Date` has gone on. That is kept apart: servers behind one address have clocks of their own, so a `Date`
 * may widen an age, and never says how long something took here.
 */
export interface Elapsed {
  /** Milliseconds by this machine's own clocks, from any beginning. It never goes back. */
  now(): number;
  /** By how much the provider's latest `Date` is ahead of `now` (milliseconds); undefined before the first. */
  ahead(): number | undefined;
  /** @param provider the `Date` of an answer that has just come: milliseconds since 1970 */
  observe(provider: number): void;
}

/** An instant, by which a later one can be told how much has passed at most. */
export interface Instant {
  readonly now: number;
  readonly ahead: number | undefined;
}

/** Time that has passed from now on. */
export function elapsedBy(time: Pick<Time, 'monotonic' | 'uptime' | 'wall'>): Elapsed {
  const read = (): number[] => [time.monotonic(), time.uptime(), time.wall()];
  let [last, elapsed] = [read(), 0];
  let ahead: number | undefined;

  function now(): number {
    const clocks = read();
    elapsed += Math.max(0, ...clocks.map((ms, index) => ms - (last[index] ?? ms)));
    last = clocks;
    return elapsed;
  }

  return {
    now,
    ahead: () => ahead,
    observe(provider) {
      ahead = provider - now();
    },
  };
}

/** An instant of elapsed time. */
export const instantOf = ({ now, ahead }: Elapsed): Instant => ({ now: now(), ahead: ahead() });

/** What has passed at most since an instant (milliseconds), by this machine's clocks or by the provider's `Date`. */
export function mostSince({ now, ahead }: Instant, elapsed: Elapsed): number {
  const known = elapsed.ahead();
  const more = ahead === undefined || known === undefined ? 0 : known - ahead;
  return elapsed.now() - now + Math.max(0, more);
}
