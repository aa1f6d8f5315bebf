import { elapsedBy } from './elapsed.ts';
import type { Time } from './time.ts';

/**
 * Notices when this process stood still: it was stopped by a signal, the machine was suspended, or something else held
 * the event loop. A time limit that ends then says nothing of the provider.
 */
export interface Vigil {
  /** Watches from now on. @returns ends that, and says whether the process stood still in the meantime */
  begin(): () => boolean;
}

/** How often it looks while something is watched (milliseconds). */
const everyMs = 250;

/** A look that comes so much later was held up. */
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
      // Those that were watched already must not leave their stop to this one.
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
