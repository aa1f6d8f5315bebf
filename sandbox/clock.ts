/** The sandbox's time: it goes on as its source does until it is stopped at an instant. Milliseconds since 1970. */
export class SimulatedClock {
  readonly #source: () => number;
  readonly #ahead: number;
  #stoppedAt: number | undefined;

  /** @param source real time unless said; @param startAt the time at the beginning, that of the source unless said */
  constructor(startAt?: number, source: () => number = Date.now) {
    this.#source = source;
    this.#ahead = startAt === undefined ? 0 : startAt - source();
  }

  now(): number {
    return this.#stoppedAt ?? this.#source() + this.#ahead;
  }

  stopAt(instant: number): void {
    this.#stoppedAt = instant;
  }

  release(): void {
    this.#stoppedAt = undefined;
  }
}
