import { isIntrusive } from '../../contract/probe.ts';
import { gotBy } from '../target/answering.ts';
import { type Place, partOf, placeOf } from '../round/plan.ts';
import type { Run } from '../round/run.ts';

/** The longest time until places that failed run again. */
const longestMs = 15_000;

interface AgendaOptions {
  /** The name of the target. */
  readonly name: string;
  readonly places: readonly Place[];
  readonly tickSeconds: number;
  /** The last runs before this start, as far as they are known. */
  readonly runs: readonly Run[];
  /** How long ago a place ran before this start (milliseconds), if that is known. */
  readonly sinceLast: (key: string) => number | undefined;
}

/** Which places of a target are due: a period after their last run, and early after a failure. */
export class Agenda {
  readonly #options: AgendaOptions;
  /** The tick of the last run of each place; negative before this start. */
  readonly #lastTicks = new Map<Place, number>();
  /** The places whose last run was not a success, and whether it could not be judged. */
  readonly #failing = new Map<Place, { readonly isUnjudged: boolean }>();
  /** The places that run again before the next tick. */
  #again = new Set<Place>();
  #tick = 0;

  constructor(options: AgendaOptions) {
    this.#options = options;
    const runs = new Map(options.runs.map((run) => [placeOf(run), run]));
    for (const place of options.places) this.#restore(place, runs.get(place.key));
  }

  /** What is due. @param tick absent between two ticks: then it is what runs again */
  due(tick?: number): readonly Place[] {
    const again = this.#again;
    this.#again = new Set();
    if (tick === undefined) return [...again];
    this.#tick = tick;
    return this.#options.places.filter((place) => {
      const lastTick = this.#lastTicks.get(place) ?? Number.NEGATIVE_INFINITY;
      // What failed before a restart runs again at once.
      const isAgain = tick === 0 && this.#failing.has(place);
      return isAgain || tick - lastTick >= this.#ticksOf(place);
    });
  }

  /** In how many milliseconds something runs again, if that is before the next tick. */
  againMs(): number | undefined {
    if (this.#again.size === 0) return undefined;
    return Math.min((this.#options.tickSeconds * 1000) / 4, longestMs);
  }

  /** A run does not count: the machine was suspended during it. */
  discard(place: Place): void {
    this.#again.add(place);
  }

  take(place: Place, run: Run): void {
    this.#lastTicks.set(
      place,
      this.#tick - (this.#lastTicks.has(place) ? 0 : this.#shiftOf(place)),
    );
    const failing = failingBy(place, run);
    if (failing === undefined) {
      // After an outage, a place whose turn is once an hour must not stay unjudged for an hour.
      if (this.#failing.delete(place))
        for (const [other, { isUnjudged }] of this.#failing) if (isUnjudged) this.#again.add(other);
      return;
    }
    // Refused credentials are not sent again early, because that might lock the account.
    if (!this.#failing.has(place) && run.reason !== 'credentials') this.#again.add(place);
    this.#failing.set(place, failing);
  }

  #ticksOf({ everySeconds }: Place): number {
    return Math.max(1, Math.round(everySeconds / this.#options.tickSeconds));
  }

  /**
   * The second run comes earlier by so many ticks: the first runs are at once, and rare ones are to be spread over the
   * rounds of the most frequent ones.
   */
  #shiftOf(place: Place): number {
    if (isIntrusive(place.probe)) return 0;
    const { name, places } = this.#options;
    const least = Math.min(...places.map((other) => this.#ticksOf(other)));
    const rounds = Math.floor(this.#ticksOf(place) / least);
    return least * Math.floor(partOf(`${name} ${place.key}`) * rounds);
  }

  /** A place whose last result is not known is due at once, unless it may lock the account. */
  #restore(place: Place, run: Run | undefined): void {
    const { tickSeconds, sinceLast } = this.#options;
    const sinceMs = sinceLast(place.key);
    const intrusive = isIntrusive(place.probe);
    if (sinceMs !== undefined && (run !== undefined || intrusive))
      this.#lastTicks.set(place, -Math.max(1, Math.round(sinceMs / 1000 / tickSeconds)));
    const failing = run && failingBy(place, run);
    if (failing && (failing.isUnjudged || !intrusive)) this.#failing.set(place, failing);
  }
}

/**
 * Whether a run must be repeated early: it failed or proved nothing. Answers to wrong credentials that prove nothing
 * are as good as others.
 */
function failingBy({ probe }: Place, run: Run): { readonly isUnjudged: boolean } | undefined {
  const got = gotBy(run);
  const isUnjudged = got === 'no answer' || (got === 'no proof' && !isIntrusive(probe));
  return isUnjudged || run.result.outcome !== 'passed' ? { isUnjudged } : undefined;
}
