import { isDeepStrictEqual } from 'node:util';
import type { exchange } from '../../contract/http/exchange.ts';
import type { Time } from '../../monitor/loop/time.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import type { Status } from '../../monitor/status/status.ts';
import { openDatabase } from '../../monitor/store/opening.ts';
import { type Saved, Store } from '../../monitor/store/store.ts';
import { Watch } from '../../monitor/watch.ts';
import { probes } from '../../probes/index.ts';
import type { SimulatedTime } from '../monitor/simulated-time.ts';
import type { Journal } from './journal.ts';
import { pictureOf, type View } from './picture.ts';
import type { Witness } from './witness.ts';

/** The monitor's process, which can start and end. Its state file stays. */
export interface SimulatedMonitor {
  start(targets: readonly WatchedTarget[]): void;
  /** From now on records what each write writes, so that it can be compared with the state after a kill. */
  brace(): void;
  /** Ends the process; unflushed changes are lost. */
  kill(): void;
  /** Waits for running probes, and ends. */
  drain(withinMs: number): Promise<void>;
  retarget(targets: readonly WatchedTarget[]): void;
  view(): View | undefined;
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
  let written: View | undefined;

  function opened(): { readonly store: Store; readonly close: () => void } {
    const db = openDatabase(options.file);
    // Processes are killed here, and no machine loses its power, so no commit has to wait for the disk.
    db.exec('pragma synchronous = off');
    return { store: new WitnessedStore(db, saved), close: () => db.close() };
  }

  function saved(store: Store, target: string, status: Status): void {
    const problem = store.problem();
    if (problem !== undefined) journal.complain(`the state file is not written: ${problem}`);
    witness.saw(target, status);
    if (!braced || running === undefined) return;
    // The other targets may be in the middle of a round, which is written when it ends.
    const now = running.watch.view();
    const isSaved = (view: View['targets'][number]): boolean => view.status.target === target;
    const others = written?.targets.filter((view) => !isSaved(view)) ?? [];
    written = { ...now, targets: [...others, ...now.targets.filter(isSaved)] };
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
  function compare(earlier: View, after: View, why: string): void {
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
      const { store, close } = opened();
      const process = new Watch({
        targets,
        store,
        exchange: options.exchange,
        log: witness.log,
        probes: witness.watched(probes),
        time: own,
        periodSeconds: options.periodSeconds,
      });
      running = { close, watch: process };
      if (written !== undefined) compare(written, process.view(), 'a restart');
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
      if (drained) written = running.watch.view();
      end();
    },
    retarget(targets) {
      if (running === undefined) return;
      const before = running.watch.view();
      running.watch.retarget(targets);
      compare(before, running.watch.view(), 'other targets');
    },
    view: () => running?.watch.view(),
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

/** A state file that reports what is written. */
class WitnessedStore extends Store {
  readonly #saved: (store: Store, target: string, status: Status) => void;

  constructor(
    db: ConstructorParameters<typeof Store>[0],
    onSaved: (store: Store, target: string, status: Status) => void,
  ) {
    super(db);
    this.#saved = onSaved;
  }

  override load(target: string): Saved {
    const found = super.load(target);
    // Their ids are random, so they are sorted by age, which depends only on the seed.
    return { ...found, canaries: new Map([...found.canaries].sort(byAge)) };
  }

  override save(...[target, status, at]: Parameters<Store['save']>): void {
    super.save(target, status, at);
    this.#saved(this, target, status as Status);
  }
}

const madeAt = (value: unknown): number => Number(JSON.parse(JSON.stringify(value)).canary?.madeAt);

const byAge = (one: [string, unknown], other: [string, unknown]): number =>
  madeAt(one[1]) - madeAt(other[1]);
