import type { Finding } from '../finding.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import { failureText } from './failure.ts';
import { headline, type Report } from './report.ts';
import { brief, firstLine } from './words.ts';

const extent = { folds: 20, length: 2_000 };

/**
 * `gate.xml`: JUnit as Jenkins' junit-10.xsd, GitLab and the reporters for GitHub read it. There is one suite for
 * each area, and one case for each clause. Errors that concern no clause have a suite of their own: the provider
 * could not be judged, or there is a defect of ours. Every CI shows a file with an error as failed.
 */
export function junitXml(report: Report): string {
  const areas = Map.groupBy(report.clauses, ({ clause }) => clause.id.replace(/-.*/, ''));
  const suites = [
    ...[...areas].map(([area, verdicts]) => ({
      name: area,
      cases: verdicts.map((verdict) => caseOf(verdict, report)),
    })),
    ...roundSuite(report),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Contract" ${totals(suites.flatMap(({ cases }) => cases))} time="${report.tookSeconds.toFixed(3)}">`,
    ...suites.map((suite) => suiteXml(suite, report)),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Case {
  readonly name: string;
  readonly className: string;
  readonly timeSeconds: number;
  readonly outcome?: {
    readonly element: 'failure' | 'error' | 'skipped';
    readonly type: string;
    readonly message: string;
    readonly text: string;
  };
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

function caseOf(verdict: ClauseVerdict, report: Report): Case {
  const { clause, cause = 'prevented', reason = '' } = verdict;
  const name = { name: `${clause.id} ${clause.text}`, className: clause.id.replace(/-.*/, '') };
  const timed = { ...name, timeSeconds: secondsOf(clause.id, report) };
  switch (verdict.verdict) {
    case 'holds':
      return timed;
    case 'violated': {
      const text = failureText(verdict, report, extent);
      const message = verdict.findings[0] === undefined ? '' : sentenceOf(verdict.findings[0]);
      return { ...timed, outcome: { element: 'failure', type: 'violated', message, text } };
    }
    case 'unverified':
      return {
        ...timed,
        outcome: { element: 'skipped', type: cause, message: `${cause}: ${reason}`, text: '' },
      };
  }
}

/** A finding as one sentence for a list of failed tests. `when` comes first, because that is the cause. */
const sentenceOf = ({ when, expected, received, seen }: Finding): string =>
  [
    ...(when === '' ? [] : [`${when}: `]),
    `expected ${expected}, received ${received}`,
    ...(seen === undefined ? [] : [`, seen in ${seen}`]),
  ].join('');

/** Each run counts for one clause only, the first clause of its probe, so that the sum of the times is right. */
const secondsOf = (id: string, { results }: Report): number =>
  results
    .filter(({ probe }) => probe.clauses[0] === id)
    .reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);

function roundSuite(report: Report): Suite[] {
  const { unjudged, defects, exit } = report;
  const strict = exit === 2 && unjudged === undefined ? headline(report) : undefined;
  const error = (name: string, type: string, text: string): Case => ({
    name,
    className: 'ROUND',
    timeSeconds: 0,
    outcome: { element: 'error', type, message: firstLine(text), text },
  });
  const cases = [
    ...(unjudged === undefined ? [] : [error('The provider can be judged', 'unjudged', unjudged)]),
    ...(strict === undefined ? [] : [error('Every clause is verified', 'unverified', strict)]),
    ...defects.map(({ probe, endpoint, detail = '' }) =>
      error(`${probe.name} runs to its end on ${endpoint}`, 'defect', detail),
    ),
  ];
  return cases.length === 0 ? [] : [{ name: 'ROUND', cases }];
}

function suiteXml({ name, cases }: Suite, report: Report): string {
  const time = cases.reduce((sum, { timeSeconds }) => sum + timeSeconds, 0).toFixed(3);
  const skipped = cases.filter(({ outcome }) => outcome?.element === 'skipped').length;
  const { target, endpoints, requests, unjudged } = report;
  const properties = { target, endpoints: endpoints.join(', '), requests: String(requests) };
  return [
    `  <testsuite name="${name}" ${totals(cases)} skipped="${skipped}" time="${time}" timestamp="${report.startedAt.toISOString().slice(0, 19)}">`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([key, value]) => `      <property name="${key}" value="${escaped(value)}"/>`,
    ),
    '    </properties>',
    ...cases.map(caseXml),
    ...(unjudged === undefined ? [] : [`    <system-err>${escaped(unjudged)}</system-err>`]),
    '  </testsuite>',
  ].join('\n');
}

function totals(cases: readonly Case[]): string {
  const count = (wanted: 'failure' | 'error'): number =>
    cases.filter(({ outcome }) => outcome?.element === wanted).length;
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
}

function caseXml({ name, className, timeSeconds, outcome }: Case): string {
  const open = `    <testcase name="${escaped(name)}" classname="${className}" time="${timeSeconds.toFixed(3)}"`;
  if (outcome === undefined) return `${open}/>`;
  const { element, type, message, text } = outcome;
  const head = `<${element} type="${type}" message="${escaped(brief(message, extent.length))}"`;
  const body = text === '' ? `${head}/>` : `${head}>${escaped(text)}</${element}>`;
  return `${open}>\n      ${body}\n    </testcase>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and attributes alike. Characters that XML forbids were already removed from the report. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
