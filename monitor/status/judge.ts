import { type MustId, mustHold } from '../../contract/clauses.ts';
import { reasons } from '../../contract/http/unreachable.ts';
import { isIntrusive, needsClock, type Probe } from '../../contract/probe.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import { type ClauseVerdict, verdicts } from '../../contract/round/verdict.ts';
import { keyOf, monitored, type RunPlace } from '../round/plan.ts';
import { notRunYet, type PlaceStatus } from './status.ts';

/** A verdict on every clause; a clause without a probe in the monitor is unverified, with the reason. */
export function judge(
  places: readonly RunPlace[],
  probes: readonly Probe[],
  known: Readonly<Record<string, PlaceStatus>>,
): ClauseVerdict[] {
  const results = resultsOf(places, known);
  const run = [...new Set(places.map(({ probe }) => probe))];
  const runsOf = (probe: Probe): number => places.filter((place) => place.probe === probe).length;
  const judged = new Map(
    verdicts(run, results, notRunYet, runsOf).map((one) => [one.clause.id, one]),
  );
  return mustHold.map(
    (clause) =>
      judged.get(clause.id) ?? {
        clause,
        verdict: 'unverified',
        cause: 'unconfigured',
        reason: whyNotWatched(clause.id, probes),
        findings: [],
      },
  );
}

/** What still counts of the latest results, in the order of the probes. */
export function resultsOf(
  places: readonly RunPlace[],
  known: Readonly<Record<string, PlaceStatus>>,
): ProbeResult[] {
  const latest = places.flatMap(({ probe, ...place }) => {
    const status = known[keyOf({ probe, ...place })];
    return status === undefined ? [] : [{ ...status, probe }];
  });
  const tokenAt = Math.max(...latest.filter(provesTokens).map(({ at }) => at));
  return latest.flatMap((one) => currentOf(one, tokenAt));
}

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
