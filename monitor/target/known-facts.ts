import type { Observation } from '../../contract/finding.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import { ledger } from '../../contract/round/verdict.ts';
import { type Facts, factsOf } from './facts.ts';
import { placeOf } from './plan.ts';
import type { Run } from './run.ts';

/** An open fact, since when it holds, and its previous value. */
export interface KnownFact extends Observation {
  readonly since: number;
  readonly before?: string;
}

/** What was known before a restart of the monitor. */
interface Before {
  /** The latest run of each place. */
  readonly runs: readonly Run[];
  readonly facts: readonly KnownFact[];
  /** The value of `saved`. */
  readonly observed?: unknown;
}

/** The open facts of a target, from the latest run of each place. */
export class KnownFacts {
  readonly #steady: Facts;
  /** By place, the outcome of each latest run that observed something. */
  readonly #observed: Map<string, ProbeResult>;
  readonly #facts: Map<string, KnownFact>;

  constructor({ runs, facts, observed }: Before) {
    this.#steady = factsOf(observed);
    this.#observed = new Map(
      runs
        .filter(({ result }) => result.observations.length > 0)
        .map((run) => [placeOf(run), observedIn(run, this.#steady.known)]),
    );
    this.#facts = new Map(facts.map((fact) => [keyOf(fact), fact]));
  }

  /** Applies a run. @returns the facts that are new or changed */
  take(run: Run): KnownFact[] {
    if (run.result.observations.length === 0) return [];
    this.#observed.set(placeOf(run), observedIn(run, this.#steady.take));
    return ledger([...this.#observed.values()]).flatMap(({ id, fact, value }) => {
      const known = this.#facts.get(keyOf({ id, fact }));
      if (known?.value === value) return [];
      const before = known === undefined ? {} : { before: known.value };
      const now = { id, fact, value, since: run.startedAt, ...before };
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
    return this.#steady.saved();
  }
}

const keyOf = ({ id, fact }: Pick<Observation, 'id' | 'fact'>): string => `${id} ${fact}`;

/** OPEN-2 comes before OPEN-10. */
const inOrder = new Intl.Collator('en', { numeric: true });

/** A run's outcome, with its observations except varying ones. */
const observedIn = (run: Run, take: Facts['take']): ProbeResult => ({
  ...run.result,
  observations: take(placeOf(run), run.result.observations),
});
