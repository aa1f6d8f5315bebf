import { type Clause, type MustId, mustHold } from '../clauses.ts';
import type { ExitCode } from '../command.ts';
import { byAge, type Doubts, type Finding, ledger, type Observation } from '../finding.ts';
import { diagnose } from '../judge/diagnosis.ts';
import { covers, findTolerance, type KnownDeviation, withKnown } from '../known.ts';
import { needsClock, type Probe } from '../probe.ts';
import { firstLine } from '../words.ts';
import type { ProbeResult } from './attempt.ts';
import { type DueRun, dueRuns, endpointsFor, type Target } from './target.ts';

/** Why a clause is unverified. */
export interface Unverified {
  /** `unconfigured`: the settings lack something. `doubtful`: the provider says that it does not hold: no proof. */
  readonly cause: 'unconfigured' | 'prevented' | 'doubtful';
  readonly reason: string;
}

/** What is known of a round: plain data, which another process can report or continue. */
export class RoundFacts {
  startedAt = new Date();
  finishedAt = new Date();
  /** The latest of each run, by its key, with findings of excluded clauses. */
  results = new Map<string, ProbeResult>();
  requests = 0;
  /** Why the provider, or a part of it, could not be judged: one line. */
  unjudged?: string;
  /** By what the first token says. */
  doubts: Doubts = {};
  /** Why probes did not run. */
  notRun: Unverified = { cause: 'prevented', reason: 'the round ended before it' };
  /** Why the provider's clock cannot be used, or released: what needs it is unverified, and the rest is judged. */
  clockLost?: string;
  /** The last instant of simulated time (milliseconds since 1970): time only goes forward. */
  instant?: number;
  /** A defect of this suite that ended the round: its stack. */
  defect?: string;
}

/** The state of one clause after a round. `known`: it is violated, in ways that its team tolerates for now. */
export interface ClauseVerdict extends Partial<Unverified> {
  readonly clause: Clause<MustId>;
  readonly verdict: 'holds' | 'violated' | 'known' | 'unverified';
  /** What its findings have in common: one line. */
  readonly diagnosis?: string;
  /** By the age of the token, where time is simulated. */
  readonly findings: readonly Finding[];
}

/** A round and its verdicts. */
export interface Round
  extends Pick<RoundFacts, 'startedAt' | 'finishedAt' | 'requests' | 'unjudged'> {
  readonly results: readonly ProbeResult[];
  readonly clauses: readonly ClauseVerdict[];
  /** Known deviations that are gone: a line for each. */
  readonly gone?: readonly string[];
  readonly observations: readonly Observation[];
  readonly exit: ExitCode;
}

/** The verdicts on these probes, of which some may not have run. */
export function createRound(
  facts: RoundFacts,
  probes: readonly Probe[],
  target: Pick<Target, 'endpoints' | 'level' | 'excluded' | 'known'>,
  strict = false,
): Round {
  // Which run ends first is random.
  const results = dueRuns(probes, target).flatMap((run) => findResult(run, facts, target) ?? []);
  const countRuns = (probe: Probe): number => endpointsFor(probe, target).length;
  const judged = verdicts(probes, results, facts.notRun, countRuns);
  const clauses = withDiagnoses(withDoubts(judged, [...results, facts], target.known), results);
  const unreachable = results.find(({ outcome }) => outcome === 'unreachable')?.detail;
  const unjudged = facts.unjudged ?? facts.clockLost ?? unreachable ?? withoutDifference(results);
  return {
    ...facts,
    results,
    clauses,
    gone: goneIn(clauses, target),
    unjudged,
    exit: chooseExit(results, clauses, unjudged, strict),
    observations: ledger(results),
  };
}

/** A round of a part of the contract, or of the quick level, does not show that a deviation is gone. */
function goneIn(clauses: readonly ClauseVerdict[], target: Partial<Target>): string[] {
  const { level, known = [] } = target;
  if (level === 'quick' || clauses.length < mustHold.length) return [];
  const isGone = (deviation: KnownDeviation): boolean =>
    clauses.some(
      ({ clause, verdict, findings }) =>
        clause.id === deviation.clause &&
        (verdict === 'holds' || findings.length > 0) &&
        !findings.some((finding) => covers(deviation, finding)),
    );
  return known.filter(isGone).map(({ clause, endpoint, probe, reason }) => {
    const from = [clause, endpoint, probe].filter(Boolean).join(', ');
    return `The known deviation from ${from} is gone: remove it (${reason})`;
  });
}

/** Why a round without findings shows nothing: every endpoint may be misspelt, open to everybody, or behind a front. */
function withoutDifference(results: readonly ProbeResult[]): string | undefined {
  if (results.some(({ findings }) => findings.length > 0)) return undefined;
  const core = results.filter(({ probe }) => probe.scope === 'core');
  const alike = core.filter(({ unproven = '' }) =>
    /without a (valid )?token|in front of the service/.test(unproven),
  );
  const silent = new Set(alike.map(({ endpoint }) => endpoint));
  if (alike.length === 0 || core.some(({ endpoint }) => !silent.has(endpoint))) return undefined;
  const why = alike[0]?.unproven;
  return `no endpoint showed a difference with and without a token: ${why} (PUBLIC_API_ENDPOINTS)`;
}

export const createRunKey = ({ probe, endpoint }: DueRun | ProbeResult): string =>
  `${probe.name} ${endpoint}`;

/** The result of a run, without findings of excluded clauses, and with the reasons of known ones. */
export function findResult(
  run: DueRun,
  { results }: RoundFacts,
  { excluded, known }: Partial<Target>,
): ProbeResult | undefined {
  const result = results.get(createRunKey(run));
  if (result === undefined) return undefined;
  const counting = result.findings.filter(({ clause }) => !excluded?.has(clause));
  const isClean = counting.length === 0 && result.outcome === 'failed';
  const outcome = isClean ? 'passed' : result.outcome;
  return { ...result, findings: withKnown(counting, known), outcome };
}

/**
 * The verdict on each clause of the probes, and on each other clause that they found violated. A clause holds
 * only if all of its necessary probes finished and proved it.
 * @param probes all selected ones, also those that could not run
 * @param notRun why some of them did not run
 * @param countRuns on how many endpoints a probe was due
 */
export function verdicts(
  probes: readonly Probe[],
  results: readonly ProbeResult[],
  notRun: Unverified,
  countRuns: (probe: Probe) => number = () => 1,
): ClauseVerdict[] {
  const all = results.flatMap(({ findings }) => findings);
  const ran = new Set(results.map(({ probe }) => probe));
  return mustHold.flatMap((clause): ClauseVerdict[] => {
    const findings = byAge(all.filter((finding) => finding.clause === clause.id));
    if (findings.length > 0) return [violatedVerdict(clause, findings)];
    const about = probes.filter(({ clauses }) => clauses.includes(clause.id));
    if (about.length === 0) return [];
    // What is proven at the present needs no probe in simulated time, unless it is about time, or that probe ran.
    const isAboutTime = clause.id.startsWith('EXPIRY') || about.every(needsClock);
    const whys = about
      .filter((probe) => isAboutTime || !needsClock(probe) || ran.has(probe))
      .flatMap((probe) => whyUnverified(probe, results, notRun, countRuns(probe)) ?? []);
    // A missing setting must not hide another cause.
    const why = whys.find(({ cause }) => cause === 'prevented') ?? whys[0];
    return [{ clause, verdict: why === undefined ? 'holds' : 'unverified', ...why, findings }];
  });
}

/** The verdict on a clause with findings; the new ones come first. */
export function violatedVerdict(
  clause: ClauseVerdict['clause'],
  findings: readonly Finding[],
): ClauseVerdict {
  const all = findings.toSorted((a, b) => Number(!!a.known) - Number(!!b.known));
  if (!all[0]?.known) return { clause, verdict: 'violated', findings: all };
  const reasons = new Set(all.map(({ known }) => known));
  return { clause, verdict: 'known', reason: [...reasons].join('; '), findings };
}

/** Whether a run failed in a way that counts. A payload that does not match its schema is no finding. */
export const isFailure = ({ outcome, findings }: ProbeResult): boolean =>
  outcome === 'failed' && (findings.length === 0 || findings.some(({ known }) => !known));

/** With what the findings of each clause have in common. */
export const withDiagnoses = <Verdict extends ClauseVerdict>(
  clauses: readonly Verdict[],
  results: readonly ProbeResult[],
): Verdict[] =>
  clauses.map((verdict) => ({
    ...verdict,
    diagnosis: diagnose(verdict.clause.id, verdict.findings, results),
  }));

/** What is proven is not doubtful. A doubt may be known, as a violation may. @param results the last doubt counts */
export const withDoubts = (
  clauses: readonly ClauseVerdict[],
  results: readonly { readonly doubts?: Doubts }[],
  known?: readonly KnownDeviation[],
  at?: number,
): ClauseVerdict[] =>
  clauses.map((verdict): ClauseVerdict => {
    const { clause, findings } = verdict;
    const doubt = results.map(({ doubts }) => doubts?.[clause.id]).findLast(Boolean);
    if (doubt === undefined || verdict.verdict !== 'unverified') return verdict;
    const reason = findTolerance({ clause: clause.id }, known, at);
    if (reason !== undefined) return { clause, verdict: 'known', reason, findings };
    return { ...verdict, cause: 'doubtful', reason: doubt };
  });

/** Why a probe does not prove its clauses; undefined if it does, or if it found a violation. */
function whyUnverified(
  probe: Probe,
  results: readonly ProbeResult[],
  notRun: Unverified,
  runs: number,
): Unverified | undefined {
  const probeResults = results.filter((result) => result.probe === probe);
  if (probeResults.length < runs) return notRun;
  for (const { endpoint, outcome, reason, detail = '', unproven, isOff } of probeResults) {
    // A probe that found another clause violated before it was cut short counts as failed, and as unfinished.
    const ended = reason === undefined ? outcome : 'unreachable';
    const isCutShort = ended === 'unreachable' || ended === 'defect';
    const why = isCutShort ? `${ended}: ${firstLine(detail)}` : unproven;
    if (why === undefined) continue;
    if (isOff) return { cause: 'unconfigured', reason: why };
    // The settings name several endpoints, and only one of them may be wrong.
    const where = !isCutShort && runs > 1 ? `${endpoint}: ` : '';
    return { cause: 'prevented', reason: `${probe.name}: ${where}${why}` };
  }
  return undefined;
}

/** The exit code of a round. A run can fail without a clause if a payload does not match its owner's schema. */
export function chooseExit(
  results: readonly ProbeResult[],
  clauses: readonly ClauseVerdict[],
  unjudged: string | undefined,
  strict: boolean,
): ExitCode {
  const seen = new Set(clauses.flatMap(({ verdict, cause }) => [verdict, cause]));
  if (results.some(({ outcome }) => outcome === 'defect')) return 3;
  if (results.some(isFailure) || seen.has('violated')) return 1;
  const isOpen = seen.has('doubtful') || (strict && seen.has('unverified'));
  return unjudged !== undefined || isOpen ? 2 : 0;
}
