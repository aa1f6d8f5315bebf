import type { FleetDatabase, Lease } from './database.ts';
import { type FleetState, problemOf } from './fleet-state.ts';

/** The most targets that one statement loads. */
const mostLoaded = 20;

export interface HoldingsContext {
  readonly database: Pick<FleetDatabase, 'load'>;
  readonly state: Pick<FleetState, 'adopt' | 'drop' | 'isWritten'>;
}

/** The targets of one member, from the moment that the database assigns them until they are released. */
export class Holdings {
  readonly #context: HoldingsContext;
  #held: readonly Lease[] = [];
  /** The loaded targets, with their fencing numbers. */
  readonly #adopted = new Map<string, number>();
  /** Targets that are no longer watched, and are released once their changes are written. */
  readonly #leaving = new Set<string>();
  #isLoading = false;
  #problem: string | undefined;

  constructor(context: HoldingsContext) {
    this.#context = context;
  }

  /** The number of targets that the database assigns to this member. */
  get size(): number {
    return this.#held.length;
  }

  /** The targets that may be watched. */
  targets(): string[] {
    return [...this.#adopted.keys()].filter((target) => !this.#leaving.has(target));
  }

  fenceOf(target: string): number | undefined {
    return this.#adopted.get(target);
  }

  /** Targets that are to be released, and whose changes are all written. */
  released(): Lease[] {
    return [...this.#leaving]
      .filter((target) => this.#context.state.isWritten(target))
      .map((target) => ({ target, fence: this.#adopted.get(target) ?? 0 }));
  }

  isLeaving(): boolean {
    return this.#leaving.size > 0;
  }

  /** Marks a target for release, once its changes are written. */
  giveBack(target: string): void {
    if (this.#adopted.has(target)) this.#leaving.add(target);
  }

  /** Cancels releases while writing is impossible, so that these targets are watched again. */
  keep(targets: ReadonlySet<string>): void {
    for (const target of this.#leaving) if (targets.has(target)) this.#leaving.delete(target);
  }

  /** Applies the database's answer. @returns how many targets were lost without a release */
  update(held: readonly Lease[]): number {
    this.#held = held;
    const fences = new Map(held.map(({ target, fence }) => [target, fence]));
    let lost = 0;
    for (const [target, fence] of this.#adopted) {
      if (fences.get(target) === fence) continue;
      if (!this.#leaving.has(target)) lost += 1;
      this.drop(target);
    }
    return lost;
  }

  /** The target belongs to another member. @returns whether it was this member's */
  drop(target: string): boolean {
    this.#leaving.delete(target);
    this.#context.state.drop(target);
    return this.#adopted.delete(target);
  }

  /** Why some held targets could not be loaded. */
  problem(): string | undefined {
    return this.#unloaded().length === 0 ? undefined : this.#problem;
  }

  /**
   * Loads the held targets that are not loaded yet, a few at a time. It never throws.
   * @param onLoaded called after each few
   */
  async load(onLoaded: () => void): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      for (let some = this.#unloaded(); some.length > 0; some = this.#unloaded()) {
        const rows = await this.#context.database.load(some.map(({ target }) => target));
        for (const lease of some) {
          const own = rows.get(lease.target);
          // The target may have been lost during loading.
          if (own === undefined || !this.#held.some((one) => isSame(one, lease))) continue;
          this.#context.state.adopt(lease.target, lease.fence, own);
          this.#adopted.set(lease.target, lease.fence);
        }
        this.#problem = undefined;
        onLoaded();
      }
    } catch (error) {
      this.#problem = problemOf('used', error);
    } finally {
      this.#isLoading = false;
    }
  }

  #unloaded(): Lease[] {
    return this.#held
      .filter(({ target, fence }) => this.#adopted.get(target) !== fence)
      .slice(0, mostLoaded);
  }
}

const isSame = (one: Lease, other: Lease): boolean =>
  one.target === other.target && one.fence === other.fence;
