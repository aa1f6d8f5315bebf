import { mustHold } from '../../contract/clauses.ts';
import { field, isObject } from '../../contract/json-value.ts';
import type { Probe } from '../../contract/probe.ts';
import type { Run } from './run.ts';

/**
 * Whether a target can be judged: everywhere, in some places, or nowhere. `unproven`: each place gets answers, but
 * those of some prove nothing.
 */
export type Answering = 'everywhere' | 'unproven' | 'partly' | 'nowhere';

/** No place gets an answer that can be judged. */
export interface Outage {
  /** The latest cause: one line. */
  readonly detail: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/**
 * What a run got: answers that prove its clauses, answers that prove nothing, or none that can be judged. A run
 * without requests neither shows that the provider answers nor counts as silent.
 */
type Got = 'proof' | 'no proof' | 'no answer' | 'no request';

/** What a run got. A probe that cannot alter the kept token sends no request. */
export function gotBy({ requests, result }: Run): Got {
  const { outcome, probe, unproven } = result;
  if (requests === 0 && outcome === 'passed') return 'no request';
  if (outcome === 'unreachable') return 'no answer';
  return unproven === undefined || !isAboutMust(probe) ? 'proof' : 'no proof';
}

const isAboutMust = ({ clauses }: Probe): boolean =>
  mustHold.some(({ id }) => clauses.includes(id));

/** After this number of such runs in a row a place is silent or unproven. A single one may be an accident. */
const needed = 2;

/**
 * Which places of a target get answers that can be judged. A place is silent after two runs in a row without an
 * answer that can be judged; the second runs some seconds after the first. Until any place has ever had an answer,
 * one run is enough. The target is judged
 * - nowhere, if no place had an answer since the first of these runs, or if all quick places are silent;
 * - partly, if any place is silent, and another one had an answer since;
 * - everywhere again, as soon as each place has had an answer once.
 * An answered place is unproven if its first run proved nothing, or two runs in a row, until a run proves something.
 * So the headline does not depend on the order in which silent and answering places run.
 */
export class Answers {
  readonly #quick: readonly string[];
  readonly #failures: Map<string, number>;
  readonly #unproven: Map<string, number>;
  #hasAnswered: boolean;
  #everAnswered: boolean;

  /**
   * @param quick the places that run most often
   * @param remembered what `saved` returned before a restart
   * @param isPlace whether a remembered place still runs: one of a removed endpoint would be silent forever
   */
  constructor(
    quick: readonly string[],
    remembered: unknown = {},
    isPlace: (place: string) => boolean = () => true,
  ) {
    this.#quick = quick;
    this.#failures = countsIn(field(remembered, 'failures'), isPlace);
    this.#unproven = countsIn(field(remembered, 'unproven'), isPlace);
    this.#hasAnswered = field(remembered, 'hasAnswered') === true;
    this.#everAnswered = field(remembered, 'everAnswered') === true;
  }

  /** @param isFirst whether it is the first run of this place */
  take(place: string, got: Got, isFirst = false): void {
    if (got === 'no answer') {
      if (this.#failures.size === 0) this.#hasAnswered = false;
      this.#failures.set(place, next(this.#failures, place));
      return;
    }
    this.#failures.delete(place);
    if (got === 'no request') return;
    this.#hasAnswered = true;
    this.#everAnswered = true;
    if (got === 'proof') this.#unproven.delete(place);
    else this.#unproven.set(place, isFirst ? needed : next(this.#unproven, place));
  }

  is(): Answering {
    const isSilent = (place: string): boolean => this.isSilent(place);
    if ([...this.#failures.keys()].some(isSilent))
      return this.#hasAnswered && !this.#quick.every(isSilent) ? 'partly' : 'nowhere';
    return [...this.#unproven.values()].some((runs) => runs >= needed) ? 'unproven' : 'everywhere';
  }

  /** Whether a place is known to get no answers that can be judged. */
  isSilent(place: string): boolean {
    return (this.#failures.get(place) ?? 0) >= (this.#everAnswered ? needed : 1);
  }

  /** Whether a place is known to get answers that prove nothing. */
  isUnproven(place: string): boolean {
    return (this.#unproven.get(place) ?? 0) >= needed;
  }

  /** For the state file, so that the result is the same after a restart. */
  saved(): object {
    return {
      failures: Object.fromEntries(this.#failures),
      unproven: Object.fromEntries(this.#unproven),
      hasAnswered: this.#hasAnswered,
      everAnswered: this.#everAnswered,
    };
  }
}

const next = (runs: ReadonlyMap<string, number>, place: string): number =>
  Math.min(needed, (runs.get(place) ?? 0) + 1);

function countsIn(value: unknown, isPlace: (place: string) => boolean): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [place, count] of Object.entries(isObject(value) ? value : {}))
    if (typeof count === 'number' && count > 0 && isPlace(place)) counts.set(place, count);
  return counts;
}
