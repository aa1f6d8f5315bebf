import { type Clause, type MustId, mustHold } from '../clauses.ts';
import type { ExitCode } from '../command.ts';
import { byAge, type Finding, type Observation } from '../finding.ts';
import { type Endpoint, endpointName } from '../http/request.ts';
import { needsClock, type Probe } from '../probe.ts';
import type { ProbeResult } from './attempt.ts';

/**
 * Why a clause is unverified. `unconfigured`: its probes need a test clock or valid credentials, and the settings
 * have none. `prevented`: something else was the cause, such as an answer of the provider, its network or a
 * defect of ours.
 */
export type Cause = 'unconfigured' | 'prevented';

/** The cause, and one line of explanation. */
export interface Unverified {
  readonly cause: Cause;
  readonly reason: string;
}

/** The state of one clause after a round. */
export interface ClauseVerdict extends Partial<Unverified> {
  readonly clause: Clause<MustId>;
  readonly verdict: 'holds' | 'violated' | 'unverified';
  /** By the age of the token, where time is simulated. */
  readonly findings: readonly Finding[];
}

/**
 * The verdict on each clause of the probes, and on each other clause that they found violated. A clause holds
 * only if all of its necessary probes finished and proved it.
 * @param probes all selected ones, also those that could not run;
 * @param notRun why some of them did not run
 * @param runsOf on how many endpoints a probe was due
 */
export function verdicts(
  probes: readonly Probe[],
  results: readonly ProbeResult[],
  notRun: Unverified,
  runsOf: (probe: Probe) => number = () => 1,
): ClauseVerdict[] {
  const findings = results.flatMap((result) => result.findings);
  return mustHold.flatMap((clause): ClauseVerdict[] => {
    const broken = findings.filter((finding) => finding.clause === clause.id);
    if (broken.length > 0) return [{ clause, verdict: 'violated', findings: byAge(broken) }];
    const about = probes.filter((probe) => probe.clauses.includes(clause.id));
    if (about.length === 0) return [];
    const needed = necessary(clause, about, results);
    const whys = needed.flatMap((probe) => whyUnverified(probe, results, notRun, runsOf) ?? []);
    // A missing setting must not hide another cause.
    const why = whys.find(({ cause }) => cause === 'prevented') ?? whys[0];
    return [
      why === undefined
        ? { clause, verdict: 'holds', findings: [] }
        : { clause, verdict: 'unverified', ...why, findings: [] },
    ];
  });
}

/**
 * The probes without which a clause is unverified. Only EXPIRY is about time: the other clauses are proven at the
 * present, and a probe that also tries them at other hours is not missed where time cannot be simulated.
 */
function necessary(
  { id }: Clause<MustId>,
  about: readonly Probe[],
  results: readonly ProbeResult[],
): readonly Probe[] {
  const ran = (probe: Probe): boolean => results.some((result) => result.probe === probe);
  const atPresent = about.filter((probe) => !needsClock(probe));
  return id.startsWith('EXPIRY') || atPresent.length === 0
    ? about
    : about.filter((probe) => !needsClock(probe) || ran(probe));
}

/** Why a probe does not prove its clauses; undefined if it does, or if it found a violation. */
export function whyUnverified(
  probe: Probe,
  results: readonly ProbeResult[],
  notRun: Unverified,
  runsOf: (probe: Probe) => number,
): Unverified | undefined {
  const prevented = (why: string): Unverified => ({
    cause: 'prevented',
    reason: `${probe.name}: ${why}`,
  });
  const own = results.filter((result) => result.probe === probe);
  if (own.length < runsOf(probe)) return notRun;
  for (const { endpoint, outcome, reason, detail, unproven } of own) {
    // A probe that found another clause violated before it was cut short counts as failed, and as unfinished.
    const stopped = reason === undefined ? outcome : 'unreachable';
    if (stopped === 'unreachable' || stopped === 'defect')
      return prevented(`${stopped}: ${detail?.split('\n')[0] ?? ''}`);
    if (unproven === undefined) continue;
    // The settings name several endpoints, and only one of them may be wrong.
    const isOfOne = runsOf(probe) > 1 && own.some((one) => one.unproven !== unproven);
    return prevented(`${isOfOne ? `${endpoint}: ` : ''}${unproven}`);
  }
  return undefined;
}

/** The observations of a round, each fact once with all observed values. */
export function ledger(results: readonly Pick<ProbeResult, 'observations'>[]): Observation[] {
  const facts = new Map<string, Observation & { readonly values: Set<string> }>();
  for (const { id, fact, value } of results.flatMap((result) => result.observations)) {
    const known = facts.get(`${id} ${fact}`);
    if (known === undefined)
      facts.set(`${id} ${fact}`, { id, fact, value, values: new Set([value]) });
    else known.values.add(value);
  }
  return [...facts.values()]
    .map(({ id, fact, values }) => ({ id, fact, value: [...values].sort().join(', ') }))
    .sort(
      (one, other) => inNumbers.compare(one.id, other.id) || one.fact.localeCompare(other.fact),
    );
}

/** OPEN-2 comes before OPEN-10. */
const inNumbers = new Intl.Collator('en', { numeric: true });

/** Why a probe did not reach the provider, if it did not. */
export function unreachableIn(results: readonly ProbeResult[]): string | undefined {
  return results.find(({ outcome }) => outcome === 'unreachable')?.detail;
}

/**
 * The exit code of a round. A run can fail without a clause if a payload does not match its owner's schema.
 * @param strict whether an unverified clause counts as well
 */
export function exitOf(
  results: readonly ProbeResult[],
  clauses: readonly ClauseVerdict[],
  unjudged: string | undefined,
  strict: boolean,
): ExitCode {
  const ended = (how: ProbeResult['outcome']): boolean =>
    results.some(({ outcome }) => outcome === how);
  const has = (wanted: ClauseVerdict['verdict']): boolean =>
    clauses.some(({ verdict }) => verdict === wanted);
  if (ended('defect')) return 3;
  if (ended('failed') || has('violated')) return 1;
  return unjudged !== undefined || (strict && has('unverified')) ? 2 : 0;
}

/** The last result of each probe on each endpoint: a probe runs again if its process has ended. */
export const byRun = (results: readonly ProbeResult[]): Map<string, ProbeResult> =>
  new Map(results.map((result) => [`${result.probe.name} ${result.endpoint}`, result]));

/** Outcomes in the order of the contract and of the endpoints: which run ends first is random. */
export function inOrder(
  results: readonly ProbeResult[],
  probes: readonly Probe[],
  endpoints: readonly Endpoint[],
): ProbeResult[] {
  const places = new Map(endpoints.map((endpoint, index) => [endpointName(endpoint), index]));
  const placeOf = ({ endpoint }: ProbeResult): number => places.get(endpoint) ?? -1;
  return results.toSorted(
    (one, other) =>
      probes.indexOf(one.probe) - probes.indexOf(other.probe) || placeOf(one) - placeOf(other),
  );
}
