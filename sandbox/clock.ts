/** The sandbox's time: it runs like its source until it is stopped at an instant. Milliseconds since 1970. */
export class SimulatedClock {
  readonly #running: () => number;
  #stoppedAt: number | undefined;

  /** @param source by default real time; @param startAt the time at the beginning, by default that of the source */
  constructor(startAt?: number, source: () => number = Date.now) {
    const aheadMs = (startAt ?? source()) - source();
    this.#running = () => source() + (startAt === undefined ? 0 : aheadMs);
  }

  now(): number {
    return this.#stoppedAt ?? this.#running();
  }

  stopAt(instant: number): void {
    this.#stoppedAt = instant;
  }

  release(): void {
    this.#stoppedAt = undefined;
  }
}
