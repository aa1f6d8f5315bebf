import type { Time } from './time.ts';

/**
 * Elapsed time that is never less than the real time, as far as any clock of this machine shows: one clock stops
 * while the machine sleeps, another can be set back. If the whole machine was stopped from outside, only the
 * provider's `Date` has advanced. That is kept separate: servers behind one address have different clocks, so a
 * `Date` may widen an age, but never measures a duration here.
 */
export interface Elapsed {
  /** Milliseconds by this machine's own clocks, from any origin. It never goes back. */
  now(): number;
  /** How far the provider's latest `Date` is ahead of `now` (milliseconds); undefined before the first. */
  ahead(): number | undefined;
  /** @param provider the `Date` of an answer that was just received: milliseconds since 1970 */
  observe(provider: number): void;
}

/** An instant; a later one shows how much time has passed at most. */
export interface Instant {
  readonly now: number;
  readonly ahead: number | undefined;
}

/** To read the uptime costs a system call: for each answer it is read again only after so long (milliseconds). */
const uptimeMs = 250;

/** Time that has passed from now on. */
export function elapsedBy(time: Pick<Time, 'monotonic' | 'uptime' | 'wall'>): Elapsed {
  let [monotonic, uptime, wall] = [time.monotonic(), time.uptime(), time.wall()];
  let elapsed = 0;
  /** What of it the other two clocks have shown since the uptime was read. */
  let sinceUptime = 0;
  let ahead: number | undefined;

  function withoutUptime(): number {
    const [monotonicNow, wallNow] = [time.monotonic(), time.wall()];
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

/** An instant of elapsed time. */
export const instantOf = ({ now, ahead }: Elapsed): Instant => ({ now: now(), ahead: ahead() });

/** The maximum time since an instant (milliseconds), by this machine's clocks or by the provider's `Date`. */
export function mostSince({ now, ahead }: Instant, elapsed: Elapsed): number {
  const known = elapsed.ahead();
  const more = ahead === undefined || known === undefined ? 0 : known - ahead;
  return elapsed.now() - now + Math.max(0, more);
}
