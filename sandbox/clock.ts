/** The sandbox's time: it runs like its source until it is stopped at an instant. Milliseconds since 1970. */
export class SimulatedClock {
  readonly #source: () => number;
  readonly #ahead: number;
  #stoppedAt: number | undefined;

  /** @param source by default real time; @param startAt the time at the beginning, by default that of the source */
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
