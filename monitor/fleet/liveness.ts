import type { MemberRow } from './database.ts';

/** A member without a heartbeat for this time, while this one sees the database, is dead (milliseconds). */
const silentMs = 10_000;

/** A member that has not seen the database for this time starts anew: the others may not have seen it either. */
const blindMs = 7_000;

/**
 * Which members send no heartbeat. The database's clock must agree: so no member counts as dead because of a
 * change of that clock, or because the members return one after the other after an outage of the database.
 */
export class Liveness {
  readonly #monotonic: () => number;
  readonly #elapsed: () => number;
  readonly #seen = new Map<string, { readonly beat: number; readonly since: number }>();
  #lastAt = Number.NEGATIVE_INFINITY;

  /**
   * @param monotonic never more than the real time: measures the others' silence
   * @param elapsed never less: measures this member's own blindness
   */
  constructor(monotonic: () => number, elapsed: () => number) {
    this.#monotonic = monotonic;
    this.#elapsed = elapsed;
  }

  /** Applies the current list of members from the database. */
  observe(members: readonly MemberRow[]): void {
    if (this.#isBlind()) this.#seen.clear();
    this.#lastAt = this.#elapsed();
    const known = new Set(members.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!known.has(id)) this.#seen.delete(id);
    const since = this.#monotonic();
    for (const { id, beat } of members)
      if (this.#seen.get(id)?.beat !== beat) this.#seen.set(id, { beat, since });
  }

  dead(): string[] {
    if (this.#isBlind()) return [];
    const now = this.#monotonic();
    return [...this.#seen].filter(([, { since }]) => now - since >= silentMs).map(([id]) => id);
  }

  /** Since it last saw the members, they may have returned one after the other. */
  #isBlind(): boolean {
    return this.#elapsed() - this.#lastAt > blindMs;
  }
}
