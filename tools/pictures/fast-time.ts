import { randomUUID } from 'node:crypto';
import { realTime, type Time } from '../../monitor/loop/time.ts';
import { PriorityQueue } from '../../tests/monitor/priority-queue.ts';

/** Real time between two steps (milliseconds). */
const stepMs = 1;

/** The most real time that one step counts (milliseconds). */
const mostMs = 4;

/**
 * Time that runs `speed` times as fast as real time. It advances in short steps while a timer is pending. A step that
 * comes late counts only a few milliseconds: on a busy machine, or while it sleeps, time runs more slowly. Otherwise
 * a request would take simulated hours there.
 */
export function fastTime(speed: number): Time {
  const startedAt = realTime.wall();
  const timers = new PriorityQueue<() => void>();
  const pending = new Set<() => void>();
  let elapsed = 0;
  let steppedAt = 0;
  let isRunning = false;

  function soon(): void {
    isRunning = pending.size > 0;
    steppedAt = realTime.monotonic();
    if (isRunning) realTime.after(stepMs, step);
  }

  function step(): void {
    const until = elapsed + Math.min(realTime.monotonic() - steppedAt, mostMs) * speed;
    for (let due = timers.take(until); due !== undefined; due = timers.take(until)) {
      elapsed = due.at;
      if (pending.delete(due.item)) due.item();
    }
    elapsed = until;
    soon();
  }

  return {
    monotonic: () => elapsed,
    uptime: () => elapsed,
    wall: () => Math.floor(startedAt + elapsed),
    boot: randomUUID(),
    after(ms, wake) {
      const timer = (): void => wake();
      pending.add(timer);
      timers.add(elapsed + Math.max(0, ms), timer);
      if (!isRunning) soon();
      return () => void pending.delete(timer);
    },
  };
}
