import type { Observation } from '../../contract/finding.ts';
import { field, isObject } from '../../contract/http/answer.ts';

/** What is taken for a fact that has another value with each run: a number, a time. */
const varies = 'varies from answer to answer';

/** A value must be seen in this number of runs in a row to replace another one. */
const needed = 2;
/** This number of runs in a row that agree neither with the known value nor with one another. */
const mostDifferent = 3;
/** What changes more often, without having rested in between, varies. */
const mostChanges = 3;
/**
 * A fact that was the same in this number of runs in a row has settled: two days of a probe that runs every ten
 * minutes.
 */
const rest = 300;

/** What is known of one fact in one place. */
interface Seen {
  readonly value: string;
  /** Another value, and in how many runs in a row it was seen. */
  readonly next: string;
  readonly times: number;
  /** In how many runs in a row the value was seen, and in how many another one. */
  readonly same: number;
  readonly different: number;
  /** How often it has changed since it was last at rest. */
  readonly changes: number;
}

/** The facts that runs observe, place by place. One odd answer is no change of a fact. */
export interface Facts {
  /** @returns what is known now, fact by fact */
  take(place: string, observed: readonly Observation[]): Observation[];
  /** The same of a run that was taken before: at a restart. */
  known(place: string, observed: readonly Observation[]): Observation[];
  /** For the state file. */
  saved(): object;
}

/** @param remembered what was saved */
export function factsOf(remembered: unknown = {}): Facts {
  const seen = new Map<string, Seen>(
    Object.entries(isObject(remembered) ? remembered : {}).flatMap(([key, value]) => {
      const known = seenFrom(value);
      return known === undefined ? [] : [[key, known]];
    }),
  );
  const keyOf = (place: string, { id, fact }: Observation): string =>
    JSON.stringify([place, id, fact]);
  return {
    take: (place, observed) =>
      observed.map((one) => {
        const known = after(seen.get(keyOf(place, one)), one.value);
        seen.set(keyOf(place, one), known);
        return { ...one, value: known.value };
      }),
    known: (place, observed) =>
      observed.map((one) => ({
        ...one,
        value: seen.get(keyOf(place, one))?.value ?? one.value,
      })),
    saved: () => Object.fromEntries(seen),
  };
}

function after(known: Seen | undefined, value: string): Seen {
  if (known === undefined) return fresh(value, 0);
  const { next, changes } = known;
  if (value === known.value) {
    const same = Math.min(rest, known.same + 1);
    return { ...fresh(value, same === rest ? 0 : changes), same };
  }
  const isVarying = known.value === varies;
  const [times, different] = [value === next ? known.times + 1 : 1, known.different + 1];
  if (times >= (isVarying ? rest : needed))
    return isVarying || changes < mostChanges ? fresh(value, changes + 1) : fresh(varies, 0);
  if (!isVarying && different >= mostDifferent) return fresh(varies, 0);
  return { ...known, next: value, times, same: 0, different };
}

const fresh = (value: string, changes: number): Seen => ({
  ...{ value, changes, next: '', times: 0, same: 0, different: 0 },
});

function seenFrom(value: unknown): Seen | undefined {
  const [known, next] = [field(value, 'value'), field(value, 'next')];
  const [times, same, different, changes] = ['times', 'same', 'different', 'changes'].map((name) =>
    Number(field(value, name)),
  );
  if (typeof known !== 'string' || typeof next !== 'string') return undefined;
  return {
    ...{ value: known, next, times: times || 0, same: same || 0 },
    ...{ different: different || 0, changes: changes || 0 },
  };
}
