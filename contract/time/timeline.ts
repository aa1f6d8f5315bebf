import { type Clock, ClockMoved, nextWholeSecond, type SettableClock, seconds } from './clock.ts';
import { iso, Sequences, settled } from './sequences.ts';

/**
 * Simulated time that many probes share: each waits for its own instants, and when all are waiting the provider's
 * clock jumps to the nearest of them. So a hundred probes pass through ten years once, forward only, and the code of
 * each reads as if no other probe used the clock.
 */
export class Timeline {
  readonly #provider: SettableClock;
  readonly #signal: AbortSignal | undefined;
  readonly #notBefore: number;
  readonly #sequences: Sequences;
  #now: number | undefined;
  #began = 0;
  #touched = false;

  /**
   * @param signal stops time at the current instant: probes that wait for a later one stop waiting
   * @param notBefore the last instant of an earlier timeline (milliseconds since 1970): time only goes forward
   */
  constructor(provider: SettableClock, signal?: AbortSignal, notBefore = 0) {
    this.#provider = provider;
    this.#signal = signal;
    this.#notBefore = notBefore;
    this.#sequences = new Sequences({ now: this.now, jump: (to) => this.#jump(to), signal });
  }

  readonly now = (): number => this.#now ?? Date.now();

  /** The instant at which the provider's clock is stopped; undefined while real time passes there. */
  readonly standing = (): number | undefined => this.#now;

  /** How much time was simulated so far (milliseconds): the provider's own time may be any. */
  readonly simulated = (): number => (this.#now === undefined ? 0 : this.#now - this.#began);

  /**
   * Runs all of them from one instant, which is a whole second, and waits for the end of all.
   * @param earliest they begin at this instant or later (milliseconds since 1970)
   * @throws ClockMoved when time was not stopped where it was set, so that no finding counts
   * @throws ClockError, and the signal's reason
   */
  async run<Result>(
    probes: readonly ((clock: Clock) => Promise<Result>)[],
    earliest = 0,
  ): Promise<Result[]> {
    this.#signal?.throwIfAborted();
    const start = Math.max(await this.#begin(), nextWholeSecond(earliest - 1));
    await this.#provider.set(start);
    this.#now = start;
    const begun = probes.map((probe) => this.#sequences.enter(probe));
    const results = await settled(begun.map((run) => run()));
    await this.checkStanding();
    return results;
  }

  /** Lets the provider's real time continue. */
  async release(): Promise<void> {
    if (this.#touched) await this.#provider.release();
    this.#touched = false;
    this.#now = undefined;
  }

  /**
   * Stops the provider's clock a little ahead, so that a slow answer is not a step back, and checks that it is
   * stopped there.
   */
  async #begin(): Promise<number> {
    if (this.#now !== undefined) return nextWholeSecond(this.#now);
    const now = Math.max(await this.#provider.read(), this.#notBefore);
    const start = nextWholeSecond(now + seconds(10));
    this.#touched = true;
    this.#began = start;
    await this.#provider.set(start - 1);
    await this.checkStanding(start - 1);
    return start;
  }

  async #jump(to: number): Promise<void> {
    await this.checkStanding();
    await this.#provider.set(to);
    this.#now = to;
  }

  /**
   * Checks that time is stopped where it was set, if it was set. Some clocks skip dates that they do not know, and
   * another run may move this clock: then ages of tokens are wrong.
   * @throws ClockMoved, ClockError
   */
  async checkStanding(at = this.#now): Promise<void> {
    if (at === undefined) return;
    const shown = await this.#provider.read();
    if (shown !== at)
      throw new ClockMoved(
        `${this.#provider.name}: set to ${iso(at)} it shows ${iso(shown)}, but it must stay where it is set`,
      );
  }
}
