import { randomUUID } from 'node:crypto';
import { realTime, type Time } from '../schedule/time.ts';

/**
 * Time that runs `speed` times as fast as another, from now on. All of its clocks follow the other's monotonic clock: a
 * machine that sleeps lets it stand still, as a whole.
 */
export function fastTime(
  speed: number,
  real: Pick<Time, 'monotonic' | 'wall' | 'after'> = realTime,
): Time {
  const [began, startedAt] = [real.monotonic(), real.wall()];
  const elapsed = (): number => (real.monotonic() - began) * speed;
  return {
    monotonic: elapsed,
    uptime: elapsed,
    wall: () => Math.floor(startedAt + elapsed()),
    boot: randomUUID(),
    after: (ms, wake) => real.after(ms / speed, wake),
  };
}
