import type { Schedule, Slot, Start } from './schedule.ts';

/** Real time, or a test's. */
export interface Timers {
  /** Monotonic, milliseconds: a step of the wall clock moves nothing. */
  now(): number;
  /** @returns takes it back */
  after(ms: number, wake: () => void): () => void;
}

const realTimers: Timers = {
  now: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

/** A schedule that is under way. */
export interface Drive {
  /** Nothing begins any more. @returns whether everything that had begun has ended within that time */
  drain(withinMs: number): Promise<boolean>;
}

/** Timers longer than 24.8 days fire at once (Node), so nobody sleeps longer than this. */
const longestMs = 3_600_000;

/**
 * Drives a schedule: sleeps until its next instant, and begins what is due.
 * @param run must not throw
 */
export function drive<S extends Slot>(
  schedule: Schedule<S>,
  run: (slot: S, lagMs: number) => Promise<void>,
  { now, after }: Timers = realTimers,
): Drive {
  const origin = now();
  const running = new Set<Promise<void>>();
  let cancel = (): void => {};
  let draining = false;

  function wake(): void {
    cancel();
    const at = now() - origin;
    for (const start of schedule.step(at)) begin(start, at);
    if (draining) return;
    const next = schedule.nextAt();
    if (next !== undefined) cancel = after(Math.min(Math.max(next - at, 0), longestMs), wake);
  }

  function begin({ slot, dueAt }: Start<S>, at: number): void {
    const done: Promise<void> = run(slot, at - dueAt).finally(() => {
      running.delete(done);
      schedule.finished(slot);
      wake();
    });
    running.add(done);
  }

  wake();
  return {
    async drain(withinMs) {
      draining = true;
      schedule.drain();
      wake();
      const drained = Promise.all(running).then(() => true);
      let giveUp = (): void => {};
      const late = new Promise<boolean>((resolve) => {
        giveUp = after(withinMs, () => resolve(false));
      });
      return Promise.race([drained, late]).finally(giveUp);
    },
  };
}
