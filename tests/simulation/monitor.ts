import type { exchange } from '../../contract/http/exchange.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import type { Status } from '../../monitor/status/status.ts';
import { openDatabase } from '../../monitor/store/opening.ts';
import { type Saved, Store } from '../../monitor/store/store.ts';
import { Watch } from '../../monitor/watch.ts';
import { probes } from '../../probes/index.ts';
import type { SimulatedTime } from '../monitor/simulated-time.ts';
import type { Journal } from './journal.ts';
import type { Witness } from './witness.ts';

/** What is known of all targets. */
export type View = ReturnType<Watch['view']>;

/** The monitor's process, which can start and end. Its state file stays. */
export interface SimulatedMonitor {
  start(targets: readonly WatchedTarget[]): void;
  /** Ends the process; unflushed changes are lost. */
  kill(): void;
  /** Waits for running probes, and ends. */
  drain(withinMs: number): Promise<void>;
  retarget(targets: readonly WatchedTarget[]): void;
  view(): View | undefined;
  status(target: string): Status | undefined;
}

export interface MonitorOptions {
  readonly file: string;
  readonly periodSeconds: number;
  readonly time: SimulatedTime;
  readonly exchange: typeof exchange;
  readonly witness: Witness;
  readonly journal: Journal;
}

interface Process {
  readonly close: () => void;
  readonly watch: Watch;
}

/** Runs the monitor with its state in a real file. Everything else is in simulated time. */
export function simulatedMonitor(options: MonitorOptions): SimulatedMonitor {
  const { time, witness, journal } = options;
  let running: Process | undefined;

  function opened(): { readonly store: Store; readonly close: () => void } {
    const db = openDatabase(options.file);
    // Processes are killed here, and no machine loses its power, so no commit has to wait for the disk.
    db.exec('pragma synchronous = off');
    return { store: new WitnessedStore(db, journal, witness.saw), close: () => db.close() };
  }

  function end(): void {
    running?.close();
    running = undefined;
    time.kill();
  }

  return {
    start(targets) {
      const { store, close } = opened();
      const process = new Watch({
        targets,
        store,
        exchange: options.exchange,
        log: witness.log,
        probes,
        time,
        periodSeconds: options.periodSeconds,
      });
      running = { close, watch: process };
      process.start();
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
      end();
    },
    retarget: (targets) => running?.watch.retarget(targets),
    view: () => running?.watch.view(),
    status: (target) =>
      running?.watch.view().targets.find(({ status }) => status.target === target)?.status,
  };
}

/** A state file that reports what is written. */
class WitnessedStore extends Store {
  readonly #saw: Witness['saw'];

  constructor(db: ConstructorParameters<typeof Store>[0], journal: Journal, saw: Witness['saw']) {
    super(db, { info() {}, error: (problem) => journal.complain(problem) });
    this.#saw = saw;
  }

  override load(target: string): Saved {
    const found = super.load(target);
    // Their ids are random, so they are sorted by age, which depends only on the seed.
    return { ...found, canaries: new Map([...found.canaries].sort(byAge)) };
  }

  override save(...[target, status, at]: Parameters<Store['save']>): void {
    super.save(target, status, at);
    this.#saw(target, status as Status);
  }
}

const madeAt = (value: unknown): number => Number(JSON.parse(JSON.stringify(value)).canary?.madeAt);

const byAge = (a: [string, unknown], b: [string, unknown]): number => madeAt(a[1]) - madeAt(b[1]);
