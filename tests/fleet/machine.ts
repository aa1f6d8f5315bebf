import type { Time } from '../../monitor/schedule/time.ts';
import type { SimulatedTime } from '../monitor/simulated-time.ts';

/** A machine with clocks of its own, and one process that can be stopped, suspended or killed. */
export interface Machine extends Time {
  readonly name: string;
  /** A signal stops its process. Its clocks continue, and no timer fires until `continue`. */
  stop(): void;
  /** The machine is suspended, so its monotonic clock stops too. */
  suspend(): void;
  continue(): void;
  /** Its process ends, and none of its timers fires any more. */
  kill(): void;
  /** A user sets its wall clock. */
  step(ms: number): void;
}

/** The differences of a machine's clocks from true time (milliseconds). */
export interface Offsets {
  readonly monotonic: number;
  readonly wall: number;
}

/** @param truth the true time, which is the same for all machines */
export function machine(name: string, truth: SimulatedTime, offsets: Offsets): Machine {
  let asleepMs = 0;
  let wall = offsets.wall;
  let state: 'runs' | 'stopped' | 'asleep' = 'runs';
  let since = 0;
  let process = 0;
  let deferred: (() => void)[] = [];

  const slept = (): number => asleepMs + (state === 'asleep' ? truth.truth() - since : 0);

  function halt(how: typeof state): void {
    if (state !== 'runs') return;
    [state, since] = [how, truth.truth()];
  }

  return {
    name,
    boot: `boot of ${name}`,
    monotonic: () => truth.monotonic() + offsets.monotonic - slept(),
    uptime: () => truth.monotonic() + offsets.monotonic,
    wall: () => truth.wall() + wall,
    after(ms, wake) {
      const own = process;
      let isCancelled = false;
      const cancel = truth.after(ms, () => {
        const late = (): void => {
          if (own === process && !isCancelled) wake();
        };
        if (state === 'runs') late();
        else deferred.push(late);
      });
      return () => {
        isCancelled = true;
        cancel();
      };
    },
    stop: () => halt('stopped'),
    suspend: () => halt('asleep'),
    continue() {
      asleepMs = slept();
      state = 'runs';
      const waiting = deferred;
      deferred = [];
      for (const wake of waiting) wake();
    },
    kill() {
      asleepMs = slept();
      state = 'runs';
      process += 1;
      deferred = [];
    },
    step(ms) {
      wall += ms;
    },
  };
}
