import { randomUUID } from 'node:crypto';
import { openSync, readFileSync, readSync } from 'node:fs';
import os from 'node:os';

/** Real time, or a simulation's. All instants are milliseconds. */
export interface Time {
  /**
   * Elapsed time that is never more than has really passed: it may stand still while the machine is suspended, and a
   * step of the wall clock moves nothing. Schedules and measurements use it.
   */
  monotonic(): number;
  /** Elapsed time that also counts while the machine is suspended. */
  uptime(): number;
  /** Since 1970. Anybody may step it. */
  wall(): number;
  /** Names the boot of the machine: within one `monotonic` and `uptime` are comparable, also between processes. */
  readonly boot: string;
  /** @returns takes it back */
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

/** Linux says it in a file that stays open: to open it for each look would cost as much as a request's parsing. */
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
