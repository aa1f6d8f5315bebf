import type { Outcome } from '../../contract/round/outcome.ts';
import type { Time } from '../schedule/time.ts';
import { onceAt } from '../schedule/timing.ts';
import type { ProbeSlot } from '../target/plan.ts';

export interface RepetitionsContext {
  readonly time: Pick<Time, 'monotonic'>;
  /** Called when a further slot must be scheduled. */
  readonly plan: (slot: ProbeSlot) => void;
}

/** After a first failure a probe runs again early: after a quarter of its period, or 15 s if that is sooner. */
const confirmAfterMs = (period: number): number => Math.min(period / 4, 15_000);

/** A slot whose last run was not a success, and whether it could not be judged. */
export interface Failing {
  readonly slot: ProbeSlot;
  readonly isUnjudged: boolean;
}

/** The slots of a target that run again before their regular time. */
export class Repetitions {
  readonly #context: RepetitionsContext;
  /** The keys of the slots that will soon run again. */
  readonly #repeated = new Set<string>();
  readonly #failing: Map<string, Failing>;

  /** @param failing the slots whose last run before the restart was not a success */
  constructor(failing: readonly Failing[], context: RepetitionsContext) {
    this.#context = context;
    this.#failing = new Map(failing.map((one) => [one.slot.key, one]));
  }

  /** One extra run for each slot whose last run was not a success. */
  slots(): ProbeSlot[] {
    return [...this.#failing.values()].map(({ slot }) => this.#again(slot));
  }

  /** Called when the run of a slot begins. */
  begin({ key, confirms }: ProbeSlot): void {
    if (confirms !== undefined) this.#repeated.delete(key);
  }

  /** Called when the run was discarded. A regular run is repeated early, since the next may be a day away. */
  discard(slot: ProbeSlot): void {
    if (slot.confirms === undefined) this.#repeat(slot);
  }

  /** Called when a run that counts has ended. */
  take(slot: ProbeSlot, outcome: Outcome): void {
    const { key } = slot;
    if (outcome !== 'passed') {
      if (!this.#failing.has(key)) this.#repeat(slot);
      this.#failing.set(key, { slot, isUnjudged: outcome === 'unreachable' });
      return;
    }
    // After an outage, a slot that runs once an hour must not stay unjudged for an hour.
    if (this.#failing.delete(key))
      for (const other of this.#failing.values()) if (other.isUnjudged) this.#repeat(other.slot);
  }

  #repeat(slot: ProbeSlot): void {
    if (!this.#repeated.has(slot.key)) this.#context.plan(this.#again(slot));
  }

  #again(slot: ProbeSlot): ProbeSlot {
    this.#repeated.add(slot.key);
    const at = this.#context.time.monotonic() + confirmAfterMs(slot.timing.period);
    return { ...slot, confirms: true, timing: onceAt(at) };
  }
}
