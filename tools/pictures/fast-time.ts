import { randomUUID } from 'node:crypto';
import { realTime, type Time } from '../../monitor/loop/time.ts';

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
  type Timer = { readonly at: number; readonly wake: () => void };
  /** The earliest first, and of those at the same time the one that was added first. */
  let timers: Timer[] = [];
  let elapsed = 0;
  let steppedAt = 0;
  let isRunning = false;

  function soon(): void {
    isRunning = timers.length > 0;
    steppedAt = realTime.monotonic();
    if (isRunning) realTime.after(stepMs, step);
  }

  function step(): void {
    const until = elapsed + Math.min(realTime.monotonic() - steppedAt, mostMs) * speed;
    for (let [due] = timers; due !== undefined && due.at <= until; [due] = timers) {
      timers.shift();
      elapsed = due.at;
      due.wake();
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
      const timer = { at: elapsed + Math.max(0, ms), wake };
      timers.splice(timers.findLastIndex(({ at }) => at <= timer.at) + 1, 0, timer);
      if (!isRunning) soon();
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  };
}
