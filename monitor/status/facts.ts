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
const maxDifferent = 7;
/** A fact that was the same in this number of runs in a row is stable. */
const stableRuns = 30;

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
  for (const observation of observations) {
    const key = `${place} ${createFactKey(observation)}`;
    const known = histories[key];
    if (known === undefined) isFirst.add(createFactKey(observation));
    histories[key] =
      known === undefined
        ? startHistory({ place, ...observation })
        : continueHistory(known, observation.value);
  }
  return restateFacts(facts, histories, (observation, earlier) => {
    const before = isFirst.has(createFactKey(observation)) ? undefined : earlier?.value;
    return { ...observation, since: at, ...(before === undefined ? {} : { before }) };
  });
}

/** The facts whose value has changed. */
export const changedFacts = (before: Pick<Facts, 'facts'>, after: Pick<Facts, 'facts'>) =>
  after.facts.filter((fact) => fact.before !== undefined && !before.facts.includes(fact));

/** Removes the facts that only other places have shown: that is not a change of the provider. */
export function keepPlaces({ facts, factHistories }: Facts, places: ReadonlySet<string>): Facts {
  const kept = Object.entries(factHistories).filter(([, { place }]) => places.has(place));
  return restateFacts(facts, Object.fromEntries(kept), (observation, earlier) => ({
    ...observation,
    since: earlier?.since ?? 0,
  }));
}

/** The facts of these histories. @param changeFact makes the fact when its value has changed */
function restateFacts(
  facts: Facts['facts'],
  factHistories: Facts['factHistories'],
  changeFact: (now: Observation, earlier?: KnownFact) => KnownFact,
): Facts {
  const observations = Object.values(factHistories).map(({ id, fact, value }) => ({
    id,
    fact,
    value,
  }));
  const known = new Map(facts.map((fact) => [createFactKey(fact), fact]));
  const now = ledger([{ observations }]).map((observation) => {
    const earlier = known.get(createFactKey(observation));
    return earlier?.value === observation.value ? earlier : changeFact(observation, earlier);
  });
  return { facts: now, factHistories };
}

const createFactKey = ({ id, fact }: Pick<Observation, 'id' | 'fact'>): string => `${id} ${fact}`;

const startHistory = (observation: Observation & { readonly place: string }): FactHistory => ({
  ...observation,
  last: observation.value,
  times: 1,
  different: 0,
});

function continueHistory(known: FactHistory, last: string): FactHistory {
  const times = last === known.last ? Math.min(stableRuns, known.times + 1) : 1;
  const isStable = times === stableRuns;
  const different = isStable ? 0 : known.different + (last === known.value ? 0 : 1);
  const isVarying = known.value === varies || different > maxDifferent;
  if (isVarying) return { ...known, value: isStable ? last : varies, last, times, different };
  return { ...known, value: times >= needed ? last : known.value, last, times, different };
}
