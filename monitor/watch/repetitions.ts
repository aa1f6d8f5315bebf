import { isIntrusive } from '../../contract/probe.ts';
import type { Time } from '../schedule/time.ts';
import { onceAt } from '../schedule/timing.ts';
import { gotBy } from '../target/answering.ts';
import type { ProbeSlot } from '../target/plan.ts';
import type { Run } from '../target/run.ts';

export interface RepetitionsContext {
  readonly time: Pick<Time, 'monotonic'>;
  /** Called when a further slot must be scheduled. */
  readonly plan: (slot: ProbeSlot) => void;
}

/** After a first failure a probe runs again early: after a quarter of its period, or 15 s if that is sooner. */
const confirmAfterMs = (period: number): number => Math.min(period / 4, 15_000);

/** A slot whose last run failed or proved nothing, and whether it could not be judged. */
export interface Failing {
  readonly slot: ProbeSlot;
  readonly isUnjudged: boolean;
}

/** The slot of a run, if that run must be repeated early. Answered requests with wrong credentials are not. */
export function failingBy(slot: ProbeSlot, run: Run): Failing | undefined {
  const got = gotBy(run);
  const isUnjudged = got === 'no answer' || (got === 'no proof' && !isIntrusive(slot.probe));
  return isUnjudged || run.result.outcome !== 'passed' ? { slot, isUnjudged } : undefined;
}

/** The slots of a target that run again before their regular time. */
export class Repetitions {
  readonly #context: RepetitionsContext;
  /** The keys of the slots that will soon run again. */
  readonly #repeated = new Set<string>();
  readonly #failing: Map<string, Failing>;

  /** @param failing the slots whose last run before the restart failed or proved nothing */
  constructor(failing: readonly Failing[], context: RepetitionsContext) {
    this.#context = context;
    this.#failing = new Map(failing.map((one) => [one.slot.key, one]));
  }

  /** One extra run for each of these slots. */
  slots(): ProbeSlot[] {
    return [...this.#failing.values()].map(({ slot }) => this.#again(slot));
  }

  begin({ key, confirms }: ProbeSlot): void {
    if (confirms !== undefined) this.#repeated.delete(key);
  }

  /** Called when the run was discarded. A regular run is repeated early, since the next may be a day away. */
  discard(slot: ProbeSlot): void {
    if (slot.confirms === undefined) this.#repeat(slot);
  }

  /** Called when a run that counts has ended. */
  take(slot: ProbeSlot, run: Run): void {
    const { key } = slot;
    const failing = failingBy(slot, run);
    if (failing !== undefined) {
      if (!this.#failing.has(key)) this.#repeat(slot);
      this.#failing.set(key, failing);
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
