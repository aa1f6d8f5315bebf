import type { MemberRow } from './database.ts';

/** A member that shows no sign of life for so long, while this one sees the database, is dead (milliseconds). */
const silentMs = 10_000;

/** Who has not seen the database for so long begins to look anew: the others may not have seen it either. */
const blindMs = 7_000;

/**
 * Which members show no sign of life. The database's clock must find them ended too: neither a step of that clock nor
 * an outage of the database, after which all members come back one after the other, makes a member dead.
 */
export class Liveness {
  readonly #monotonic: () => number;
  readonly #elapsed: () => number;
  readonly #seen = new Map<string, { readonly beat: number; readonly since: number }>();
  #lastAt = Number.NEGATIVE_INFINITY;

  /**
   * @param monotonic never more than has really passed: the others' silence is measured by it
   * @param elapsed never less: this member's own blindness is
   */
  constructor(monotonic: () => number, elapsed: () => number) {
    this.#monotonic = monotonic;
    this.#elapsed = elapsed;
  }

  /** Takes in the members as the database has them now. */
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

  /** Since it last saw the members, they may have come back one after the other. */
  #isBlind(): boolean {
    return this.#elapsed() - this.#lastAt > blindMs;
  }
}
