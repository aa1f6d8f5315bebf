/** How long a run keeps its place (milliseconds). */
export const placeMs = 1_000;

/** A run that takes a place, and the target that it is against. */
interface Holder {
  /** It has not ended. */
  readonly running: boolean;
  readonly lane: Lane;
}

interface Lane {
  /** Its last run took longer than a place is kept. */
  slow: boolean;
}

/**
 * Places for runs that have just begun. A run that takes longer waits for its provider: it costs a socket and hardly
 * any time of ours, so it gives its place back. Targets that hang can therefore never take all places and keep them.
 */
export class Places<H extends Holder> {
  readonly #count: number;
  /** Slow targets may have half of the places, so that the others always find one. */
  readonly #forSlow: number;
  /** When each place was taken, the oldest first. */
  readonly #taken = new Map<H, number>();

  /** @param count how many there are */
  constructor(count: number) {
    this.#count = count;
    this.#forSlow = Math.max(1, Math.floor(count / 2));
  }

  /** Frees the places of runs that have ended, and of those that have had theirs for long enough. */
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

  /** When the next place is free at the latest; undefined when all are. */
  nextAt(): number | undefined {
    const [oldest] = this.#taken.values();
    return oldest === undefined ? undefined : oldest + placeMs;
  }
}
