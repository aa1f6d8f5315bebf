import type { Observation } from '../../contract/finding.ts';
import { field, isObject } from '../../contract/http/answer.ts';

/** Stored instead of a value that differs in each run, such as a number or a time. */
const varies = 'varies from answer to answer';

/** A value must be observed in this number of runs in a row to replace another one. */
const needed = 2;
/** After this number of runs in a row that match neither the known value nor one another, a fact varies. */
const mostDifferent = 3;
/** A fact that changes more often, without a stable period, varies. */
const mostChanges = 3;
/**
 * A fact that was the same in this number of runs in a row is stable: two days of a probe that runs every ten
 * minutes.
 */
const rest = 300;

/** What is known of one fact in one place. */
interface FactHistory {
  readonly value: string;
  /** A different value, and the number of runs in a row with it. */
  readonly next: string;
  readonly times: number;
  /** The number of runs in a row with the value, and without it. */
  readonly same: number;
  readonly different: number;
  /** How often it has changed since it was last stable. */
  readonly changes: number;
}

/** The facts that runs observe, place by place. A single different answer does not change a fact. */
export interface Facts {
  /** @returns what is known now, fact by fact */
  take(place: string, observed: readonly Observation[]): Observation[];
  /** Does not apply the run, which is from before a restart. @returns what is known, fact by fact */
  known(place: string, observed: readonly Observation[]): Observation[];
  /** For the state file. */
  saved(): object;
}

/** @param remembered the earlier result of `saved` */
export function factsOf(remembered: unknown = {}): Facts {
  const seen = new Map<string, FactHistory>(
    Object.entries(isObject(remembered) ? remembered : {}).flatMap(([key, value]) => {
      const known = historyFrom(value);
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

function after(known: FactHistory | undefined, value: string): FactHistory {
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

const fresh = (value: string, changes: number): FactHistory => ({
  ...{ value, changes, next: '', times: 0, same: 0, different: 0 },
});

function historyFrom(value: unknown): FactHistory | undefined {
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
