import { field, isObject } from '../../contract/http/answer.ts';

/** Whether a target can be judged: everywhere, in some places, or nowhere. */
export type Answering = 'everywhere' | 'partly' | 'nowhere';

/** Which places of a target get answers that can be judged. All of it is saved. */
export interface Answers {
  /** @param place of a run with requests; @param isAnswered whether its answers could be judged */
  take(place: string, isAnswered: boolean): void;
  /** @param place of a run without requests: it neither proves life nor counts as silent */
  sentNothing(place: string): void;
  is(): Answering;
  /** Whether a place is known to get no answer that can be judged. */
  isSilent(place: string): boolean;
  /** For the state file, so that a restart changes nothing. */
  saved(): object;
}

/** After this number of runs in a row without an answer a slot is silent: the first one may be an accident. */
const needed = 2;

/**
 * A place is silent after two runs in a row without an answer that can be judged; the second comes some seconds after
 * the first. Until anything has answered at all, one is enough. The target is judged
 *
 * - nowhere, while nothing has answered since the first of these runs, and when all quick places are silent;
 * - partly, while any place is silent, and another one has answered since;
 * - everywhere again as soon as each place has answered once.
 *
 * So the headline does not depend on the order in which silent and answering places run.
 * @param quick the places that run most often
 */
export function answersOf(quick: readonly string[], remembered: unknown = {}): Answers {
  const failures = new Map<string, number>(failuresIn(remembered));
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
