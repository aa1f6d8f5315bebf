import { field, isObject } from '../../contract/json-value.ts';

/** Whether a target can be judged: everywhere, in some places, or nowhere. */
export type Answering = 'everywhere' | 'partly' | 'nowhere';

/** Which places of a target get answers that can be judged. All of its state is stored. */
export interface Answers {
  /** @param place of a run with requests @param isAnswered whether its answers could be judged */
  take(place: string, isAnswered: boolean): void;
  /** @param place of a run without requests: it neither shows that the provider answers nor counts as silent */
  sentNothing(place: string): void;
  is(): Answering;
  /** Whether a place is known to get no answers that can be judged. */
  isSilent(place: string): boolean;
  /** For the state file, so that the result is the same after a restart. */
  saved(): object;
}

/** After this number of unanswered runs in a row a place is silent. A single one may be an accident. */
const needed = 2;

/**
 * A place is silent after two runs in a row without an answer that can be judged; the second runs some seconds
 * after the first. Until any place has ever had an answer, one run is enough. The target is judged
 * - nowhere, if no place had an answer since the first of these runs, or if all quick places are silent;
 * - partly, if any place is silent, and another one had an answer since;
 * - everywhere again, as soon as each place has had an answer once.
 * So the headline does not depend on the order in which silent and answering places run.
 * @param quick the places that run most often
 * @param isPlace whether a remembered place still runs: one of a removed endpoint would be silent forever
 */
export function answersOf(
  quick: readonly string[],
  remembered: unknown = {},
  isPlace: (place: string) => boolean = () => true,
): Answers {
  const failures = new Map(failuresIn(remembered).filter(([place]) => isPlace(place)));
  let hasAnswered = field(remembered, 'hasAnswered') === true;
  let everAnswered = field(remembered, 'everAnswered') === true;

  const isSilent = (place: string): boolean =>
    (failures.get(place) ?? 0) >= (everAnswered ? needed : 1);

  return {
    take(place, isAnswered) {
      if (isAnswered) {
        failures.delete(place);
        [hasAnswered, everAnswered] = [true, true];
        return;
      }
      if (failures.size === 0) hasAnswered = false;
      failures.set(place, Math.min(needed, (failures.get(place) ?? 0) + 1));
    },
    sentNothing: (place) => void failures.delete(place),
    is() {
      if (![...failures.keys()].some(isSilent)) return 'everywhere';
      return hasAnswered && !quick.every(isSilent) ? 'partly' : 'nowhere';
    },
    isSilent,
    saved: () => ({ failures: Object.fromEntries(failures), hasAnswered, everAnswered }),
  };
}

function failuresIn(remembered: unknown): [string, number][] {
  const failures = field(remembered, 'failures');
  return Object.entries(isObject(failures) ? failures : {}).flatMap(
    ([place, count]): [string, number][] =>
      typeof count === 'number' && count > 0 ? [[place, count]] : [],
  );
}
