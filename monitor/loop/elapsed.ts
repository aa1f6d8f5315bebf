import type { Time } from './time.ts';

/**
 * Measures time that is never less than real time, as far as the clocks of this machine show: one stops while the
 * machine sleeps, another can be set back.
 * @returns reads the milliseconds since the call; they never go back
 */
export function elapsedBy(time: Pick<Time, 'monotonic' | 'uptime' | 'wall'>): () => number {
  const read = (): number[] => [time.monotonic(), time.uptime(), time.wall()];
  let before = read();
  let elapsed = 0;
  return () => {
    const now = read();
    elapsed += Math.max(0, ...now.map((reading, clock) => reading - (before[clock] ?? reading)));
    before = now;
    return elapsed;
  };
}
