import type { Time } from './time.ts';

/** The interval between two looks at the clocks (milliseconds). */
const everyMs = 250;

/** If a look is later than this, the process was suspended. */
const lateMs = 750;

/**
 * Watches whether this process is suspended: by a signal, with the machine, or because something blocks the event
 * loop. A timeout during that time shows nothing about the provider.
 * @returns a function that stops watching, and returns for how long the process was suspended (milliseconds)
 */
export function watchForSuspend(
  time: Pick<Time, 'monotonic' | 'uptime' | 'wall' | 'after'>,
): () => number {
  // One clock stops while the machine sleeps, another can be set back.
  const read = (): number[] => [time.monotonic(), time.uptime(), time.wall()];
  let before = read();
  let suspendedMs = 0;
  let cancel = (): void => {};

  function look(): void {
    const now = read();
    const passed = Math.max(...now.map((reading, clock) => reading - (before[clock] ?? reading)));
    if (passed > everyMs + lateMs) suspendedMs += passed - everyMs;
    before = now;
  }

  function lookAgain(): void {
    look();
    cancel = time.after(everyMs, lookAgain);
  }

  lookAgain();
  return () => {
    look();
    cancel();
    return suspendedMs;
  };
}
