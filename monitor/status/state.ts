import { daily } from '../../contract/probe.ts';
import { isControl } from '../round/plan.ts';
import { changedFacts } from './facts.ts';
import { judge, type Plan } from './judge.ts';
import {
  clausesWith,
  type PlaceStatus,
  type Silence,
  type Status,
  type TargetEvent,
  type TargetState,
  whyNotJudged,
} from './status.ts';

/** A run without an answer may be an accident; so may one whose answers prove nothing. */
export const needed = 2;

/** Whether any run has ever had an answer that can be judged. */
export const hasAnswered = ({ counters: { runs } }: Status): boolean =>
  runs.passed + runs.failed + runs.defect > 0;

/** Whether a place is known to get no answers that can be judged. */
export const isSilent = (status: Status, { silent }: Pick<PlaceStatus, 'silent'>): boolean =>
  silent >= (hasAnswered(status) ? needed : 1);

const mostEvents = 100;

/** The same, with verdicts, state and events as they follow from its places. */
export function restated(before: Status, next: Status, plan: Plan, at: number): Status {
  const clauses = clausesOf(before, next, plan, at);
  const silence = silenceOf(before, next, plan, at);
  const unproven = unprovenOf(next);
  const judged = { ...next, clauses, silence, unproven };
  const state = stateOf(judged, plan);
  const since = state === before.state ? before.since : at;
  const changed = { ...judged, state, since };
  const observationChanges = { ...next.counters.observationChanges };
  for (const { id } of changedFacts(before, next))
    observationChanges[id] = (observationChanges[id] ?? 0) + 1;
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
  const { reason, detail } = latest.loss ?? { reason: 'unavailable', detail: 'no answer' };
  const { silence } = before;
  const since = silence?.isEverywhere === isEverywhere ? silence.since : at;
  return { isEverywhere, reason, detail, since };
}

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

function stateOf(status: Status, plan: Plan): TargetState {
  const { silence, unproven } = status;
  if (clausesWith(status, 'violated').length > 0) return 'violated';
  if (silence !== undefined) return silence.isEverywhere ? 'unreachable' : 'partly';
  if (!isComplete(status, plan)) return 'waiting';
  if (clausesWith(status, 'holds').length === 0) return 'unverified';
  return unproven === undefined ? 'holds' : 'partly';
}

/** Ends the events that are over, and begins those that are new. */
function eventsAfter(before: Status, after: Status, at: number): Status['events'] {
  const open = openEvents(after);
  const earlier = openEvents(before);
  const ended = before.events.map((event) =>
    event.until === undefined && !open.some((one) => isSame(one, event))
      ? // The wall clock may have been set back.
        { ...event, until: Math.max(event.from, at) }
      : event,
  );
  const begun = open.filter((one) => !earlier.some((event) => isSame(one, event)));
  return [...begun.map((one) => ({ ...one, from: at })), ...ended].slice(0, mostEvents);
}

type OpenEvent = Omit<TargetEvent, 'from' | 'until'>;

const isSame = (one: OpenEvent, other: OpenEvent): boolean =>
  one.what === other.what && one.clause === other.clause;

function openEvents(status: Status): OpenEvent[] {
  const { state } = status;
  const violated = clausesWith(status, 'violated').map(
    ({ id }): OpenEvent => ({ what: 'violated', clause: id }),
  );
  if (state !== 'unreachable' && state !== 'partly') return violated;
  return [...violated, { what: state, detail: whyNotJudged(status) }];
}
