/** The sandbox's time: it goes on as real time does until it is stopped at an instant. Milliseconds since 1970. */
export class SimulatedClock {
  readonly #ahead: number;
  #stoppedAt: number | undefined;

  /** @param startAt the time at the beginning; now unless said */
  constructor(startAt = Date.now()) {
    this.#ahead = startAt - Date.now();
  }

  now(): number {
    return this.#stoppedAt ?? Date.now() + this.#ahead;
  }

  stopAt(instant: number): void {
    this.#stoppedAt = instant;
  }

  release(): void {
    this.#stoppedAt = undefined;
  }
}
