import type { Time } from './time.ts';

export interface LoopOptions {
  readonly periodMs: number;
  /** Milliseconds until the first tick. */
  readonly offsetMs: number;
  readonly time: Pick<Time, 'monotonic' | 'after'>;
  /**
   * Runs a tick, or what it has asked for. It never throws.
   * @param tick its number; absent where it runs again before the next tick
   * @returns in how many milliseconds it must run again, if that is before the next tick
   */
  readonly run: (tick?: number) => Promise<number | undefined>;
  readonly onMissed: (ticks: number) => void;
}

/** What happens at one target, one thing after another: ticks on a fixed grid, and appointments in between. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #startedAt: number;
  #appointments: readonly { readonly at: number; readonly run: () => Promise<void> }[] = [];
  #nextTick = 0;
  #againAt: number | undefined;
  #running: Promise<void> | undefined;
  /** Whether it is a round that runs, and no appointment. */
  #isInRound = false;
  isStopped = false;
  #cancel = (): void => {};

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#startedAt = options.time.monotonic() + options.offsetMs;
  }

  start(): void {
    this.#sleep();
  }

  /** Runs something once, at an instant of the monotonic clock or as soon after it as nothing else runs. */
  at(at: number, run: () => Promise<void>): void {
    const all = [...this.#appointments, { at, run }];
    this.#appointments = all.sort((a, b) => a.at - b.at);
    this.#sleep();
  }

  /** Starts nothing any more. @returns when what runs has ended */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.#cancel();
    await this.#running;
  }

  #sleep(): void {
    this.#cancel();
    if (this.isStopped || (this.#running !== undefined && !this.#isInRound)) return;
    const { time, periodMs } = this.#options;
    const tickAt = this.#startedAt + this.#nextTick * periodMs;
    const [first = { at: tickAt }] = this.#appointments;
    const at = this.#isInRound ? tickAt : Math.min(tickAt, first.at, this.#againAt ?? tickAt);
    // A timer that fires a fraction of a millisecond early would only sleep again.
    const ms = Math.max(Math.ceil(at - time.monotonic()), 0);
    this.#cancel = time.after(ms, () => this.#wake());
  }

  #wake(): void {
    const now = this.#options.time.monotonic();
    const lastDue = Math.floor((now - this.#startedAt) / this.#options.periodMs);
    // Of other ticks that passed, as while the process was stopped, the last one is only late.
    const missed = lastDue - this.#nextTick + (this.#isInRound ? 1 : 0);
    if (missed > 0) {
      this.#options.onMissed(missed);
      this.#nextTick += missed;
    }
    if (!this.#isInRound)
      this.#running = this.#due(now).finally(() => {
        this.#running = undefined;
        this.#isInRound = false;
        this.#sleep();
      });
    this.#sleep();
  }

  async #due(now: number): Promise<void> {
    const { periodMs, run, time } = this.#options;
    const [first, ...others] = this.#appointments;
    if (first !== undefined && first.at <= now) {
      this.#appointments = others;
      return first.run();
    }
    const isTick = this.#startedAt + this.#nextTick * periodMs <= now;
    if (!isTick && (this.#againAt ?? Number.POSITIVE_INFINITY) > now) return;
    this.#isInRound = true;
    const againMs = await run(isTick ? this.#nextTick++ : undefined);
    this.#againAt = againMs && time.monotonic() + againMs;
  }
}
