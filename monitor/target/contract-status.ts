import type { MustId } from '../../contract/clauses.ts';
import type { Observation } from '../../contract/finding.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import type { Probe } from '../../contract/probe.ts';
import type { Outcome } from '../../contract/round/attempt.ts';
import { disturbance } from '../../contract/round/stages.ts';
import { type ClauseVerdict, ledger } from '../../contract/round/verdict.ts';
import { type Answering, answersOf } from './answering.ts';
import { factsOf } from './facts.ts';
import { isQuiet, judge } from './judge.ts';
import { keyOf, placeOf, type RunPlace } from './plan.ts';
import type { Run } from './run.ts';

/** A verdict, and since when it is this one (milliseconds since 1970). */
export interface KnownVerdict extends ClauseVerdict {
  readonly since: number;
}

/** An open fact, since when it is so, and what it was before. */
export interface KnownFact extends Observation {
  readonly since: number;
  readonly before?: string;
}

/**
 * What is to be said of a target in one word, and in one sentence. `broken` goes before all others: an outage does not
 * make good what was found. `waiting`: not every probe has run once. `unverified`: all have, and no clause is proven.
 */
export const headline = {
  waiting: 'The first round is running',
  holds: 'The contract holds',
  broken: 'The contract is broken',
  unreachable: 'The provider cannot be judged',
  partly: 'The contract is judged only in part',
  unverified: 'No clause could be verified',
} as const;
export type TargetState = keyof typeof headline;

/** Something that a run has changed. */
export type Change =
  | {
      readonly is: 'state';
      readonly from: TargetState;
      readonly to: TargetState;
      /** For `unreachable` and `partly`: one line. */
      readonly why?: string;
    }
  | {
      readonly is: 'verdict';
      readonly now: KnownVerdict;
      readonly before: ClauseVerdict['verdict'];
    }
  | { readonly is: 'fact'; readonly now: KnownFact };

/** What was known of a target before the monitor was started again. */
export interface Remembered {
  /** The latest run of each place. */
  readonly runs: readonly Run[];
  readonly since: ReadonlyMap<MustId, { readonly verdict: string; readonly since: number }>;
  readonly facts: readonly KnownFact[];
  readonly state?: { readonly is: TargetState; readonly since: number };
  /** What `Standing.saved` was. */
  readonly answers?: unknown;
  readonly observed?: unknown;
}

/** What is known of a target by the latest run of each of its places. */
export interface ContractStatus {
  /** Takes a run in. @returns what it changed */
  take(run: Run): Change[];
  /** Every clause that a provider must keep. */
  verdicts(): readonly KnownVerdict[];
  facts(): readonly KnownFact[];
  state(): { readonly is: TargetState; readonly since: number };
  /** The latest run of each slot. */
  latest(): readonly Run[];
  /** The latest of the runs that keep the provider from being judged; undefined when it is judged everywhere. */
  unanswered(): Run | undefined;
  /** What the state file holds beside runs and verdicts. */
  saved(): { readonly answers: object; readonly observed: object };
  /** Why a run of a probe that others do not rest upon may see a valid token refused, when that is known. */
  disturbed(probe: Probe, endpoint: Endpoint): string | undefined;
}

/** @param probes all of them, also those that the monitor does not run */
export function createContractStatus(
  places: readonly RunPlace[],
  probes: readonly Probe[],
  startedAt: number,
  remembered: Remembered = { runs: [], since: new Map(), facts: [] },
): ContractStatus {
  const latest = new Map(remembered.runs.map((run) => [placeOf(run), run]));
  const answers = answersOf(quickest(places), remembered.answers);
  const steady = factsOf(remembered.observed);
  const observed = new Map(
    remembered.runs.flatMap((run) =>
      run.outcome.observations.length === 0 ? [] : [[placeOf(run), observedIn(run, steady.known)]],
    ),
  );
  const facts = new Map(remembered.facts.map((fact) => [`${fact.id} ${fact.fact}`, fact]));
  const hurried = places.filter(({ unhurried }) => unhurried === undefined).length;
  let awaited = hurried - remembered.runs.filter((run) => isHurried(run, places)).length;
  let clauses = judge(places, probes, latest).map((one): KnownVerdict => {
    const known = remembered.since.get(one.clause.id);
    return { ...one, since: known?.verdict === one.verdict ? known.since : startedAt };
  });
  let state = firstState();

  function firstState(): { is: TargetState; since: number } {
    const is = stateOf(clauses, answers.is(), awaited <= 0);
    return remembered.state?.is === is ? remembered.state : { is, since: startedAt };
  }

  /** A run's outcome, with its observations as far as they are no passing thing. */
  function observedIn({ outcome, ...run }: Run, take: typeof steady.take): Outcome {
    const observations = take(placeOf({ outcome, ...run }), outcome.observations);
    return { ...outcome, observations };
  }

  function unanswered(): Run | undefined {
    if (answers.is() === 'everywhere') return undefined;
    return [...latest]
      .filter(([place, { outcome }]) => answers.isSilent(place) && outcome.ending === 'unreachable')
      .map(([, run]) => run)
      .reduce<Run | undefined>(later, undefined);
  }

  function revise(since: number): Change[] {
    const changes: Change[] = [];
    clauses = judge(places, probes, latest).map((now, index) => {
      const before = clauses[index];
      if (before?.verdict === now.verdict) return { ...now, since: before.since };
      const revised = { ...now, since };
      changes.push({ is: 'verdict', now: revised, before: before?.verdict ?? 'unverified' });
      return revised;
    });
    return changes;
  }

  function observe(since: number): Change[] {
    return ledger([...observed.values()]).flatMap(({ id, fact, value }): Change[] => {
      const key = `${id} ${fact}`;
      const known = facts.get(key);
      if (known?.value === value) return [];
      const now = {
        id,
        fact,
        value,
        since,
        ...(known === undefined ? {} : { before: known.value }),
      };
      facts.set(key, now);
      return known === undefined ? [] : [{ is: 'fact', now }];
    });
  }

  function restate(run: Run): Change[] {
    const place = placeOf(run);
    if (hasSent(run)) answers.take(place, run.outcome.ending !== 'unreachable');
    else answers.askedNothing(place);
    const is = stateOf(clauses, answers.is(), awaited <= 0);
    if (is === state.is) return [];
    const isHidden = is === 'unreachable' || is === 'partly';
    const why = isHidden ? unanswered()?.outcome.detail : undefined;
    const change: Change = {
      is: 'state',
      from: state.is,
      to: is,
      why,
    };
    state = { is, since: run.startedAt };
    return [change];
  }

  return {
    take(run) {
      const key = placeOf(run);
      const before = latest.get(key);
      if (before === undefined && isHurried(run, places)) awaited -= 1;
      latest.set(key, run);
      // Most runs are like the one before: then nothing needs to be judged again, but what another run may outdate.
      const isBroken = clauses.some(({ verdict }) => verdict === 'violated');
      const quiet = !isBroken && before !== undefined && isQuiet(before) && isQuiet(run);
      const changes = quiet ? [] : revise(run.startedAt);
      if (run.outcome.observations.length > 0) {
        observed.set(key, observedIn(run, steady.take));
        changes.push(...observe(run.startedAt));
      }
      return [...restate(run), ...changes];
    },
    verdicts: () => clauses,
    facts: () =>
      [...facts.values()].sort((one, other) =>
        inOrder.compare(`${one.id} ${one.fact}`, `${other.id} ${other.fact}`),
      ),
    state: () => state,
    latest: () => [...latest.values()],
    unanswered,
    saved: () => ({ answers: answers.saved(), observed: steady.saved() }),
    disturbed: ({ order }, endpoint) =>
      order === 'first'
        ? undefined
        : disturbance(
            [...latest.values()].map(({ outcome }) => outcome),
            endpoint,
          ),
  };
}

/** OPEN-2 comes before OPEN-10. */
const inOrder = new Intl.Collator('en', { numeric: true });

const isHurried = ({ outcome }: Run, places: readonly RunPlace[]): boolean =>
  places.find(({ probe }) => probe.name === outcome.probe.name)?.unhurried === undefined;

const later = (found: Run | undefined, run: Run): Run =>
  found === undefined || run.startedAt >= found.startedAt ? run : found;

/**
 * A probe that finds nothing to alter in the kept token sends no request: that does not show that the provider is
 * alive.
 */
const hasSent = ({ requests, outcome }: Run): boolean => requests > 0 || outcome.ending !== 'kept';

/** The places that run most often. */
function quickest(places: readonly RunPlace[]): string[] {
  const period = Math.min(...places.map(({ timing }) => timing?.period ?? Infinity));
  return places.filter(({ timing }) => timing?.period === period).map(keyOf);
}

function stateOf(
  clauses: readonly ClauseVerdict[],
  answering: Answering,
  complete: boolean,
): TargetState {
  if (clauses.some(({ verdict }) => verdict === 'violated')) return 'broken';
  if (answering !== 'everywhere') return answering === 'partly' ? 'partly' : 'unreachable';
  if (!complete) return 'waiting';
  return clauses.some(({ verdict }) => verdict === 'holds') ? 'holds' : 'unverified';
}
