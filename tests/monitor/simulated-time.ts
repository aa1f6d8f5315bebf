import type { Time } from '../../monitor/loop/time.ts';

/** Time that passes only when a test advances it, and a machine that can be suspended, stopped or rebooted. */
export interface SimulatedTime extends Time {
  /** The true time since the beginning. */
  truth(): number;
  /** Advances time. After each timer, everything that it triggers runs before time continues. */
  pass(ms: number): Promise<void>;
  /** Ends a running `pass` once all consequences of this instant have happened. */
  interrupt(): void;
  /** The machine sleeps: its monotonic clock stops, all others continue, and no timer fires. */
  suspend(ms: number): void;
  /** The machine is stopped from outside, unnoticed. Afterwards its wall clock may be corrected. */
  pause(ms: number, wallGoesOn: boolean): void;
  /** A signal stops the process: all clocks continue, and no timer fires. */
  stop(ms: number): void;
  /** A user sets the wall clock. */
  step(ms: number): void;
  /** Drops all timers, and resets the monotonic clocks. */
  reboot(): void;
  /** Drops all timers. */
  kill(): void;
  /** The number of pending timers. */
  readonly sleepers: () => number;
}

export function simulatedTime(startAt = Date.UTC(2027, 2, 1)): SimulatedTime {
  let truth = 0;
  let monotonic = 1_000_000;
  let uptime = 1_000_000;
  let wall = startAt;
  let boots = 1;
  type Sleeper = { readonly at: number; readonly wake: () => void };
  /** The earliest first, and of those at the same time the one that was added first. */
  let sleepers: Sleeper[] = [];
  let interrupted = false;

  function advance(ms: number): void {
    truth += ms;
    monotonic += ms;
    uptime += ms;
    wall += ms;
  }

  function kill(): void {
    sleepers = [];
  }

  return {
    truth: () => truth,
    monotonic: () => monotonic,
    uptime: () => uptime,
    wall: () => wall,
    get boot() {
      return `boot ${boots}`;
    },
    after(ms, wake) {
      const sleeper = { at: monotonic + Math.max(0, ms), wake };
      sleepers.splice(sleepers.findLastIndex(({ at }) => at <= sleeper.at) + 1, 0, sleeper);
      return () => {
        sleepers = sleepers.filter((candidate) => candidate !== sleeper);
      };
    },
    async pass(ms) {
      const end = monotonic + ms;
      interrupted = false;
      await settled();
      if (interrupted) return;
      for (let [due] = sleepers; due !== undefined && due.at <= end; [due] = sleepers) {
        sleepers.shift();
        advance(Math.max(0, due.at - monotonic));
        due.wake();
        await settled();
        if (interrupted) return;
      }
      advance(end - monotonic);
      await settled();
    },
    interrupt() {
      interrupted = true;
    },
    suspend(ms) {
      truth += ms;
      uptime += ms;
      wall += ms;
    },
    pause(ms, wallGoesOn) {
      truth += ms;
      if (wallGoesOn) wall += ms;
    },
    stop: advance,
    step(ms) {
      wall += ms;
    },
    reboot() {
      kill();
      boots += 1;
      [monotonic, uptime] = [0, 0];
    },
    kill,
    sleepers: () => sleepers.length,
  };
}

/** Waits until all consequences of what has happened have happened too. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
