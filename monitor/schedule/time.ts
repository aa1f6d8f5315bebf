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
  /** The boot of the machine: within one boot `monotonic` and `uptime` are comparable, also between processes. */
  readonly boot: string;
  /** @returns removes it */
  after(ms: number, wake: () => void): () => void;
}

/** The clocks of this machine. */
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

/** Linux has it in a file that stays open: opening it each time would cost as much as parsing a request. */
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

/** Linux names its boots; elsewhere nothing is compared beyond this process. */
function thisBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}
