import { elapsedBy } from './elapsed.ts';
import type { Time } from './time.ts';

/**
 * Detects that this process was suspended: by a signal, with the machine, or because something blocked the event
 * loop. A timeout during that time shows nothing about the provider.
 */
export interface Vigil {
  /** Starts watching. @returns a function that stops watching, and returns whether the process was suspended */
  begin(): () => boolean;
}

/** The interval between two checks while something is watched (milliseconds). */
const everyMs = 250;

/** If a check is later than this, the process was suspended. */
const stillMs = 750;

/** Creates a detector, which costs nothing while nothing is watched. */
export function vigil(time: Pick<Time, 'monotonic' | 'uptime' | 'wall' | 'after'>): Vigil {
  const now = elapsedBy(time);
  let watched = 0;
  let lookedAt = now();
  let stops = 0;
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
      // Check now, so that this new watch does not hide a suspension from earlier ones.
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
