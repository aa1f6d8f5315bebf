import type { MemberRow } from './database.ts';

/** A member without a heartbeat for this time (milliseconds) is dead, if this member could read the database. */
const silentMs = 10_000;

/** After this time without the database (milliseconds) the measurement restarts: others may have lost it too. */
const blindMs = 7_000;

/**
 * Detects members that send no heartbeat. The database's clock must confirm it. So a change of that clock does not
 * make a member dead, and neither does a return one after another from a database outage.
 */
export class Liveness {
  readonly #monotonic: () => number;
  readonly #elapsed: () => number;
  readonly #seen = new Map<string, { readonly beat: number; readonly since: number }>();
  #lastAt = Number.NEGATIVE_INFINITY;

  /**
   * @param monotonic never ahead of real time: measures the silence of other members
   * @param elapsed never behind real time: measures how long this member could not read the database
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

  alive(): string[] {
    const dead = new Set(this.dead());
    return [...this.#seen.keys()].filter((id) => !dead.has(id));
  }

  /** Whether members may have returned one after another since this member last read the list. */
  #isBlind(): boolean {
    return this.#elapsed() - this.#lastAt > blindMs;
  }
}
