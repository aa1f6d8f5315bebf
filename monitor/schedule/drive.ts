import type { Schedule, Slot, Start } from './schedule.ts';
import { realTime, type Time } from './time.ts';

/** A schedule that is under way. */
export interface Drive {
  /** Nothing begins any more. @returns whether everything that had begun has ended within that time */
  drain(withinMs: number): Promise<boolean>;
  /** Looks at the schedule again, after something was added to it. */
  wake(): void;
}

/** Timers longer than 24.8 days fire at once (Node), so no timer sleeps longer than this. */
const longestMs = 3_600_000;

/**
 * Drives a schedule: sleeps until its next instant, and begins what is due.
 * @param run must not throw
 */
export function drive<S extends Slot>(
  schedule: Schedule<S>,
  run: (slot: S, lagMs: number) => Promise<void>,
  { monotonic, after }: Pick<Time, 'monotonic' | 'after'> = realTime,
): Drive {
  const running = new Set<Promise<void>>();
  let cancel = (): void => {};
  let draining = false;

  function wake(): void {
    const at = monotonic();
    for (const start of schedule.step(at)) begin(start, at);
    // A run that has begun may have planned another, and set a timer for it.
    cancel();
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
    wake,
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
