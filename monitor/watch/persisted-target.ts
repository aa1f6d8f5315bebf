import type { MustId } from '../../contract/clauses.ts';
import { field, isNumber, numberIn, textIn } from '../../contract/json-value.ts';
import type { StateStore } from '../state/state.ts';
import type { Change, ContractStatus } from '../target/contract-status.ts';
import { keyOf, placeOf, type RunPlace } from '../round/plan.ts';
import type { Run } from '../round/run.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { recordEvent } from './events.ts';
import { cellsFrom, History } from './history.ts';
import { isClause, isFact, isState, listOf, runFrom, stored } from './stored.ts';

/** How many runs in a row were not a success, and when the last success was (milliseconds since 1970). */
export interface Streak {
  readonly failures: number;
  readonly lastKeptAt?: number;
}

type Addressed = Pick<WatchedTarget, 'name' | 'connection'>;

/** The content of the state file for a target. */
export type PersistedTarget = ReturnType<typeof recall>;

/**
 * Restores a target, so that a restart changes neither what is known nor when the next runs start. A damaged row,
 * or a row of a removed probe, counts as missing.
 * @param places where runs may belong
 */
export function recall(watched: Addressed, places: readonly RunPlace[], state: StateStore) {
  const target = watched.name;
  const slots = state.entries(target, 'slot');
  const standing = state.entries(target, 'standing');
  const failures = state.entries(target, 'failure');
  const probes = new Map(places.map(({ probe }) => [probe.name, probe]));
  const keys = countingKeys(watched, places, state);
  const moved = isMoved(watched, state);
  const is = field(standing.get('state'), 'is');
  const since = numberIn(standing.get('state'), 'since');

  function runs(value: unknown): Run[] {
    const run = runFrom(value, target, probes);
    if (run === undefined) return [];
    return keys.has(placeOf(run)) ? [run] : [];
  }

  return {
    runs: [...state.entries(target, 'run').values()].flatMap(runs),
    since: new Map([...state.entries(target, 'verdict')].flatMap(verdictFrom)),
    facts: moved ? [] : listOf([...state.entries(target, 'fact').values()], isFact),
    answers: moved ? undefined : standing.get('answers'),
    observed: moved ? undefined : standing.get('observed'),
    state: isState(is) && since !== undefined ? { is, since } : undefined,
    /** When a slot last ran (milliseconds since 1970). */
    lastRun: (key: string): number | undefined => [slots.get(key)].find(isNumber),
    streak(probe: string): Streak {
      const row = standing.get(`streak ${probe}`);
      return { failures: numberIn(row, 'failures') ?? 0, lastKeptAt: numberIn(row, 'lastKeptAt') };
    },
    history: (probe: string): History =>
      new History(
        cellsFrom(standing.get(`cells ${probe}`)),
        [failures.get(probe)].flat().flatMap(runs),
      ),
  };
}

function verdictFrom([id, value]: readonly [string, unknown]): [
  MustId,
  { readonly verdict: string; readonly since: number },
][] {
  const verdict = textIn(value, 'verdict');
  const since = numberIn(value, 'since');
  if (!isClause(id) || verdict === undefined || since === undefined) return [];
  return [[id, { verdict, since }]];
}

/**
 * Stores verdicts and state, and since when, where the state has none or others: a target may begin, or other probes
 * and endpoints may count now.
 */
export function begun(state: StateStore, target: string, standing: ContractStatus): void {
  const known = state.entries(target, 'verdict');
  for (const { clause, verdict, since } of standing.verdicts()) {
    const before = textIn(known.get(clause.id), 'verdict');
    if (before === verdict) continue;
    state.put(target, 'verdict', clause.id, { verdict, since });
    recordEvent(state, target, since, { clause: clause.id, verdict, before });
  }
  const { is, since } = standing.state();
  const before = textIn(state.entries(target, 'standing').get('state'), 'is');
  if (before === is) return;
  state.put(target, 'standing', 'state', { is, since });
  recordEvent(state, target, since, { state: is, before });
}

/**
 * Removes what another address has shown, and the runs of probes and endpoints that the configuration has removed or
 * turned off. If they run again later, an old failure must not count before their first new run.
 */
export function forgetOtherRuns(
  watched: Addressed,
  places: readonly RunPlace[],
  state: StateStore,
): void {
  const { name, connection } = watched;
  const keys = countingKeys(watched, places, state);
  for (const key of state.entries(name, 'run').keys())
    if (!keys.has(key)) state.remove(name, 'run', key);
  if (isMoved(watched, state)) {
    for (const kind of ['failure', 'fact'] as const)
      for (const key of state.entries(name, kind).keys()) state.remove(name, kind, key);
    for (const key of ['answers', 'observed']) state.remove(name, 'standing', key);
  }
  const { href } = connection.origin;
  if (addressIn(state, name) !== href) state.put(name, 'standing', 'address', href);
}

/** The places whose runs in the state still count. */
const countingKeys = (
  watched: Addressed,
  places: readonly RunPlace[],
  state: StateStore,
): ReadonlySet<string> => new Set(isMoved(watched, state) ? [] : places.map(keyOf));

/** Whether the state is about another address, where there may be another provider. */
function isMoved({ name, connection }: Addressed, state: StateStore): boolean {
  const address = addressIn(state, name);
  return address !== undefined && address !== connection.origin.href;
}

/** The address of the runs in the state. */
const addressIn = (state: StateStore, target: string): unknown =>
  state.entries(target, 'standing').get('address');

/** A run and its effects. */
export interface Event {
  readonly run: Run;
  /** Whether the run counts: during maintenance a failure does not. */
  readonly counts: boolean;
  readonly standing: ContractStatus;
  readonly changes: readonly Change[];
  readonly history: History;
  readonly streak: Streak;
}

/** Stores a run, and the changes that it caused. */
export function keep(
  state: StateStore,
  { run, counts, standing, changes, history: past, streak }: Event,
): void {
  const { target, startedAt, result } = run;
  const { probe, outcome, observations } = result;
  if (counts) state.put(target, 'run', placeOf(run), stored(run));
  const saved = standing.saved();
  state.put(target, 'standing', 'answers', saved.answers);
  state.put(target, 'standing', `cells ${probe.name}`, past.saved());
  state.put(target, 'standing', `streak ${probe.name}`, streak);
  if (outcome !== 'passed') state.put(target, 'failure', probe.name, past.failures().map(stored));
  state.count(target, startedAt, outcome);
  if (observations.length > 0) {
    state.put(target, 'standing', 'observed', saved.observed);
    for (const fact of standing.facts())
      if (fact.since === startedAt) state.put(target, 'fact', `${fact.id} ${fact.fact}`, fact);
  }
  for (const change of changes) {
    if (change.is === 'state') {
      state.put(target, 'standing', 'state', standing.state());
      const { from: before, to, why: detail } = change;
      recordEvent(state, target, startedAt, { state: to, before, detail });
    }
    if (change.is !== 'verdict') continue;
    const { clause, verdict, since } = change.now;
    state.put(target, 'verdict', clause.id, { verdict, since });
    recordEvent(state, target, since, { clause: clause.id, verdict, before: change.before });
  }
}
