import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Real time, or a simulation's. All instants are milliseconds. */
export interface Time {
  /** Elapsed time, for schedules and measurements: it may stop while the machine is suspended. */
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
  uptime: () => os.uptime() * 1000,
  wall: Date.now,
  boot: thisBoot(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

/** Linux has an id for each boot. On other systems, clocks are never compared between processes. */
function thisBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}
