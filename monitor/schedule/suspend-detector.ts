import { elapsedBy } from './elapsed.ts';
import type { Time } from './time.ts';

/**
 * Detects when this process was suspended: by a signal, with the machine, or because something else blocked the
 * event loop. A time limit that ends then shows nothing about the provider.
 */
export interface Vigil {
  /** Starts watching. @returns a function that ends it, and returns whether the process was suspended meanwhile */
  begin(): () => boolean;
}

/** The interval between two checks while something is watched (milliseconds). */
const everyMs = 250;

/** A check that is this late was blocked. */
const stillMs = 750;

/** It costs nothing while nothing is watched. */
export function vigil(time: Pick<Time, 'monotonic' | 'uptime' | 'wall' | 'after'>): Vigil {
  const { now } = elapsedBy(time);
  let [watched, lookedAt, stops] = [0, now(), 0];
  let cancel = (): void => {};

  function look(): void {
    const at = now();
    if (watched > 0 && at - lookedAt > everyMs + stillMs) stops += 1;
    lookedAt = at;
  }

  function again(): void {
    look();
    cancel = time.after(everyMs, again);
  }

  return {
    begin() {
      // The earlier ones must not miss their suspension because of this one.
      look();
      const before = stops;
      watched += 1;
      if (watched === 1) again();
      return () => {
        look();
        watched -= 1;
        if (watched === 0) cancel();
        return stops > before;
      };
    },
  };
}
