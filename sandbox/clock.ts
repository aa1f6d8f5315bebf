/** The sandbox's time: real until it is stopped at an instant. Milliseconds since 1970. */
export class SimulatedClock {
  #stoppedAt: number | undefined;

  now(): number {
    return this.#stoppedAt ?? Date.now();
  }

  stopAt(instant: number): void {
    this.#stoppedAt = instant;
  }

  release(): void {
    this.#stoppedAt = undefined;
  }
}
