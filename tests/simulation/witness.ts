import { lifetime } from '../../contract/durations.ts';
import type { Finding } from '../../contract/finding.ts';
import { type Log, logTo } from '../../monitor/log.ts';
import type { Status } from '../../monitor/status/status.ts';
import type { Journal } from './journal.ts';
import { type SimulatedProvider, type TokenUse, tokenMark } from './provider.ts';

/** How far a token's lifetime may differ without a violation (milliseconds): the tolerance of every target here. */
export const toleranceMs = 5_000;

/** What the monitor reported about a token's lifetime, and when (true time). */
export interface Sight {
  readonly at: number;
  readonly target: string;
  readonly is: 'late_accept' | 'early_reject';
}

/** Receives all reports of the monitor, and compares them with what the providers really did. */
export interface Witness {
  readonly sights: readonly Sight[];
  /** Compares what is stored after a round, or a check of a canary, with what was stored before. */
  saw(target: string, status: Status): void;
  readonly log: Log;
}

export interface WitnessOptions {
  readonly journal: Journal;
  readonly truth: () => number;
  /** By the target's name, which is its host here. */
  readonly providers: ReadonlyMap<string, SimulatedProvider>;
  readonly inMaintenance: () => boolean;
  /** Tokens that were lost during maintenance. */
  readonly excused: ReadonlySet<string>;
  /** Clauses that the first provider violates because of a fault that is switched on. */
  readonly broken: ReadonlySet<string>;
}

/** Clauses that the refusal of a valid token violates; below, those that the admission of an expired one violates. */
const aboutRefusals = ['TOKEN-4', 'BEARER-1', 'BEARER-6', 'EXPIRY-1', 'EXPIRY-4'];
const aboutAdmissions = ['EXPIRY-2', 'EXPIRY-5'];

/** Requests before a round that may have to do with it: those of a canary, and of a run that was interrupted. */
const before = 30;

const refusedYoung = ({ admitted, ageMs }: TokenUse): boolean => !admitted && ageMs < lifetime;
/** What the last run of a place found, and what the parts of a run in progress found. */
const listFindings = (place?: Status['places'][string]): readonly Finding[] => [
  ...(place?.result?.findings ?? []),
  ...(place?.begun?.findings ?? []),
];

const admittedOld = ({ admitted, ageMs }: TokenUse): boolean => admitted && ageMs >= lifetime;

export function witness(options: WitnessOptions): Witness {
  const { journal, truth, providers, inMaintenance, excused, broken } = options;
  const sights: Sight[] = [];
  const known = new Map<string, { readonly status: Status; readonly requests: number }>();

  const latest = (target: string, requests: number): TokenUse[] =>
    (providers.get(target)?.latest(requests) ?? []).filter((request) => request !== undefined);

  function isJust(target: string, clause: string, shown: readonly TokenUse[]): boolean {
    if (broken.has(clause) && target === findFirst(providers)) return true;
    if (aboutRefusals.includes(clause)) return shown.some(refusedYoung);
    return aboutAdmissions.includes(clause) && shown.some(admittedOld);
  }

  function saw(target: string, status: Status): void {
    const requests = providers.get(target)?.count() ?? 0;
    const earlier = known.get(target);
    known.set(target, { status, requests });
    const shown = latest(target, requests - (earlier?.requests ?? 0) + before);
    for (const [key, place] of Object.entries(status.places)) {
      const { result } = place;
      const before = earlier?.status.places[key];
      if (result !== before?.result && result?.outcome === 'defect')
        journal.complain(`${key} is a defect: ${result.detail}`);
      // As text, because a finding that was stored has no field without a value.
      const judged = listFindings(before).map((finding) => JSON.stringify(finding));
      const isNew = (finding: Finding): boolean => !judged.includes(JSON.stringify(finding));
      judgeFindings(target, listFindings(place).filter(isNew), shown);
    }
    const [check] = status.checks;
    if (check === undefined || check.at === earlier?.status.checks[0]?.at) return;
    canaryChecked(target, check.verdict, shown);
    judgeFindings(
      target,
      Object.values(status.evidence).flatMap(({ at, findings }) =>
        at === check.at ? findings : [],
      ),
      shown,
    );
  }

  function judgeFindings(
    target: string,
    findings: readonly Finding[],
    shown: readonly TokenUse[],
  ): void {
    for (const { probe, clause, endpoint, when, received } of findings)
      if (!isJust(target, clause, shown))
        journal.complain(
          `${target}: ${probe} reports ${clause} falsely: ${endpoint}, ${when}, ${received}`,
        );
  }

  function logged(line: string): void {
    if (line.includes(tokenMark)) journal.complain(`the log has a token: ${line}`);
    const { event, target, state, clause, verdict, before, finding } = JSON.parse(line);
    if (event === 'state') journal.note(`${target} is ${state}`);
    if (event !== 'verdict') return;
    if (verdict === 'violated' || before === 'violated')
      journal.note(`${target}: ${clause} ${verdict}`);
    if (verdict !== 'violated') return;
    if (finding === undefined) journal.complain(`${target}: ${clause} is violated by no finding`);
    if (inMaintenance()) journal.complain(`${target}: ${clause} is violated in maintenance`);
  }

  function canaryChecked(target: string, is: string, uses: readonly TokenUse[]): void {
    if (is === 'wrong_answer' && broken.size === 0)
      journal.complain(`${target}: a wrong answer that no provider gave`);
    if (is !== 'early_reject' && is !== 'late_accept') return;
    journal.note(`${target}: canary ${is}`);
    sights.push({ at: truth(), target, is });
    const early = is === 'early_reject';
    const shown = uses
      .filter(early ? refusedYoung : admittedOld)
      .find(({ ageMs }) => Math.abs(lifetime - ageMs) > toleranceMs);
    if (shown === undefined)
      journal.complain(`${target}: ${is} of a token that the provider did not ${is}`);
    else if (excused.has(shown.token))
      journal.complain(`${target}: ${is} of a token that was lost in maintenance`);
  }

  return { sights, saw, log: logTo({ write: logged }, false) };
}

const findFirst = (providers: ReadonlyMap<string, unknown>): string | undefined =>
  [...providers.keys()][0];
