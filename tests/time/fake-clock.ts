import { type Clock, ClockError, type SettableClock } from '../../contract/time/clock.ts';

/** A provider's clock in memory, which records the calls to it. */
export interface FakeClock extends SettableClock {
  readonly sets: number[];
  releases: number;
}

/**
 * @param failsAt the number of the `set` call that fails, from 1
 * @param shows what the clock reads after it is set
 */
export function fakeClock(
  now: number,
  options: { readonly failsAt?: number; readonly shows?: (set: number) => number } = {},
): FakeClock {
  let shown = now;
  let setting = false;
  const sets: number[] = [];
  return {
    name: 'the fake clock',
    sets,
    releases: 0,
    read: async () => shown,
    async set(instant) {
      if (setting) throw new Error('it is set twice at once');
      setting = true;
      await new Promise(setImmediate);
      setting = false;
      sets.push(instant);
      if (sets.length === options.failsAt) throw new ClockError('the fake clock: cannot be set');
      shown = options.shows?.(instant) ?? instant;
    },
    async release() {
      this.releases += 1;
    },
  };
}

/** The instants at which a probe's waits end, relative to the beginning. */
export async function seen(clock: Clock, ...instants: number[]): Promise<number[]> {
  const began = clock.now();
  const at: number[] = [];
  for (const instant of instants) {
    await clock.until(began + instant);
    at.push(clock.now() - began);
  }
  return at;
}

/** The instants to which the provider's clock was set after the beginning of the probes. */
export const jumps = ({ sets }: FakeClock): number[] =>
  sets.slice(2).map((at) => at - (sets[1] ?? 0));
