/** Requests that share a pace and its pauses. */
export class Lane {
  /** The least time between two requests: as set, or more if the provider asks for it. */
  intervalMs: number;
  sent = 0;
  /** How far apart requests were since the last pause, with the pause: the pace in the long run. */
  meanMs = 0;
  /** How many pauses there were. */
  pauses = 0;
  readonly #leastMs: number;
  /** When the next request may be sent, and when the last pause ends that the provider requested. */
  #next = 0;
  #shutUntil = 0;
  /** When requests were answered, and how many pauses in a row no answer followed. */
  readonly #answers: number[] = [];
  #inARow = 0;
  #since = 0;
  #sentBefore = 0;

  constructor(perSecond = Number.POSITIVE_INFINITY) {
    this.#leastMs = 1000 / perSecond;
    this.intervalMs = this.#leastMs;
  }

  isShut(now: number): boolean {
    return now < this.#shutUntil;
  }

  /** @returns when the next request may be sent */
  take(now: number): number {
    const mine = Math.max(this.#next, this.#shutUntil, now);
    this.#next = mine + this.intervalMs;
    return mine;
  }

  /** A provider that admits requests is tried a little faster. */
  admitted(now: number): void {
    this.#answers.push(now);
    if (this.#answers.length > mostAnswers) this.#answers.shift();
    this.#inARow = 0;
    this.intervalMs = Math.max(this.#leastMs, this.intervalMs * 0.98);
  }

  /** The pause after a 429 that names none. */
  usualPauseMs(now: number): number {
    return this.isShut(now) ? 1000 : 1000 * 2 ** Math.min(this.#inARow, 5);
  }

  /** All requests of the lane wait. The provider has admitted so many in as long a time. */
  pause(now: number, pauseMs: number): void {
    const isFirst = !this.isShut(now);
    this.#shutUntil = Math.max(this.#shutUntil, now + pauseMs);
    if (!isFirst) return;
    this.pauses += 1;
    this.#inARow += 1;
    const lately = this.#answers.filter((at) => at > now - pauseMs).length;
    this.intervalMs = Math.max(this.intervalMs, pauseMs / Math.max(lately, 1));
    this.#next = this.#shutUntil;
    const sent = this.sent - this.#sentBefore;
    this.meanMs =
      this.#since === 0 ? this.intervalMs : (this.#shutUntil - this.#since) / Math.max(sent, 1);
    this.#since = this.#shutUntil;
    this.#sentBefore = this.sent;
  }

  /** Forgets what it has learnt: that was about another lane. */
  forget(): void {
    this.intervalMs = this.#leastMs;
    this.#shutUntil = 0;
    this.#next = 0;
  }
}

/** More than a provider admits in a window that is waited for. */
const mostAnswers = 1000;
