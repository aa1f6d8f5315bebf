import { type MustId, mustHold } from '../../contract/clauses.ts';
import { isIntrusive, needsClock, type Probe } from '../../contract/probe.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import { type ClauseVerdict, verdicts } from '../../contract/round/verdict.ts';
import { keyOf, monitored, type RunPlace } from './plan.ts';
import type { Run } from './run.ts';

/** Whether a run has no finding, and proved all its clauses. */
const isQuiet = ({ result }: Run): boolean =>
  result.outcome === 'passed' && result.unproven === undefined;

/** Whether two runs of one place passed and proved the same, so that the later one does not change a verdict. */
export const provesTheSame = ({ result: one }: Run, { result: other }: Run): boolean =>
  one.outcome === 'passed' && other.outcome === 'passed' && one.unproven === other.unproven;

/** A verdict on every clause; a clause without a probe in the monitor is unverified, with the reason. */
export function judge(
  places: readonly RunPlace[],
  probes: readonly Probe[],
  latest: ReadonlyMap<string, Run>,
): ClauseVerdict[] {
  // In the order of the probes, not of their runs.
  const runs = places.flatMap((place) => latest.get(keyOf(place)) ?? []);
  const tokenAt = Math.max(...runs.filter(provesTokens).map(({ startedAt }) => startedAt));
  const results = runs.map((one) => current(one, tokenAt));
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

/**
 * The part of a run that still counts. Any probe may find that the credentials got no token, and some probes run
 * only once an hour. So a later run of a probe for that clause, which got a token, has priority.
 * @param tokenAt when the latest such run began
 */
function current({ result, startedAt }: Run, tokenAt: number): ProbeResult {
  if (startedAt >= tokenAt || isAboutTokens(result)) return result;
  return { ...result, findings: result.findings.filter(({ clause }) => clause !== 'TOKEN-1') };
}

const isAboutTokens = ({ probe }: ProbeResult): boolean => probe.clauses.includes('TOKEN-1');

const provesTokens = (run: Run): boolean => isQuiet(run) && isAboutTokens(run.result);

const notRunYet = { cause: 'prevented', reason: 'not run yet' } as const;

function whyNotWatched(clause: MustId, probes: readonly Probe[]): string {
  const about = probes.filter(({ clauses }) => clauses.includes(clause));
  if (about.some((probe) => monitored([probe]).length > 0)) return 'no endpoint to run it on';
  if (about.some(isIntrusive))
    return 'takes wrong credentials, which may lock an account: npm run gate';
  if (about.some(needsClock)) return 'takes simulated time: npm run gate';
  return 'no probe about it runs in production: npm run gate';
}
