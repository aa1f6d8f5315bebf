import { isDeepStrictEqual } from 'node:util';
import type { exchange } from '../../contract/http/exchange.ts';
import type { Time } from '../../monitor/loop/time.ts';
import { openDatabase } from '../../monitor/state/opening.ts';
import { type StateStore, stateIn } from '../../monitor/state/state.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import type { Status } from '../../monitor/watch/status.ts';
import { Watch } from '../../monitor/watch/watch.ts';
import { probes } from '../../probes/index.ts';
import type { SimulatedTime } from '../monitor/simulated-time.ts';
import type { Journal } from './journal.ts';
import { pictureOf } from './picture.ts';
import type { Witness } from './witness.ts';

/** The monitor's process, which can start and end. Its state file stays. */
export interface SimulatedMonitor {
  start(targets: readonly WatchedTarget[]): void;
  /** From now on records what each flush writes, so that it can be compared with the state after a kill. */
  brace(): void;
  /** Ends the process; unflushed changes are lost. */
  kill(): void;
  /** Waits for running probes, and ends. */
  drain(withinMs: number): Promise<void>;
  retarget(targets: readonly WatchedTarget[]): void;
  /** @param only the name of the one target that is described */
  status(only?: string): Status | undefined;
}

export interface MonitorOptions {
  readonly file: string;
  readonly periodSeconds: number;
  readonly time: SimulatedTime;
  readonly exchange: typeof exchange;
  readonly witness: Witness;
  readonly journal: Journal;
  /** Called when the process ends: its requests in progress are dropped. */
  readonly onEnd: () => void;
}

interface Process {
  readonly close: () => void;
  readonly watch: Watch;
}

/** Runs the monitor with its state in a real file. Everything else is in simulated time. */
export function simulatedMonitor(options: MonitorOptions): SimulatedMonitor {
  const { time, witness, journal } = options;
  const own = withTimers(time);
  let running: Process | undefined;
  let braced = false;
  /** The content of the file, as far as it is known. */
  let written: Status | undefined;

  function opened(): { readonly state: StateStore; readonly close: () => void } {
    const db = openDatabase(options.file);
    // Processes are killed here, and no machine loses its power, so no commit has to wait for the disk.
    db.exec('pragma synchronous = off');
    const state = stateIn(db);
    const noting =
      (write: () => boolean): (() => boolean) =>
      () => {
        const done = write();
        if (!done) journal.complain(`the state file is not written: ${state.problem()}`);
        if (done && braced && running !== undefined) written = running.watch.status();
        return done;
      };
    return {
      close: () => db.close(),
      state: {
        ...state,
        flush: noting(state.flush),
        tidy: (now) => noting(() => state.tidy(now))(),
        entries(target, kind) {
          const found = state.entries(target, kind);
          // Their ids are random, so they are sorted by age, which depends only on the seed.
          return kind === 'canary' ? new Map([...found].sort(byAge)) : found;
        },
      },
    };
  }

  function end(): void {
    running?.close();
    running = undefined;
    braced = false;
    time.kill();
    own.forget();
    witness.forget();
    options.onEnd();
  }

  /** Checks that the restored state equals what was written. */
  function compare(earlier: Status, after: Status, why: string): void {
    const before = pictureOf(earlier);
    for (const [name, now] of Object.entries(pictureOf(after))) {
      const known = before[name];
      if (known === undefined || isDeepStrictEqual(known, now)) continue;
      for (const part of Object.keys(now))
        if (!isDeepStrictEqual(known[part], now[part])) {
          const texts = [known[part], now[part]].map((one) => JSON.stringify(one));
          journal.complain(
            `${name}: ${why} has changed ${part}\n  before ${texts[0]}\n  after  ${texts[1]}`,
          );
        }
    }
  }

  return {
    start(targets) {
      const { state, close } = opened();
      const metrics = witness.metrics();
      const process = new Watch({
        ...options,
        targets,
        state,
        version: 'simulated',
        metrics,
        log: witness.log,
        probes: witness.watched(probes),
        time: own,
        pace: { periodSeconds: options.periodSeconds, seed: '' },
        // A month has 2.6 million seconds.
        flushMs: 60_000,
      });
      running = { close, watch: process };
      if (written !== undefined) compare(written, process.status(), 'a restart');
      written = undefined;
      process.start();
    },
    brace() {
      braced = true;
    },
    kill: end,
    async drain(withinMs) {
      if (running === undefined) return;
      let drained: boolean | undefined;
      void running.watch.drain(withinMs).then((done) => {
        drained = done;
      });
      await time.pass(0);
      while (drained === undefined) await time.pass(100);
      if (drained && witness.running().length > 0) journal.complain('drained, and a probe runs');
      if (drained && own.sleepers() > 0) journal.complain('drained, and a timer sleeps');
      if (drained) written = running.watch.status();
      end();
    },
    retarget(targets) {
      if (running === undefined) return;
      const before = running.watch.status();
      running.watch.retarget(targets);
      compare(before, running.watch.status(), 'other targets');
    },
    status: (only) => running?.watch.status(only),
  };
}

/** The monitor's own time, and its timers. */
function withTimers(
  time: SimulatedTime,
): Time & Pick<SimulatedTime, 'sleepers'> & { forget(): void } {
  const sleepers = new Set<() => void>();
  return {
    monotonic: time.monotonic,
    uptime: time.uptime,
    wall: time.wall,
    get boot() {
      return time.boot;
    },
    after(ms, wake) {
      const cancel = time.after(ms, () => {
        sleepers.delete(awake);
        wake();
      });
      const awake = (): void => {
        sleepers.delete(awake);
        cancel();
      };
      sleepers.add(awake);
      return awake;
    },
    sleepers: () => sleepers.size,
    forget: () => sleepers.clear(),
  };
}

const madeAt = (value: unknown): number => Number(JSON.parse(JSON.stringify(value)).canary?.madeAt);

const byAge = (one: [string, unknown], other: [string, unknown]): number =>
  madeAt(one[1]) - madeAt(other[1]);
