/** The sandbox's time: it runs like real time until it is stopped at an instant. Milliseconds since 1970. */
export class SimulatedClock {
  readonly #aheadMs: number;
  #stoppedAt: number | undefined;

  /** @param startAt the time at the beginning */
  constructor(startAt = Date.now()) {
    this.#aheadMs = startAt - Date.now();
  }

  now(): number {
    return this.#stoppedAt ?? Date.now() + this.#aheadMs;
  }

  stopAt(instant: number): void {
    this.#stoppedAt = instant;
  }

  release(): void {
    this.#stoppedAt = undefined;
  }
}
