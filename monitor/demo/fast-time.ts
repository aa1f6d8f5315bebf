import { randomUUID } from 'node:crypto';
import { realTime, type Time } from '../schedule/time.ts';

/**
 * Time that runs `speed` times as fast as real time, from now on. All of its clocks follow the real monotonic
 * clock: if that stops while the machine sleeps, they all stop.
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
