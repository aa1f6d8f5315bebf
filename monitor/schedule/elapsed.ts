import type { Time } from './time.ts';

/**
 * Elapsed time that is never less than real time, as far as the clocks of this machine show. One clock stops while
 * the machine sleeps; another can be set back. If the whole machine was stopped from outside, only the provider's
 * `Date` shows it. That is kept separate: servers behind one address have different clocks. So a `Date` may widen
 * an age, but never measures a duration here.
 */
export interface Elapsed {
  /** Milliseconds by this machine's own clocks, from any origin. It never goes back. */
  now(): number;
  /** How far the provider's latest `Date` is ahead of `now` (milliseconds); undefined before the first. */
  ahead(): number | undefined;
  /** @param provider the `Date` of an answer that was just received: milliseconds since 1970 */
  observe(provider: number): void;
}

/** An instant from which the maximum elapsed time can be measured. */
export interface Instant {
  readonly now: number;
  readonly ahead: number | undefined;
}

/** Reading the uptime needs a system call, so answers trigger it at most once in this time (milliseconds). */
const uptimeMs = 250;

export function elapsedBy(time: Pick<Time, 'monotonic' | 'uptime' | 'wall'>): Elapsed {
  let monotonic = time.monotonic();
  let uptime = time.uptime();
  let wall = time.wall();
  let elapsed = 0;
  /** The time that the other two clocks have shown since the uptime was last read. */
  let sinceUptime = 0;
  let ahead: number | undefined;

  function withoutUptime(): number {
    const monotonicNow = time.monotonic();
    const wallNow = time.wall();
    const passed = Math.max(0, monotonicNow - monotonic, wallNow - wall);
    [monotonic, wall] = [monotonicNow, wallNow];
    elapsed += passed;
    sinceUptime += passed;
    return elapsed;
  }

  function now(): number {
    withoutUptime();
    const uptimeNow = time.uptime();
    elapsed += Math.max(0, uptimeNow - uptime - sinceUptime);
    [uptime, sinceUptime] = [uptimeNow, 0];
    return elapsed;
  }

  return {
    now,
    ahead: () => ahead,
    observe(provider) {
      const known = withoutUptime();
      ahead = provider - (sinceUptime < uptimeMs ? known : now());
    },
  };
}

/** The readings of elapsed time. Without `ahead`, only this machine's clocks are read. */
export type Readings = Pick<Elapsed, 'now'> & Partial<Pick<Elapsed, 'ahead'>>;

export const instantOf = ({ now, ahead }: Readings): Instant => ({ now: now(), ahead: ahead?.() });

/** The maximum time since an instant (milliseconds), by this machine's clocks or by the provider's `Date`. */
export function mostSince({ now, ahead }: Instant, elapsed: Readings): number {
  const known = elapsed.ahead?.();
  const more = ahead === undefined || known === undefined ? 0 : known - ahead;
  return elapsed.now() - now + Math.max(0, more);
}
