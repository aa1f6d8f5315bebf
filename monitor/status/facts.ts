import type { Observation } from '../../contract/finding.ts';
import { ledger } from '../../contract/finding.ts';

/** An open fact, since when it holds (milliseconds since 1970), and its previous value. */
export interface KnownFact extends Observation {
  readonly since: number;
  readonly before?: string;
}

/** What is known of one fact in one place. */
export interface FactHistory extends Observation {
  readonly place: string;
  /** The value of the last run, and the number of runs in a row with it. */
  readonly last: string;
  readonly times: number;
  /** The number of runs with another value than the known one since it was last stable. */
  readonly different: number;
}

interface Facts {
  readonly facts: readonly KnownFact[];
  readonly factHistories: Readonly<Record<string, FactHistory>>;
}

/** Stored instead of a value that differs in each run, such as a number or a time. */
const varies = 'varies from answer to answer';

/** A value must be observed in this number of runs in a row to replace another one. */
const needed = 2;
/** After this number of runs with another value, without a stable period, a fact varies. */
const mostDifferent = 7;
/** A fact that was the same in this number of runs in a row is stable. */
const rest = 30;

/**
 * The open facts of a target after a run. A single different answer does not change a fact, and another endpoint that
 * shows another value is not a change of the provider.
 * @param at when the run began (milliseconds since 1970)
 */
export function observe(
  { facts, factHistories }: Facts,
  place: string,
  observations: readonly Observation[],
  at: number,
): Facts {
  const histories = { ...factHistories };
  const isFirst = new Set<string>();
  for (const one of observations) {
    const key = `${place} ${keyOf(one)}`;
    const known = histories[key];
    if (known === undefined) isFirst.add(keyOf(one));
    histories[key] = known === undefined ? fresh({ place, ...one }) : after(known, one.value);
  }
  return restated(facts, histories, (one, earlier) => {
    const before = isFirst.has(keyOf(one)) ? undefined : earlier?.value;
    return { ...one, since: at, ...(before === undefined ? {} : { before }) };
  });
}

/** The facts that have become otherwise. */
export const changedFacts = (before: Pick<Facts, 'facts'>, after: Pick<Facts, 'facts'>) =>
  after.facts.filter((fact) => fact.before !== undefined && !before.facts.includes(fact));

/** Without the facts that only other places have shown: that is not a change of the provider. */
export function factsOf({ facts, factHistories }: Facts, places: ReadonlySet<string>): Facts {
  const kept = Object.entries(factHistories).filter(([, { place }]) => places.has(place));
  return restated(facts, Object.fromEntries(kept), (one, earlier) => ({
    ...one,
    since: earlier?.since ?? 0,
  }));
}

/** The facts of these histories. @param changed makes one whose value is another than before */
function restated(
  facts: Facts['facts'],
  factHistories: Facts['factHistories'],
  changed: (now: Observation, earlier?: KnownFact) => KnownFact,
): Facts {
  const observations = Object.values(factHistories).map(({ id, fact, value }) => ({
    id,
    fact,
    value,
  }));
  const known = new Map(facts.map((fact) => [keyOf(fact), fact]));
  const now = ledger([{ observations }]).map((one) => {
    const earlier = known.get(keyOf(one));
    return earlier?.value === one.value ? earlier : changed(one, earlier);
  });
  return { facts: now, factHistories };
}

const keyOf = ({ id, fact }: Pick<Observation, 'id' | 'fact'>): string => `${id} ${fact}`;

const fresh = (one: Observation & { readonly place: string }): FactHistory => ({
  ...one,
  last: one.value,
  times: 1,
  different: 0,
});

function after(known: FactHistory, last: string): FactHistory {
  const times = last === known.last ? Math.min(rest, known.times + 1) : 1;
  const isStable = times === rest;
  const different = isStable ? 0 : known.different + (last === known.value ? 0 : 1);
  const isVarying = known.value === varies || different > mostDifferent;
  if (isVarying) return { ...known, value: isStable ? last : varies, last, times, different };
  return { ...known, value: times >= needed ? last : known.value, last, times, different };
}
