import type { Ending } from '../../contract/round/attempt.ts';
import type { Time } from '../schedule/time.ts';
import { onceAt } from '../schedule/timing.ts';
import type { ProbeSlot } from '../target/plan.ts';

export interface RepetitionsContext {
  readonly time: Pick<Time, 'monotonic'>;
  /** Something further is to be run. */
  readonly plan: (slot: ProbeSlot) => void;
}

/** After a first failure a probe runs once more, sooner than its turn: a quarter of its period later, at most 15 s. */
const confirmAfterMs = (period: number): number => Math.min(period / 4, 15_000);

/** Which slots of a target run once more, sooner than their turn. */
export class Repetitions {
  readonly #context: RepetitionsContext;
  /** The keys of the slots that are about to run once more. */
  readonly #repeated = new Set<string>();
  /** The slots whose last run was no success, and whether it could not be judged. */
  readonly #failing: Map<string, { readonly slot: ProbeSlot; readonly isUnjudged: boolean }>;

  /** @param unjudged the slots whose last run could not be judged, before the monitor was started again */
  constructor(unjudged: readonly ProbeSlot[], context: RepetitionsContext) {
    this.#context = context;
    this.#failing = new Map(unjudged.map((slot) => [slot.key, { slot, isUnjudged: true }]));
  }

  /** Each slot whose last run was no success, once more. */
  slots(): ProbeSlot[] {
    return [...this.#failing.values()].map(({ slot }) => this.#again(slot));
  }

  /** The run of a slot begins. */
  begin({ key, confirms }: ProbeSlot): void {
    if (confirms !== undefined) this.#repeated.delete(key);
  }

  /** The run was discarded. Its own turn may be a day away; what is repeated already comes again by its own turn. */
  discard(slot: ProbeSlot): void {
    if (slot.confirms === undefined) this.#repeat(slot);
  }

  /** The run came to an end that counts. */
  take(slot: ProbeSlot, ending: Ending): void {
    const { key } = slot;
    if (ending !== 'kept') {
      if (!this.#failing.has(key)) this.#repeat(slot);
      this.#failing.set(key, { slot, isUnjudged: ending === 'unreachable' });
      return;
    }
    // What has its turn once an hour is not left unjudged for an hour after an outage.
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
