import { type Clock, ClockMoved, nextWholeSecond, type SettableClock, seconds } from './clock.ts';
import { iso, Lives, settled } from './lives.ts';

/**
 * Simulated time shared by many probes: each waits for its own instants, and whenever all are waiting the provider's
 * clock jumps to the nearest instant that any of them waits for. So a hundred probes walk through ten years once,
 * forward only, and each of them reads as if it had the clock to itself.
 */
export class Timeline {
  readonly #provider: SettableClock;
  readonly #signal: AbortSignal | undefined;
  readonly #lives: Lives;
  #now: number | undefined;
  #touched = false;

  /** @param signal stops time where it stands: probes that wait for a later instant stop waiting */
  constructor(provider: SettableClock, signal?: AbortSignal) {
    this.#provider = provider;
    this.#signal = signal;
    this.#lives = new Lives({ now: this.now, jump: (to) => this.#jump(to), signal });
  }

  readonly now = (): number => this.#now ?? Date.now();

  /** The instant at which the provider's clock stands; undefined while real time passes there. */
  readonly standing = (): number | undefined => this.#now;

  /**
   * Runs all of them from one instant, which is a whole second, and waits for the end of all.
   * @throws ClockMoved when time did not stand where it was set, so that nothing that they found counts
   * @throws ClockError, and the signal's reason
   */
  async run<Result>(probes: readonly ((clock: Clock) => Promise<Result>)[]): Promise<Result[]> {
    this.#signal?.throwIfAborted();
    const start = await this.#begin();
    await this.#provider.set(start);
    this.#now = start;
    const begun = probes.map((probe) => this.#lives.enter(probe));
    const results = await settled(begun.map((run) => run()));
    await this.#seeStanding();
    return results;
  }

  /** Sees that time stands where it was set, if it was. @throws ClockMoved, ClockError */
  checkStanding(): Promise<void> {
    return this.#seeStanding();
  }

  /** Lets the provider's real time go on. */
  async release(): Promise<void> {
    if (this.#touched) await this.#provider.release();
    this.#touched = false;
    this.#now = undefined;
  }

  /**
   * Stops the provider's clock a little ahead, so that a slow answer is no step back, and sees that it stands there.
   */
  async #begin(): Promise<number> {
    if (this.#now !== undefined) return nextWholeSecond(this.#now);
    const start = nextWholeSecond((await this.#provider.read()) + seconds(10));
    this.#touched = true;
    await this.#provider.set(start - 1);
    await this.#seeStanding(start - 1);
    return start;
  }

  /** A clock that is far away is asked where it stood while it is told to go on, so that this takes no time. */
  async #jump(to: number): Promise<void> {
    const standing = this.#seeStanding(this.#now, to);
    if (this.#provider.movesProcess === true) await standing;
    await settled([standing, this.#provider.set(to)]);
    this.#now = to;
  }

  /**
   * Some clocks pass over dates they do not know, and another process that moves this one moves it under the probes.
   * @param next it may be on its way there
   */
  async #seeStanding(at = this.#now, next = at): Promise<void> {
    if (at === undefined) return;
    const shown = await this.#provider.read();
    if (shown !== at && shown !== next)
      throw new ClockMoved(
        `${this.#provider.name}: set to ${iso(at)} it shows ${iso(shown)}, but it must stay where it is set`,
      );
  }
}
