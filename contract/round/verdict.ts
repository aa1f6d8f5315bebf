import { type Clause, type MustId, mustHold } from '../clauses.ts';
import type { ExitCode } from '../command.ts';
import { byAge, type Finding, type Observation } from '../finding.ts';
import { needsClock, type Probe } from '../probe.ts';
import type { ProbeResult } from './attempt.ts';
import { type DueRun, dueRuns, type Extent, endpointsFor, type Target } from './target.ts';

/** Why a clause is unverified. `unconfigured`: the settings lack a test clock or valid credentials. */
export interface Unverified {
  readonly cause: 'unconfigured' | 'prevented';
  readonly reason: string;
}

/** What is known of a round: plain data, which another process can report or continue. */
export class RoundFacts {
  startedAt = new Date();
  finishedAt = new Date();
  /** The latest of each run, by its key, with findings of excluded clauses. */
  results = new Map<string, ProbeResult>();
  requests = 0;
  /** Requests that were interrupted and sent again, unexpected answers that were not repeated, pauses after 429. */
  noise = { interrupted: 0, unrepeated: 0, rateLimitedSeconds: 0 };
  /** The names of headers on limits, and what was answered with 429: at any time, and to any request. */
  limits: { headers: readonly string[]; refused: readonly string[] } = { headers: [], refused: [] };
  /** Why the provider, or a part of it, could not be judged: one line. */
  unjudged?: string;
  /** Why probes did not run. */
  notRun: Unverified = { cause: 'prevented', reason: 'the round ended before it' };
  /** The last instant of simulated time (milliseconds since 1970): time only goes forward. */
  instant?: number;
  /** Why the provider's clock could not be released. */
  unreleased?: string;
}

/** The state of one clause after a round. */
export interface ClauseVerdict extends Partial<Unverified> {
  readonly clause: Clause<MustId>;
  readonly verdict: 'holds' | 'violated' | 'unverified';
  /** By the age of the token, where time is simulated. */
  readonly findings: readonly Finding[];
}

/** A round and its verdicts. */
export interface Round
  extends Pick<RoundFacts, 'startedAt' | 'finishedAt' | 'requests' | 'unjudged'> {
  readonly results: readonly ProbeResult[];
  /** Absent where nothing is ever repeated. */
  readonly noise?: Partial<RoundFacts['noise']>;
  readonly clauses: readonly ClauseVerdict[];
  readonly observations: readonly Observation[];
  readonly exit: ExitCode;
}

/** The verdicts on these probes, of which some may not have run. */
export function roundOf(
  facts: RoundFacts,
  probes: readonly Probe[],
  target: Pick<Target, 'endpoints' | 'level' | 'excluded'>,
  strict = false,
): Round {
  // Which run ends first is random.
  const results = dueRuns(probes, target).flatMap((run) => resultOf(run, facts, target) ?? []);
  const runsOf = (probe: Probe): number => endpointsFor(probe, target).length;
  const clauses = verdicts(probes, results, facts.notRun, runsOf);
  const unjudged = facts.unjudged ?? unreachableIn(results) ?? withoutDifference(results);
  const exit = exitOf(results, clauses, unjudged, strict);
  return {
    ...facts,
    results,
    clauses,
    unjudged,
    exit,
    observations: observationsOf(facts, results),
  };
}

/** Of limits the whole round knows more than a probe. */
function observationsOf({ limits }: RoundFacts, results: readonly ProbeResult[]): Observation[] {
  const rows = [
    ['rate limit headers', limits.headers],
    ['requests answered with 429', limits.refused],
  ] as const;
  const seen = rows.flatMap(([fact, names]): Observation[] =>
    names.length === 0 ? [] : [{ id: 'OPEN-8', fact, value: names.toSorted().join(', ') }],
  );
  const others = ledger(results).filter(({ fact }) => !seen.some((one) => one.fact === fact));
  return ledger([{ observations: [...others, ...seen] }]);
}

/** Why a round without findings shows nothing: every endpoint may be misspelt, or open to everybody. */
function withoutDifference(results: readonly ProbeResult[]): string | undefined {
  const isAbout = ({ probe, unproven = '' }: ProbeResult): boolean =>
    probe.scope === 'core' && /without a (valid )?token/.test(unproven);
  const decides = ({ findings, sawRefusal }: ProbeResult): boolean =>
    findings.length > 0 || sawRefusal === true;
  return results.some(isAbout) && !results.some(decides)
    ? 'no endpoint showed a difference with and without a token: name one that needs a token (PUBLIC_API_ENDPOINTS)'
    : undefined;
}

export const keyOf = ({ probe, endpoint }: Pick<ProbeResult, 'probe' | 'endpoint'>): string =>
  `${probe.name} ${endpoint}`;

/** The result of a run, without findings of excluded clauses; undefined if it has none. */
export function resultOf(
  run: DueRun,
  { results }: RoundFacts,
  { excluded }: Extent,
): ProbeResult | undefined {
  const result = results.get(keyOf(run));
  const findings = result?.findings.filter(({ clause }) => !excluded?.has(clause)) ?? [];
  if (result === undefined || findings.length === result.findings.length) return result;
  const isClean = result.outcome === 'failed' && findings.length === 0 && !result.detail;
  return { ...result, findings, outcome: isClean ? 'passed' : result.outcome };
}

/**
 * The verdict on each clause of the probes, and on each other clause that they found violated. A clause holds
 * only if all of its necessary probes finished and proved it.
 * @param probes all selected ones, also those that could not run
 * @param notRun why some of them did not run
 * @param runsOf on how many endpoints a probe was due
 */
export function verdicts(
  probes: readonly Probe[],
  results: readonly ProbeResult[],
  notRun: Unverified,
  runsOf: (probe: Probe) => number = () => 1,
): ClauseVerdict[] {
  const all = results.flatMap(({ findings }) => findings);
  const ran = new Set(results.map(({ probe }) => probe));
  return mustHold.flatMap((clause): ClauseVerdict[] => {
    const findings = byAge(all.filter((finding) => finding.clause === clause.id));
    if (findings.length > 0) return [{ clause, verdict: 'violated', findings }];
    const about = probes.filter(({ clauses }) => clauses.includes(clause.id));
    if (about.length === 0) return [];
    // What is proven at the present needs no probe in simulated time, unless it is about time, or that probe ran.
    const isAboutTime = clause.id.startsWith('EXPIRY') || about.every(needsClock);
    const whys = about
      .filter((probe) => isAboutTime || !needsClock(probe) || ran.has(probe))
      .flatMap((probe) => whyUnverified(probe, results, notRun, runsOf(probe)) ?? []);
    // A missing setting must not hide another cause.
    const why = whys.find(({ cause }) => cause === 'prevented') ?? whys[0];
    return [{ clause, verdict: why === undefined ? 'holds' : 'unverified', ...why, findings }];
  });
}

/** Why a probe does not prove its clauses; undefined if it does, or if it found a violation. */
export function whyUnverified(
  probe: Probe,
  results: readonly ProbeResult[],
  notRun: Unverified,
  runs: number,
): Unverified | undefined {
  const own = results.filter((result) => result.probe === probe);
  if (own.length < runs) return notRun;
  for (const { endpoint, outcome, reason, detail = '', unproven, isOff } of own) {
    // A probe that found another clause violated before it was cut short counts as failed, and as unfinished.
    const ended = reason === undefined ? outcome : 'unreachable';
    const isCutShort = ended === 'unreachable' || ended === 'defect';
    const why = isCutShort ? `${ended}: ${detail.split('\n', 1)[0]}` : unproven;
    if (why === undefined) continue;
    if (isOff) return { cause: 'unconfigured', reason: why };
    // The settings name several endpoints, and only one of them may be wrong.
    const isOfOne = !isCutShort && runs > 1 && own.some((one) => one.unproven !== unproven);
    const where = isOfOne ? `${endpoint}: ` : '';
    return { cause: 'prevented', reason: `${probe.name}: ${where}${why}` };
  }
  return undefined;
}

/** The observations of a round, each fact once with all observed values; OPEN-2 comes before OPEN-10. */
export function ledger(results: readonly Pick<ProbeResult, 'observations'>[]): Observation[] {
  const observations = results.flatMap((result) => result.observations);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...Map.groupBy(observations, ({ id, fact }) => `${id} ${fact}`).values()]
    .flatMap((same) => {
      const value = [...new Set(same.map((one) => one.value))].sort().join(', ');
      return same.slice(0, 1).map((first) => ({ ...first, value }));
    })
    .sort((one, other) => compare(one.id, other.id) || one.fact.localeCompare(other.fact));
}

/** Why a probe did not reach the provider, if it did not. */
export const unreachableIn = (results: readonly ProbeResult[]): string | undefined =>
  results.find(({ outcome }) => outcome === 'unreachable')?.detail;

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
  const seen = new Set([
    ...results.map(({ outcome }) => outcome),
    ...clauses.map(({ verdict }) => verdict),
  ]);
  if (seen.has('defect')) return 3;
  if (seen.has('failed') || seen.has('violated')) return 1;
  return unjudged !== undefined || (strict && seen.has('unverified')) ? 2 : 0;
}
