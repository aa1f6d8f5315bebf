import type { Observation } from '../../contract/finding.ts';
import { field, isObject, parsedJson, textsIn } from '../../contract/json-value.ts';
import { ledger } from '../../contract/round/verdict.ts';
import { placeOf } from './plan.ts';
import type { Run } from './run.ts';

/** An open fact, since when it holds, and its previous value. */
export interface KnownFact extends Observation {
  readonly since: number;
  readonly before?: string;
}

/** What was known of the facts before a restart of the monitor. */
export interface RememberedFacts {
  /** The latest run of each place. */
  readonly runs: readonly Run[];
  readonly facts: readonly KnownFact[];
  /** The value of `KnownFacts.saved`. */
  readonly observed?: unknown;
}

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

/**
 * The open facts of a target, from the latest run of each place. A single different answer does not change a fact.
 */
export class KnownFacts {
  /** By place and fact. */
  readonly #histories: Map<string, FactHistory>;
  /** By place, the latest value of each fact that a run has observed there: a run that is cut short observes few. */
  readonly #observed: Map<string, readonly Observation[]>;
  readonly #facts: Map<string, KnownFact>;

  /** @param places what is known of any other place is forgotten */
  constructor({ runs, facts, observed }: RememberedFacts, places: ReadonlySet<string>) {
    this.#histories = historiesFrom(observed, places);
    this.#facts = new Map(facts.map((fact) => [keyOf(fact), fact]));
    this.#observed = this.#fromHistories();
    for (const run of runs)
      this.#note(
        placeOf(run),
        settled(run, (key) => this.#histories.get(key)),
      );
    this.#forgetOtherPlaces();
  }

  /** Applies a run. @returns the facts that are new or changed */
  take(run: Run): KnownFact[] {
    if (run.result.observations.length === 0) return [];
    const place = placeOf(run);
    const isFirst = (one: Observation): boolean => !this.#histories.has(historyKey(place, one));
    const first = new Set(run.result.observations.filter(isFirst).map(keyOf));
    const observations = settled(run, (key, value) => {
      const history = after(this.#histories.get(key), value);
      this.#histories.set(key, history);
      return history;
    });
    this.#note(place, observations);
    return this.#ledger().flatMap((one) => {
      const known = this.#facts.get(keyOf(one));
      if (known?.value === one.value) return [];
      // Another endpoint that shows another value is not a change of the provider.
      const before = first.has(keyOf(one)) ? undefined : known?.value;
      const now = { ...one, since: run.startedAt, before };
      this.#facts.set(keyOf(now), now);
      return [now];
    });
  }

  /** All facts, in the order of their ids. */
  all(): readonly KnownFact[] {
    return [...this.#facts.values()].sort((one, other) =>
      inOrder.compare(keyOf(one), keyOf(other)),
    );
  }

  /** For the state file. */
  saved(): object {
    return Object.fromEntries(this.#histories);
  }

  #note(place: string, observations: readonly Observation[]): void {
    const seen = new Set(observations.map(keyOf));
    const others = this.#observed.get(place)?.filter((one) => !seen.has(keyOf(one))) ?? [];
    this.#observed.set(place, [...others, ...observations]);
  }

  #ledger(): Observation[] {
    return ledger([{ observations: [...this.#observed.values()].flat() }]);
  }

  /** Drops the facts, and the values, that only other places have shown: that is not a change of the provider. */
  #forgetOtherPlaces(): void {
    const shown = new Map(this.#ledger().map((one) => [keyOf(one), one.value]));
    for (const [key, { id, fact, value: known, since }] of this.#facts) {
      const value = shown.get(key);
      if (value === undefined) this.#facts.delete(key);
      else if (value !== known) this.#facts.set(key, { id, fact, value, since });
    }
  }

  /** What was observed in each place. The latest run of a place may have observed nothing, as in an outage. */
  #fromHistories(): Map<string, readonly Observation[]> {
    const observed = new Map<string, readonly Observation[]>();
    for (const [key, { value }] of this.#histories) {
      const [place = '', id, fact] = textsIn(parsedJson(key));
      const known = this.#facts.get(`${id} ${fact}`);
      if (known === undefined) continue;
      const one = { id: known.id, fact: known.fact, value };
      observed.set(place, [...(observed.get(place) ?? []), one]);
    }
    return observed;
  }
}

const keyOf = ({ id, fact }: Pick<Observation, 'id' | 'fact'>): string => `${id} ${fact}`;

const historyKey = (place: string, { id, fact }: Observation): string =>
  JSON.stringify([place, id, fact]);

/** OPEN-2 comes before OPEN-10. */
const inOrder = new Intl.Collator('en', { numeric: true });

/** The observations of a run, in which each fact has the value of its history. */
const settled = (
  run: Run,
  historyOf: (key: string, value: string) => FactHistory | undefined,
): Observation[] =>
  run.result.observations.map((one) => {
    const key = historyKey(placeOf(run), one);
    return { ...one, value: historyOf(key, one.value)?.value ?? one.value };
  });

function after(known: FactHistory | undefined, value: string): FactHistory {
  if (known === undefined) return fresh(value, 0);
  const { next, changes } = known;
  if (value === known.value) {
    const same = Math.min(rest, known.same + 1);
    return { ...fresh(value, same === rest ? 0 : changes), same };
  }
  const isVarying = known.value === varies;
  const times = value === next ? known.times + 1 : 1;
  const different = known.different + 1;
  if (times >= (isVarying ? rest : needed))
    return isVarying || changes < mostChanges ? fresh(value, changes + 1) : fresh(varies, 0);
  if (!isVarying && different >= mostDifferent) return fresh(varies, 0);
  return { ...known, next: value, times, same: 0, different };
}

const fresh = (value: string, changes: number): FactHistory => ({
  value,
  changes,
  next: '',
  times: 0,
  same: 0,
  different: 0,
});

function historiesFrom(observed: unknown, places: ReadonlySet<string>): Map<string, FactHistory> {
  const rows = Object.entries(isObject(observed) ? observed : {}).flatMap(
    ([key, value]): [string, FactHistory][] => {
      const known = historyFrom(value);
      const [place = ''] = textsIn(parsedJson(key));
      return known === undefined || !places.has(place) ? [] : [[key, known]];
    },
  );
  return new Map(rows);
}

function historyFrom(value: unknown): FactHistory | undefined {
  const known = field(value, 'value');
  const next = field(value, 'next');
  const [times, same, different, changes] = ['times', 'same', 'different', 'changes'].map((name) =>
    Number(field(value, name)),
  );
  if (typeof known !== 'string' || typeof next !== 'string') return undefined;
  return {
    value: known,
    next,
    times: times || 0,
    same: same || 0,
    different: different || 0,
    changes: changes || 0,
  };
}
