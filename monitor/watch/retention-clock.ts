import { numberIn } from '../../contract/json-value.ts';
import { hours } from '../../contract/time/clock.ts';
import type { Time } from '../loop/time.ts';
import { monitorItself, type StateStore } from '../state/state.ts';

interface RetentionContext {
  readonly state: Pick<StateStore, 'entries' | 'put'>;
  readonly time: Pick<Time, 'wall' | 'monotonic'>;
}

/** The wall clock may be this far ahead of the time that has passed. */
const toleratedMs = hours(2);

/** A clock that is further ahead for this time is right: the machine was off, or its clock was behind. */
const believedMs = hours(24);

const entry = ['meta', 'retention clock'] as const;

/**
 * The instant from which the age of stored rows counts: the wall clock, unless it has jumped ahead in the last day.
 * A clock that is years ahead for some hours would remove the whole history.
 */
export class RetentionClock {
  readonly #context: RetentionContext;
  /** Milliseconds since 1970, at the monotonic instant beside it. */
  #now: number;
  #monotonic: number;
  /** How long the wall clock has been seen ahead; undefined while it is not. */
  #aheadMs: number | undefined;

  /** @throws StateOpenError */
  constructor(context: RetentionContext) {
    const { state, time } = context;
    const [kind, key] = entry;
    const saved = state.entries(monitorItself, kind).get(key);
    this.#context = context;
    this.#now = numberIn(saved, 'now') ?? time.wall();
    this.#aheadMs = numberIn(saved, 'aheadMs');
    this.#monotonic = time.monotonic();
  }

  /** Milliseconds since 1970. */
  now(): number {
    const { time } = this.#context;
    const wall = time.wall();
    const monotonic = time.monotonic();
    const passed = monotonic - this.#monotonic;
    const expected = this.#now + passed;
    const isAhead = wall > expected + toleratedMs;
    // It jumped at some time since the last call, so that interval does not count.
    const aheadMs = this.#aheadMs === undefined ? 0 : this.#aheadMs + passed;
    this.#aheadMs = isAhead ? aheadMs : undefined;
    const isBelieved = !isAhead || aheadMs >= believedMs;
    [this.#now, this.#monotonic] = [isBelieved ? wall : expected, monotonic];
    return this.#now;
  }

  /** Stores the instant, so that a restart does not believe a clock that has jumped ahead. */
  save(): void {
    const now = this.now();
    this.#context.state.put(monitorItself, ...entry, { now, aheadMs: this.#aheadMs });
  }
}
