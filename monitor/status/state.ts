import { mustHold } from '../../contract/clauses.ts';
import { daily } from '../../contract/probe.ts';
import { isControl } from '../round/plan.ts';
import { judge, type Plan } from './judge.ts';
import type {
  KnownVerdict,
  PlaceStatus,
  Silence,
  Status,
  TargetEvent,
  TargetState,
} from './status.ts';

/** A run without an answer may be an accident; so may one whose answers prove nothing. */
export const needed = 2;

/** Whether a place is known to get no answers that can be judged. */
export const isSilent = (
  { hasAnswered }: Pick<Status, 'hasAnswered'>,
  { silent }: Pick<PlaceStatus, 'silent'>,
): boolean => silent >= (hasAnswered ? needed : 1);

const mostEvents = 100;

/** The same, with verdicts, state and events as they follow from its places. */
export function restated(before: Status, next: Status, plan: Plan, at: number): Status {
  const clauses = clausesOf(before, next, plan, at);
  const silence = silenceOf(before, next, plan, at);
  const unproven = unprovenOf(next);
  const state = stateOf(clauses, { silence, unproven, isComplete: isComplete(next, plan) });
  const since = state === before.state ? before.since : at;
  const changed = { ...next, clauses, silence, unproven, state, since };
  const changes = changed.facts.filter((fact) => fact.before && !before.facts.includes(fact));
  const observationChanges = { ...next.counters.observationChanges };
  for (const { id } of changes) observationChanges[id] = (observationChanges[id] ?? 0) + 1;
  return {
    ...changed,
    counters: { ...next.counters, observationChanges },
    events: eventsAfter(before, changed, at),
  };
}

function clausesOf(before: Status, next: Status, plan: Plan, at: number): Status['clauses'] {
  const clauses = { ...before.clauses };
  for (const { clause, ...now } of judge(plan, next, at)) {
    const known = before.clauses[clause.id];
    const since = known.verdict === now.verdict ? known.since : at;
    clauses[clause.id] = { ...now, since };
  }
  return clauses;
}

/** The places that are known to get no answers, and the latest reason. */
function silenceOf(before: Status, next: Status, plan: Plan, at: number): Silence | undefined {
  const silent = Object.values(next.places).filter((place) => isSilent(next, place));
  const latest = silent.toSorted((one, other) => other.at - one.at)[0];
  if (latest === undefined) return undefined;
  const isEverywhere = plan.places.filter(isControl).every(({ key }) => {
    const place = next.places[key];
    return place !== undefined && isSilent(next, place);
  });
  const { reason = 'unavailable', detail = reason } = lossOf(next, latest) ?? {};
  const { silence } = before;
  const since = silence?.isEverywhere === isEverywhere ? silence.since : at;
  return { isEverywhere, reason, detail, since };
}

/** The missing answer of a place. A list that goes on with the same part keeps what it has shown before. */
const lossOf = ({ failures }: Status, { probe, endpoint, result }: PlaceStatus) =>
  [result, ...failures.filter((one) => one.probe === probe && one.endpoint === endpoint)].find(
    (one) => one?.outcome === 'unreachable',
  );

function unprovenOf({ places }: Status): string | undefined {
  const [latest] = Object.values(places)
    .filter(({ proofless, result }) => proofless >= needed && result?.unproven !== undefined)
    .toSorted((one, other) => other.at - one.at);
  return latest && `${latest.endpoint}: ${latest.result?.unproven}`;
}

/** Whether all quick probes have run. The first run of a daily one may be hours away. */
const isComplete = ({ places }: Status, plan: Plan): boolean =>
  plan.places.every(
    ({ key, probe }) => (probe.everySeconds ?? daily) >= daily || places[key] !== undefined,
  );

function stateOf(
  clauses: Status['clauses'],
  {
    silence,
    unproven,
    isComplete,
  }: Pick<Status, 'silence' | 'unproven'> & { readonly isComplete: boolean },
): TargetState {
  const has = (wanted: KnownVerdict['verdict']): boolean =>
    mustHold.some(({ id }) => clauses[id].verdict === wanted);
  if (has('violated')) return 'violated';
  if (silence !== undefined) return silence.isEverywhere ? 'unreachable' : 'partly';
  if (!isComplete) return 'waiting';
  if (!has('holds')) return 'unverified';
  return unproven === undefined ? 'holds' : 'partly';
}

/** Ends the events that are over, and begins those that are new. */
function eventsAfter(before: Status, after: Status, at: number): Status['events'] {
  const whats = (status: Status): Map<string, Omit<TargetEvent, 'from'>> => {
    const violated = mustHold.filter(({ id }) => status.clauses[id].verdict === 'violated');
    const all = violated.map(({ id }): [string, Omit<TargetEvent, 'from'>] => [
      id,
      { what: 'violated', clause: id },
    ]);
    const { state } = status;
    if (state !== 'unreachable' && state !== 'partly') return new Map(all);
    const detail = status.silence?.detail ?? status.unproven;
    return new Map([...all, [state, { what: state, detail }]]);
  };
  const [were, are] = [whats(before), whats(after)];
  const keyOfEvent = ({ what, clause }: TargetEvent): string => clause ?? what;
  const ended = before.events.map((event) =>
    event.until === undefined && !are.has(keyOfEvent(event))
      ? // The wall clock may have been set back.
        { ...event, until: Math.max(event.from, at) }
      : event,
  );
  const begun = [...are].filter(([key]) => !were.has(key)).map(([, one]) => ({ ...one, from: at }));
  return [...begun, ...ended].slice(0, mostEvents);
}
