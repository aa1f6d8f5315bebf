/** How long a run occupies its place (milliseconds). */
export const placeMs = 1_000;

/** A run that occupies a place, and its target. */
interface Holder {
  /** It has not ended. */
  readonly running: boolean;
  readonly lane: Lane;
}

interface Lane {
  /** Its last run occupied its place for the full time. */
  slow: boolean;
}

/**
 * Places for runs that have just started. A longer run waits for its provider, and needs a socket but hardly any
 * CPU time, so its place is freed. So targets that hang never occupy all places permanently.
 */
export class Places<H extends Holder> {
  readonly #count: number;
  /** Slow targets may have half of the places, so that other targets always find one. */
  readonly #forSlow: number;
  /** When each place was occupied, the oldest first. */
  readonly #taken = new Map<H, number>();

  constructor(count: number) {
    this.#count = count;
    this.#forSlow = Math.max(1, Math.floor(count / 2));
  }

  /** Frees the places of runs that have ended, or have occupied them long enough. */
  free(now: number): void {
    for (const [holder, at] of this.#taken) {
      const isLong = now - at >= placeMs;
      if (holder.running && !isLong) continue;
      this.#taken.delete(holder);
      holder.lane.slow = isLong;
    }
  }

  /** Whether no target can have a place. */
  isFull(): boolean {
    return this.#taken.size >= this.#count;
  }

  /** Whether this target can have one. */
  isFor({ slow }: Lane): boolean {
    return !slow || [...this.#taken.keys()].filter(({ lane }) => lane.slow).length < this.#forSlow;
  }

  take(holder: H, now: number): void {
    this.#taken.set(holder, now);
  }

  /** When the next place is free at the latest; undefined when all are free. */
  nextAt(): number | undefined {
    const [oldest] = this.#taken.values();
    return oldest === undefined ? undefined : oldest + placeMs;
  }
}
