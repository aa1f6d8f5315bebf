import { randomUUID } from 'node:crypto';
import { openSync, readFileSync, readSync } from 'node:fs';
import os from 'node:os';

/** Real time, or a simulation's. All instants are milliseconds. */
export interface Time {
  /**
   * Elapsed time that is never more than the real time: it may stop while the machine is suspended, and does not
   * depend on the wall clock. Schedules and measurements use it.
   */
  monotonic(): number;
  /** Elapsed time that also counts while the machine is suspended. */
  uptime(): number;
  /** Since 1970. It can be set at any time. */
  wall(): number;
  /** Identifies the boot of the machine. Within one boot, processes can compare `monotonic` and `uptime`. */
  readonly boot: string;
  /** @returns a function that cancels the call */
  after(ms: number, wake: () => void): () => void;
}

export const realTime: Time = {
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  uptime: uptimeReader(),
  wall: Date.now,
  boot: thisBoot(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

/** Linux has the uptime in a file. It stays open: opening it each time would cost as much as parsing a request. */
function uptimeReader(): () => number {
  const usual = (): number => os.uptime() * 1000;
  try {
    const file = openSync('/proc/uptime', 'r');
    const buffer = Buffer.alloc(64);
    return () => {
      const uptime = Number.parseFloat(
        buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)),
      );
      return uptime > 0 ? uptime * 1000 : usual();
    };
  } catch {
    return usual;
  }
}

/** Linux has an id for each boot. On other systems, clocks are never compared between processes. */
function thisBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}
