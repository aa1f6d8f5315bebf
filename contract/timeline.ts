import { type Clock, nextWholeSecond, type SettableClock } from './clock.ts';

/**
 * Simulated time shared by many probes: each waits for its own instants, and whenever all are waiting the provider's
 * clock jumps to the nearest instant that any of them waits for. So a hundred probes walk through ten years once,
 * forward only, and each of them reads as if it had the clock to itself.
 */
export interface Timeline {
  readonly now: () => number;
  /** Runs all of them from one instant, which is a whole second. @throws ClockError */
  run<Result>(probes: readonly ((clock: Clock) => Promise<Result>)[]): Promise<Result[]>;
  /** Lets the provider's real time go on. */
  release(): Promise<void>;
}

interface Waiter {
  readonly instant: number;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

export function timeline(provider: SettableClock): Timeline {
  let now: number | undefined;
  let touched = false;
  let active = 0;
  let waiting: Waiter[] = [];

  async function jump(instant: number): Promise<void> {
    touched = true;
    await provider.set(instant);
    now = instant;
  }

  /** Jumps when nobody has anything left to do at this instant. */
  function settle(): void {
    if (active > 0 || waiting.length === 0) return;
    const nearest = Math.min(...waiting.map(({ instant }) => instant));
    const due = waiting.filter(({ instant }) => instant === nearest);
    waiting = waiting.filter(({ instant }) => instant !== nearest);
    active = due.length;
    jump(nearest).then(
      () => {
        for (const { wake } of due) wake();
      },
      (error: unknown) => {
        const all = [...due, ...waiting.splice(0)];
        active = all.length;
        for (const { fail } of all) fail(error);
      },
    );
  }

  const clock: Clock = {
    now: () => now ?? Date.now(),
    pass: (ms) => clock.until(clock.now() + ms),
    until(instant) {
      if (instant === clock.now()) return Promise.resolve();
      if (instant < clock.now()) return Promise.reject(new Error(`${iso(instant)} has gone by`));
      return new Promise((wake, fail) => {
        waiting.push({ instant, wake, fail });
        active -= 1;
        settle();
      });
    },
    async together(lives) {
      // The caller waits for its lives: they are active in its place, and the last to end hands the place back.
      let left = lives.length;
      active += lives.length - 1;
      await settled(
        lives.map(async (live) => {
          try {
            await live(clock);
          } finally {
            left -= 1;
            if (left > 0) {
              active -= 1;
              settle();
            }
          }
        }),
      );
    },
  };

  return {
    now: clock.now,
    async run(probes) {
      await jump(nextWholeSecond(now ?? (await provider.read())));
      active += probes.length;
      return settled(
        probes.map(async (probe) => {
          try {
            return await probe(clock);
          } finally {
            active -= 1;
            settle();
          }
        }),
      );
    },
    async release() {
      if (touched) await provider.release();
      touched = false;
      now = undefined;
    },
  };
}

const iso = (instant: number): string => new Date(instant).toISOString();

/** Waits for the end of all of them, whatever comes of each; then the first failure counts. */
async function settled<Result>(all: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
