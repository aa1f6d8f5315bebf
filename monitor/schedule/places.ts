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
export interface Places<H extends Holder> {
  /** Frees the places of runs that have ended, and of those that have had theirs for long enough. */
  free(now: number): void;
  /** Whether no target can have a place. */
  isFull(): boolean;
  /** Whether this target can have one: slow ones may have half of them, so that the others always find one. */
  isFor(lane: Lane): boolean;
  take(holder: H, now: number): void;
  /** When the next place is free at the latest; undefined when all are. */
  nextAt(): number | undefined;
}

/** @param count how many there are */
export function places<H extends Holder>(count: number): Places<H> {
  /** The oldest first. */
  const taken = new Map<H, number>();
  const forSlow = Math.max(1, Math.floor(count / 2));

  return {
    free(now) {
      for (const [holder, at] of taken) {
        const isLong = now - at >= placeMs;
        if (holder.running && !isLong) continue;
        taken.delete(holder);
        holder.lane.slow = isLong;
      }
    },
    isFull: () => taken.size >= count,
    isFor: ({ slow }) =>
      !slow || [...taken.keys()].filter(({ lane }) => lane.slow).length < forSlow,
    take: (holder, now) => void taken.set(holder, now),
    nextAt() {
      const [oldest] = taken.values();
      return oldest === undefined ? undefined : oldest + placeMs;
    },
  };
}
