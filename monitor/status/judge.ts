import { type Clause, type MustId, mustHold } from '../../contract/clauses.ts';
import { byAge } from '../../contract/finding.ts';
import { reasons } from '../../contract/http/unreachable.ts';
import { type KnownDeviation, withKnown } from '../../contract/known.ts';
import { isIntrusive, needsClock, type Probe } from '../../contract/probe.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import {
  type ClauseVerdict,
  doubtsOf,
  verdicts,
  violated,
  withDoubts,
} from '../../contract/round/verdict.ts';
import { type ProvenClause, proofs } from '../canary/evidence.ts';
import { monitored, type Place } from '../round/plan.ts';
import { notRunYet, type PlaceStatus, type Status } from './status.ts';

/** What is watched of a target. */
export interface Plan {
  /** In the order of a round. */
  readonly places: readonly Place[];
  /** All probes, including those that the monitor does not run. */
  readonly probes: readonly Probe[];
  /** Whether canaries are kept. */
  readonly hasCanaries: boolean;
  readonly known?: readonly KnownDeviation[] | undefined;
}

/**
 * A verdict on every clause; a clause without a probe in the monitor is unverified, with the reason.
 * @param at milliseconds since 1970
 */
export function judge(
  plan: Plan,
  shown: Pick<Status, 'places' | 'evidence'>,
  at: number,
): ClauseVerdict[] {
  const { places, known } = plan;
  const results = resultsOf(places, shown.places).map((result) => ({
    ...result,
    findings: withKnown(result.findings, known, at),
  }));
  const run = [...new Set(places.map(({ probe }) => probe))];
  const runsOf = (probe: Probe): number => places.filter((place) => place.probe === probe).length;
  const judged = new Map(
    verdicts(run, results, notRunYet, runsOf).map((one) => [one.clause.id, one]),
  );
  const ofCanaries = withKnown(
    Object.values(shown.evidence).flatMap(({ findings }) => findings),
    known,
    at,
  );
  const all = mustHold.map((clause): ClauseVerdict => {
    const verdict = judged.get(clause.id) ?? verdictOf(clause, plan, shown.evidence);
    const more = ofCanaries.filter((finding) => finding.clause === clause.id);
    if (more.length === 0) return verdict;
    return violated(clause, byAge([...verdict.findings, ...more]));
  });
  return withDoubts(all, doubtsOf(results), known, at);
}

/** What still counts of the latest results, in the order of the probes. */
export function resultsOf(
  places: readonly Place[],
  known: Readonly<Record<string, PlaceStatus>>,
): ProbeResult[] {
  const latest = places.flatMap(({ probe, key }) => {
    const status = known[key];
    return status === undefined ? [] : [{ ...status, probe }];
  });
  const tokenAt = Math.max(...latest.filter(provesTokens).map(({ at }) => at));
  return latest.flatMap((one) => currentOf(one, tokenAt));
}

/** The verdict on a clause that no probe of the monitor is about. Canaries may prove it. */
function verdictOf(
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
function currentOf({ probe, endpoint, at, result }: Known, tokenAt: number): ProbeResult[] {
  if (result === undefined) return [];
  // Where a run found a violation and then got no answer, the reason shows that it did not finish.
  const reason = reasons.find((one) => one === result.reason);
  const all = { ...result, reason, probe, endpoint, observations: [], durationSeconds: 0 };
  if (at >= tokenAt || isAboutTokens(probe)) return [all];
  return [{ ...all, findings: all.findings.filter(({ clause }) => clause !== 'TOKEN-1') }];
}

const isAboutTokens = ({ clauses }: Probe): boolean => clauses.includes('TOKEN-1');

const provesTokens = ({ probe, result }: Known): boolean =>
  isAboutTokens(probe) && result?.outcome === 'passed' && result.unproven === undefined;

function whyNotWatched(clause: MustId, probes: readonly Probe[]): string {
  const about = probes.filter(({ clauses }) => clauses.includes(clause));
  if (about.some((probe) => monitored([probe]).length > 0)) return 'no endpoint to run it on';
  if (about.some(isIntrusive))
    return 'takes wrong credentials, which may lock an account: npm run gate';
  if (about.some(needsClock)) return 'takes simulated time: npm run gate';
  return 'no probe about it runs in production: npm run gate';
}
