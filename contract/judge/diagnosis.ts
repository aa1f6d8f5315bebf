import type { MustId } from '../clauses.ts';
import { hours, lifetime, seconds, timeText } from '../durations.ts';
import { ageSecondsIn, type Finding } from '../finding.ts';
import type { Findings } from './findings.ts';

/** What a run of a probe has seen, as far as a diagnosis needs it. */
export interface DiagnosedRun extends Omit<Findings, 'findings' | 'observations'> {
  readonly probe: { readonly name: string };
  readonly endpoint: string;
  readonly findings: readonly Finding[];
}

type Found = readonly Finding[];
type Runs = readonly DiagnosedRun[];

/** What all findings of a clause have in common, in one line: the likely cause. Undefined if that is nothing. */
export function diagnose(clause: MustId, findings: Found, runs: Runs): string | undefined {
  if (findings.length === 0) return undefined;
  const rules = [end, statuses, withoutHeader, where];
  return rules.flatMap((rule) => rule(clause, findings, runs) ?? []).join('. ') || undefined;
}

/** At which ages tokens are admitted and refused, for the clauses about the end. */
function end(clause: MustId, findings: Found, runs: Runs): string | undefined {
  if (!clause.startsWith('EXPIRY')) return undefined;
  const ages = listAges(findings);
  if (ages.every((age) => age > 0 && age < lifetime)) return early(Math.min(...ages), runs);
  if (ages.some((age) => age < lifetime)) return undefined;
  const aboutEnd = runs.flatMap((run) =>
    run.findings.filter((finding) => /^EXPIRY/.test(finding.clause)),
  );
  const latest = Math.max(...ages, ...listAges(aboutEnd));
  const refused = Math.min(...runs.map(({ youngestRefusedMs = Infinity }) => youngestRefusedMs));
  if (refused === Number.POSITIVE_INFINITY)
    return 'No token was refused at any age: tokens do not expire, or the test clock does not reach the store that ends them (a TTL of Redis)';
  const [last, first] = [latest, refused].map((age) => timeText(age - lifetime));
  if (refused <= latest)
    return `Some tokens are refused ${first} after the end, and others accepted ${last} after it`;
  const guess = refused - lifetime < hours(1) ? 'leeway' : 'longer life';
  return `Accepted until between ${last} and ${first} after the end: a ${guess}?`;
}

const listAges = (findings: readonly Finding[]): number[] =>
  findings.map(({ when }) => seconds(ageSecondsIn(when)));

function early(refusedMs: number, runs: readonly DiagnosedRun[]): string | undefined {
  const admitted = runs.map(({ oldestAdmittedMs = 0 }) => oldestAdmittedMs);
  if (admitted.some((age) => age > refusedMs)) return undefined;
  const [last, first] = [Math.max(0, ...admitted), refusedMs].map(timeText);
  return `Tokens end at an age between ${last} and ${first}, not at 24 h`;
}

/** The status that all refusals have instead of 401. */
function statuses(clause: MustId, findings: Found, runs: Runs): string | undefined {
  if (clause !== 'ERROR-1' || findings.length < 2) return undefined;
  const all = [...new Set(findings.map(({ received }) => received.slice(0, 3)))].sort();
  const isEach = all.length === 1 && !runs.some(({ sawRefusal }) => sawRefusal);
  return isEach
    ? `All refusals have status ${all}`
    : `Refusals have status ${all.join(', ')} or 401`;
}

/** Whether a guard looks only at requests that have the header. */
function withoutHeader(_: MustId, findings: Found, runs: Runs): string | undefined {
  const isPlain = ({ asked, endpoint }: Finding): boolean =>
    asked.startsWith(endpoint) && !asked.includes('[secret]');
  const hasNone =
    findings.some(isPlain) && !findings.some((finding) => /Authorization:/i.test(finding.asked));
  return hasNone && runs.some(({ sawRefusal }) => sawRefusal)
    ? 'Only requests without an Authorization header'
    : undefined;
}

/** On which endpoints, if the same probes found nothing on others. */
function where(_: MustId, findings: Found, runs: Runs): string | undefined {
  const finders = new Set(findings.map(({ probe }) => probe));
  const hit = new Set(findings.map(({ endpoint }) => endpoint));
  const spared = runs.filter(
    ({ probe, endpoint }) => finders.has(probe.name) && !hit.has(endpoint),
  );
  return spared.length > 0 && hit.size <= 5 ? `Only ${[...hit].join(', ')}` : undefined;
}
