import { type Clause, type MustId, mustHold } from '../../contract/clauses.ts';
import { byAge } from '../../contract/finding.ts';
import { reasons } from '../../contract/http/unreachable.ts';
import { type KnownDeviation, withKnown } from '../../contract/known.ts';
import { daily, isIntrusive, needsClock, type Probe } from '../../contract/probe.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import {
  type ClauseVerdict,
  verdicts,
  violatedVerdict,
  withDoubts,
} from '../../contract/round/verdict.ts';
import { type ProvenClause, proofs } from '../canary/evidence.ts';
import { isControl, type Place } from '../round/plan.ts';
import { changedFacts } from './facts.ts';
import {
  clausesWith,
  notRunYet,
  type PlaceStatus,
  type Status,
  type TargetEvent,
  type TargetState,
  whyNotJudged,
} from './status.ts';

/** What is watched of a target. */
export interface Plan {
  readonly places: readonly Place[];
  /** All probes, including those that the monitor does not run. */
  readonly probes: readonly Probe[];
  readonly hasCanaries: boolean;
  readonly known?: readonly KnownDeviation[] | undefined;
}

/** A verdict on every clause. A clause without a probe in the monitor is unverified, with the reason. */
export function judge(plan: Plan, current: Pick<Status, 'places' | 'evidence'>, at: number) {
  const { places, known } = plan;
  const results = selectCurrentResults(places, current.places).map((result) => ({
    ...result,
    findings: withKnown(result.findings, known, at),
  }));
  const run = [...new Set(places.map(({ probe }) => probe))];
  const countPlaces = (probe: Probe): number =>
    places.filter((place) => place.probe === probe).length;
  const judged = new Map(
    verdicts(run, results, notRunYet, countPlaces).map((verdict) => [verdict.clause.id, verdict]),
  );
  const evidenceFindings = Object.values(current.evidence).flatMap(({ findings }) => findings);
  const canaryFindings = withKnown(evidenceFindings, known, at);
  const all = mustHold.map((clause): ClauseVerdict => {
    const verdict = judged.get(clause.id) ?? judgeByCanaries(clause, plan, current.evidence);
    const more = canaryFindings.filter((finding) => finding.clause === clause.id);
    if (more.length === 0) return verdict;
    return violatedVerdict(clause, byAge([...verdict.findings, ...more]));
  });
  return withDoubts(all, results, known, at);
}

/** What still counts of the latest results, in the order of the probes. */
export function selectCurrentResults(
  places: readonly Place[],
  known: Status['places'],
): ProbeResult[] {
  const latest = places.flatMap(({ probe, key }) => {
    const status = known[key];
    return status === undefined ? [] : [{ ...status, probe }];
  });
  const tokenAt = Math.max(...latest.filter(provesTokens).map(({ at }) => at));
  return latest.flatMap((status) => keepCurrent(status, tokenAt));
}

/** The verdict on a clause that no probe of the monitor is about. Canaries may prove it. */
function judgeByCanaries(
  clause: Clause<MustId>,
  { probes, hasCanaries }: Plan,
  evidence: Status['evidence'],
): ClauseVerdict {
  const none = { clause, verdict: 'unverified', findings: [] } as const;
  if (!hasCanaries || !isProven(clause.id))
    return { ...none, cause: 'unconfigured', reason: whyNotWatched(clause.id, probes) };
  if (evidence[clause.id] === undefined) return { ...none, ...notRunYet };
  return { ...none, verdict: 'holds' };
}

const isProven = (id: MustId): id is ProvenClause => Object.hasOwn(proofs, id);

type Known = Omit<PlaceStatus, 'probe'> & { readonly probe: Probe };

/**
 * The part of a result that still counts. Any probe may find that the credentials got no token, and some probes run
 * only once a day. So a later run of a probe for that clause, which got a token, has priority.
 * @param tokenAt when the latest such run began
 */
function keepCurrent({ probe, endpoint, at, result }: Known, tokenAt: number): ProbeResult[] {
  if (result === undefined) return [];
  // Where a run found a violation and then got no answer, the reason shows that it did not finish.
  const reason = reasons.find((candidate) => candidate === result.reason);
  const all = { ...result, reason, probe, endpoint, observations: [], durationSeconds: 0 };
  if (at >= tokenAt || isAboutTokens(probe)) return [all];
  return [{ ...all, findings: all.findings.filter(({ clause }) => clause !== 'TOKEN-1') }];
}

const isAboutTokens = ({ clauses }: Probe): boolean => clauses.includes('TOKEN-1');

const provesTokens = ({ probe, result }: Known): boolean =>
  isAboutTokens(probe) && result?.outcome === 'passed' && result.unproven === undefined;

function whyNotWatched(clause: MustId, probes: readonly Probe[]): string {
  const about = probes.filter(({ clauses }) => clauses.includes(clause));
  if (about.some(isIntrusive))
    return 'takes wrong credentials, which may lock an account: npm run gate';
  if (about.some(needsClock)) return 'takes simulated time: npm run gate';
  return 'no probe about it runs here: npm run gate';
}

/** How many runs in a row without an answer, or without proof, count: a single one may be an accident. */
export const needed = 2;

/** Whether any run has ever had an answer that can be judged. */
export const hasAnswered = ({ counters: { runs } }: Status): boolean =>
  runs.passed + runs.failed > 0;

/** Whether a place is known to get no answers that can be judged. */
export const isSilent = (status: Status, { unjudged }: Pick<PlaceStatus, 'unjudged'>): boolean =>
  unjudged?.reason !== undefined && unjudged.runs >= (hasAnswered(status) ? needed : 1);

const maxEvents = 100;

/** Derives verdicts, state and events of the next status from its places. */
export function deriveStatus(before: Status, next: Status, plan: Plan, at: number): Status {
  const clauses = updateClauses(before, next, plan, at);
  const silence = updateSilence(before, next, plan, at);
  const unproven = describeUnproven(next);
  const judged = { ...next, clauses, silence, unproven };
  const state = deriveState(judged, plan);
  const since = state === before.state ? before.since : at;
  const changed = { ...judged, state, since };
  const observationChanges = { ...next.counters.observationChanges };
  for (const { id } of changedFacts(before, next))
    observationChanges[id] = (observationChanges[id] ?? 0) + 1;
  return {
    ...changed,
    counters: { ...next.counters, observationChanges },
    events: updateEvents(before, changed, at),
  };
}

function updateClauses(before: Status, next: Status, plan: Plan, at: number): Status['clauses'] {
  const clauses = { ...before.clauses };
  for (const { clause, ...now } of judge(plan, next, at)) {
    const previous = before.clauses[clause.id];
    const since = previous.verdict === now.verdict ? previous.since : at;
    clauses[clause.id] = { ...now, since };
  }
  return clauses;
}

/** The places that are known to get no answers, and the latest reason. */
function updateSilence(before: Status, next: Status, plan: Plan, at: number): Status['silence'] {
  const { reason, detail = '' } =
    findLatest(next, (place) => isSilent(next, place))?.unjudged ?? {};
  if (reason === undefined) return undefined;
  const isEverywhere = plan.places.filter(isControl).every(({ key }) => {
    const place = next.places[key];
    return place !== undefined && isSilent(next, place);
  });
  const { silence } = before;
  const since = silence?.isEverywhere === isEverywhere ? silence.since : at;
  return { isEverywhere, reason, detail, since };
}

function describeUnproven(status: Status): string | undefined {
  const latest = findLatest(
    status,
    ({ unjudged }) =>
      unjudged !== undefined && unjudged.reason === undefined && unjudged.runs >= needed,
  );
  return latest && `${latest.endpoint}: ${latest.unjudged?.detail}`;
}

const findLatest = ({ places }: Status, matches: (place: PlaceStatus) => boolean) =>
  Object.values(places)
    .filter(matches)
    .toSorted((a, b) => b.at - a.at)[0];

/** Whether all quick probes have run. The first run of a daily one may be hours away. */
const isComplete = ({ places }: Status, plan: Plan): boolean =>
  plan.places.every(
    ({ key, probe }) => (probe.everySeconds ?? daily) >= daily || places[key] !== undefined,
  );

function deriveState(status: Status, plan: Plan): TargetState {
  const { silence, unproven } = status;
  if (clausesWith(status, 'violated').length > 0) return 'violated';
  if (silence !== undefined) return silence.isEverywhere ? 'unreachable' : 'partly';
  if (!isComplete(status, plan)) return 'waiting';
  if (clausesWith(status, 'holds').length === 0) return 'unverified';
  return unproven === undefined ? 'holds' : 'partly';
}

/** Ends the events that are over, and begins those that are new. */
function updateEvents(before: Status, after: Status, at: number): Status['events'] {
  const open = openEvents(after);
  const earlier = before.events.filter(({ until }) => until === undefined);
  const ended = before.events.map((event) =>
    event.until === undefined && !open.some((openEvent) => isSame(openEvent, event))
      ? // The wall clock may have been set back.
        { ...event, until: Math.max(event.from, at) }
      : event,
  );
  const begun = open.filter((openEvent) => !earlier.some((event) => isSame(openEvent, event)));
  return [...begun.map((openEvent) => ({ ...openEvent, from: at })), ...ended].slice(0, maxEvents);
}

type OpenEvent = Omit<TargetEvent, 'from' | 'until'>;

const isSame = (a: OpenEvent, b: OpenEvent): boolean => a.what === b.what && a.clause === b.clause;

function openEvents(status: Status): OpenEvent[] {
  const { state } = status;
  const violated = clausesWith(status, 'violated').map(
    ({ id }): OpenEvent => ({ what: 'violated', clause: id }),
  );
  if (state !== 'unreachable' && state !== 'partly') return violated;
  return [...violated, { what: state, detail: whyNotJudged(status) }];
}
