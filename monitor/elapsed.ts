import { seconds } from '../contract/clock.ts';
import type { Time } from './time.ts';

/**
 * Elapsed time that is never less than has really passed, as far as any clock tells: one stands still while the
 * machine sleeps, another is stepped back, and where the machine as a whole was stopped from outside, the provider's
 * `Date` alone has gone on. Whoever refuses a token that may have ended by this is accused of nothing.
 */
export interface Elapsed {
  /** Milliseconds, from any beginning. It never goes back. */
  now(): number;
  /** @param provider the `Date` of an answer that has just come: milliseconds since 1970 */
  hear(provider: number): void;
}

/** A `Date` has whole seconds, and may be a second old: less than this proves nothing. */
const dateAllowanceMs = seconds(3);

/** Time that has passed from now on. */
export function elapsedBy(time: Pick<Time, 'monotonic' | 'uptime' | 'wall'>): Elapsed {
  const read = (): number[] => [time.monotonic(), time.uptime(), time.wall()];
  let [last, elapsed] = [read(), 0];
  /** How far the provider's clock is ahead of what has elapsed. */
  let ahead: number | undefined;

  function now(): number {
    const clocks = read();
    elapsed += Math.max(0, ...clocks.map((ms, index) => ms - (last[index] ?? ms)));
    last = clocks;
    return elapsed;
  }

  return {
    now,
    hear(provider) {
      const more = provider - now() - (ahead ?? provider - elapsed);
      if (more > dateAllowanceMs) elapsed += more;
      // Our own clocks have said too much: from here on it is compared anew.
      if (ahead === undefined || more < -dateAllowanceMs) ahead = provider - elapsed;
    },
  };
}
