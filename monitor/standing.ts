import type { MustId } from '../contract/clauses.ts';
import { mustHold } from '../contract/clauses.ts';
import type { Observation } from '../contract/finding.ts';
import type { Probe } from '../contract/probe.ts';
import type { Endpoint } from '../contract/service.ts';
import { disturbance } from '../contract/stages.ts';
import { type ClauseVerdict, ledger, verdicts } from '../contract/verdict.ts';
import { monitored } from './plan.ts';
import type { Run } from './run.ts';

/** A verdict, and since when it is this one (milliseconds since 1970). */
export interface StandingVerdict extends ClauseVerdict {
  readonly since: number;
}

/** An open fact, since when it is so, and what it was before. */
export interface StandingFact extends Observation {
  readonly since: number;
  readonly before?: string;
}

/**
 * What is to be said of a target in one word, and in one sentence. `broken` goes before all others: an outage does not
 * make good what was found. `waiting`: not every probe has run once. `unverified`: all have, and no clause is proven.
 */
export const headline = {
  waiting: 'The first round is under way',
  holds: 'The contract holds',
  broken: 'The contract is broken',
  unreachable: 'The provider cannot be judged',
  unverified: 'No clause could be verified',
} as const;
export type State = keyof typeof headline;

/** Something that is otherwise than it was before a run. */
export type Change =
  | {
      readonly is: 'state';
      readonly from: State;
      readonly to: State;
      /** For `unreachable`: one line. */
      readonly why?: string;
    }
  | {
      readonly is: 'verdict';
      readonly now: StandingVerdict;
      readonly before: ClauseVerdict['verdict'];
    }
  | { readonly is: 'fact'; readonly now: StandingFact };

/** Where a run belongs: one probe on one endpoint. */
export interface Place {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
  /** Its first run may be hours away, so nobody waits for it to tell how a target stands. */
  readonly unhurried?: true;
}

/** What was known of a target before the monitor was started again. */
export interface Remembered {
  /** The latest run of each place. */
  readonly runs: readonly Run[];
  readonly since: ReadonlyMap<MustId, { readonly verdict: string; readonly since: number }>;
  readonly facts: readonly StandingFact[];
  readonly state?: { readonly is: State; readonly since: number };
  /** The place of the last run: by the wall clock another may seem later. */
  readonly last?: string;
}

/** What is known of a target by the latest run of each of its places. */
export interface Standing {
  /** Takes a run in. @returns what it changed */
  take(run: Run): Change[];
  /** Every clause that a provider must keep. */
  verdicts(): readonly StandingVerdict[];
  facts(): readonly StandingFact[];
  state(): { readonly is: State; readonly since: number };
  /** The latest run of each slot. */
  latest(): readonly Run[];
  /** The last run that tells whether the provider can be judged. */
  last(): Run | undefined;
  /** Why a run of a probe that others do not rest upon may see a valid token refused, when that is known. */
  disturbed(probe: Probe, endpoint: Endpoint): string | undefined;
}

/** @param probes all of them, also those that the monitor does not run */
export function standingOf(
  places: readonly Place[],
  probes: readonly Probe[],
  startedAt: number,
  remembered: Remembered = { runs: [], since: new Map(), facts: [] },
): Standing {
  const latest = new Map(remembered.runs.map((run) => [placeOf(run), run]));
  const observed = new Map(
    remembered.runs
      .filter(({ outcome }) => outcome.observations.length > 0)
      .map((run) => [placeOf(run), run.outcome]),
  );
  const facts = new Map(remembered.facts.map((fact) => [`${fact.id} ${fact.fact}`, fact]));
  const hurried = places.filter(({ unhurried }) => unhurried === undefined).length;
  let awaited = hurried - remembered.runs.filter((run) => isHurried(run, places)).length;
  let clauses = judge(places, probes, latest).map((one): StandingVerdict => {
    const known = remembered.since.get(one.clause.id);
    return { ...one, since: known?.verdict === one.verdict ? known.since : startedAt };
  });
  let last =
    latest.get(remembered.last ?? '') ?? remembered.runs.reduce<Run | undefined>(later, undefined);
  let state = firstState();

  function firstState(): { is: State; since: number } {
    const is = last === undefined ? 'waiting' : stateOf(clauses, last, awaited <= 0);
    return remembered.state?.is === is ? remembered.state : { is, since: startedAt };
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
    last = hasAsked(run) ? run : (last ?? run);
    const is = stateOf(clauses, last, awaited <= 0);
    if (is === state.is) return [];
    const why = is === 'unreachable' ? last.outcome.detail : undefined;
    const change: Change = {
      is: 'state',
      from: state.is,
      to: is,
      ...(why === undefined ? {} : { why }),
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
      // Most runs are like the one before: then nothing needs to be judged again.
      const quiet = before !== undefined && isQuiet(before) && isQuiet(run);
      const changes = quiet ? [] : revise(run.startedAt);
      if (run.outcome.observations.length > 0) {
        observed.set(key, run.outcome);
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
    last: () => last,
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

/** Names a run's place, also in the state file. */
export const placeOf = ({ outcome: { probe, endpoint } }: Run): string =>
  probe.once === true ? probe.name : `${probe.name} ${endpoint}`;

const keyOf = ({ probe, endpoint: { method, path } }: Place): string =>
  probe.once === true ? probe.name : `${probe.name} ${method} ${path}`;

const isHurried = ({ outcome }: Run, places: readonly Place[]): boolean =>
  places.find(({ probe }) => probe.name === outcome.probe.name)?.unhurried === undefined;

const later = (found: Run | undefined, run: Run): Run =>
  found === undefined || run.startedAt >= found.startedAt ? run : found;

/** A probe that finds nothing to alter in the kept token asks nobody: that is no sign of life. */
const hasAsked = ({ requests, outcome }: Run): boolean => requests > 0 || outcome.ending !== 'kept';

const isQuiet = ({ outcome }: Run): boolean =>
  outcome.ending === 'kept' && outcome.unproven === undefined;

/** A verdict on every clause; one that no probe of the monitor is about is unverified, and it is said why. */
function judge(
  places: readonly Place[],
  probes: readonly Probe[],
  latest: ReadonlyMap<string, Run>,
): ClauseVerdict[] {
  // In the order of the probes, whenever they ran.
  const outcomes = places.flatMap((place) => latest.get(keyOf(place))?.outcome ?? []);
  const run = [...new Set(places.map(({ probe }) => probe))];
  const endpoints = new Set(places.map(({ endpoint }) => endpoint)).size;
  const told = new Map(
    verdicts(run, outcomes, notRunYet, endpoints).map((one) => [one.clause.id, one]),
  );
  return mustHold.map(
    (clause) =>
      told.get(clause.id) ?? {
        clause,
        verdict: 'unverified',
        cause: 'unconfigured',
        reason: whyNotWatched(clause.id, probes),
        findings: [],
      },
  );
}

const notRunYet = { cause: 'prevented', reason: 'not run yet' } as const;

function whyNotWatched(clause: MustId, probes: readonly Probe[]): string {
  const about = probes.filter(({ clauses }) => clauses.includes(clause));
  if (about.some((probe) => monitored([probe]).length > 0)) return 'no endpoint to run it on';
  if (about.some(({ intrusive }) => intrusive))
    return 'takes wrong credentials, which may lock an account: npm run gate';
  if (about.some(({ needs }) => needs === 'clock')) return 'takes simulated time: npm run gate';
  return 'no probe about it runs in production: npm run gate';
}

function stateOf(clauses: readonly ClauseVerdict[], last: Run, complete: boolean): State {
  if (clauses.some(({ verdict }) => verdict === 'violated')) return 'broken';
  if (last.outcome.ending === 'unreachable') return 'unreachable';
  if (!complete) return 'waiting';
  return clauses.some(({ verdict }) => verdict === 'holds') ? 'holds' : 'unverified';
}
