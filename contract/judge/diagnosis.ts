import type { MustId } from '../clauses.ts';
import { ageSecondsIn, type Finding, type Observation } from '../finding.ts';
import { hours, lifetime, seconds, timeText } from '../time/clock.ts';
import { claimedLife, forEver } from '../token-claims.ts';
import type { Findings } from './findings.ts';

/** What a run of a probe has seen, as far as a diagnosis needs it. */
export interface DiagnosedRun
  extends Pick<
    Findings,
    'sawRefusal' | 'sawRightRefusal' | 'oldestAdmittedMs' | 'youngestRefusedMs'
  > {
  readonly probe: { readonly name: string };
  readonly endpoint: string;
  readonly findings: readonly Finding[];
  readonly observations?: readonly Observation[];
}

/** The findings of one clause, and all runs of the round. */
interface Evidence {
  readonly clause: MustId;
  readonly findings: readonly Finding[];
  readonly runs: readonly DiagnosedRun[];
}

/**
 * What all findings of a clause have in common, in one line. A reader knows the cause from it, and not from one of a
 * hundred findings. Undefined if they have nothing in common.
 */
export function diagnosisOf(
  clause: MustId,
  findings: readonly Finding[],
  runs: readonly DiagnosedRun[],
): string | undefined {
  if (findings.length === 0) return undefined;
  const evidence = { clause, findings, runs };
  const parts = [end, refusals, schemes, withoutHeader, where].flatMap(
    (rule) => rule(evidence) ?? [],
  );
  return parts.length === 0 ? undefined : parts.join('. ');
}

/** At which ages tokens are admitted and refused, for the clauses about the end. */
function end({ clause, findings, runs }: Evidence): string | undefined {
  if (!clause.startsWith('EXPIRY')) return undefined;
  const ages = agesOf(findings);
  if (ages.every((age) => age > 0 && age < lifetime)) return early(Math.min(...ages), runs);
  if (ages.some((age) => age < lifetime)) return undefined;
  const aboutEnd = runs.flatMap((run) => run.findings.filter((one) => /^EXPIRY/.test(one.clause)));
  const latest = Math.max(...ages, ...agesOf(aboutEnd));
  const refused = Math.min(...runs.map(({ youngestRefusedMs = Infinity }) => youngestRefusedMs));
  if (refused === Number.POSITIVE_INFINITY)
    return `No token was refused at any age: ${neverWhy(runs)}`;
  const [last, first] = [latest, refused].map((age) => timeText(age - lifetime));
  if (refused <= latest)
    return `Some tokens are refused ${first} after the end, and others accepted ${last} after it`;
  const guess = refused - lifetime < hours(1) ? 'leeway' : 'longer life';
  return `Accepted until between ${last} and ${first} after the end: a ${guess}?`;
}

/** What a token says of its own life is more than a guess. */
function neverWhy(runs: readonly DiagnosedRun[]): string {
  const claim = runs
    .flatMap(({ observations = [] }) => observations)
    .find(({ fact, value }) => fact === claimedLife && value.includes(forEver));
  return claim === undefined
    ? 'tokens do not expire, or the test clock does not reach the store that ends them (a TTL of Redis)'
    : `a token says itself that it lives ${claim.value}`;
}

const agesOf = (findings: readonly Finding[]): number[] =>
  findings.map(({ when }) => seconds(ageSecondsIn(when)));

function early(refusedMs: number, runs: readonly DiagnosedRun[]): string {
  const admitted = runs.map(({ oldestAdmittedMs = 0 }) => oldestAdmittedMs);
  const before = Math.max(0, ...admitted.filter((age) => age < refusedMs));
  const [last, first] = [before, refusedMs].map(timeText);
  return admitted.some((age) => age > refusedMs)
    ? `Some tokens are refused at an age of ${first}, and others are accepted longer`
    : `Tokens end at an age between ${last} and ${first}, not at 24 h`;
}

/** What all refusals get that do not get the contract's 401. */
function refusals({ clause, findings, runs }: Evidence): string | undefined {
  if (!/^ERROR-[123]$/.test(clause) || findings.length < 2) return undefined;
  const received = findings.map((finding) => finding.received.replace(/, \d+ bytes?/, ''));
  const [first = '', ...others] = new Set(received);
  const statuses = new Set(received.map((text) => text.slice(0, 3)));
  const isOtherwise = (run: DiagnosedRun): boolean =>
    (clause === 'ERROR-1' ? run.sawRefusal : run.sawRightRefusal) === true;
  const isAlways = !runs.some(isOtherwise);
  const many = findings.length.toLocaleString('en-GB');
  if (clause === 'ERROR-1')
    return statuses.size === 1 && isAlways
      ? `All refusals have status ${[...statuses]}`
      : `${many} refusals have status ${[...statuses].sort().join(', ')}, others 401`;
  return others.length === 0 && isAlways ? `All refusals are alike: ${first}` : undefined;
}

/** Which schemes are accepted beside Bearer. */
function schemes({ clause, findings }: Evidence): string | undefined {
  const found = findings.map(({ asked }) => / Authorization: (\S+) \[secret\]/.exec(asked)?.[1]);
  if (clause !== 'BEARER-4' || found.includes(undefined)) return undefined;
  const names = [...new Set(found)];
  const more = names.length > mostNames ? `, and ${names.length - mostNames} more` : '';
  return `Accepted schemes: ${names.slice(0, mostNames).join(', ')}${more}`;
}

const mostNames = 5;

/** Whether a guard looks only at requests that have the header. */
function withoutHeader({ findings, runs }: Evidence): string | undefined {
  const hasHeader = ({ asked }: Finding): boolean => /Authorization:/i.test(asked);
  const hasNothing = ({ asked, endpoint }: Finding): boolean =>
    asked.startsWith(endpoint) && !asked.includes('[secret]');
  const isRefusedElsewhere = runs.some((run) => run.sawRefusal === true);
  const isAll = findings.some(hasNothing) && !findings.some(hasHeader) && isRefusedElsewhere;
  return isAll ? 'Only requests without an Authorization header' : undefined;
}

/** On which endpoints, if the same probes found nothing on others. */
function where({ clause, findings, runs }: Evidence): string | undefined {
  const finders = new Set(findings.map(({ probe }) => probe));
  const hit = new Set(findings.map(({ endpoint }) => endpoint));
  const spared = runs.filter(
    (run) =>
      finders.has(run.probe.name) &&
      !hit.has(run.endpoint) &&
      !run.findings.some((finding) => finding.clause === clause),
  );
  return spared.length > 0 && hit.size <= mostNames ? `Only ${[...hit].join(', ')}` : undefined;
}
