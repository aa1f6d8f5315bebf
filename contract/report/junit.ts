import type { Report } from './report.ts';
import { brief, firstLine } from './words.ts';

/** One test in a list of test results. */
export interface Case {
  readonly name: string;
  readonly className: string;
  readonly timeSeconds?: number;
  /** Undefined for success. */
  readonly outcome?: {
    readonly element: 'failure' | 'error' | 'skipped';
    readonly type: string;
    readonly message: string;
    readonly text: string;
  };
}

export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** The most characters of a message. */
const longest = 2_000;

/**
 * JUnit as Jenkins' junit-10.xsd, GitLab and the reporters for GitHub read it. The errors of a run have a suite of
 * their own: every CI shows a file with an error as failed.
 */
export function junitXml(report: Report, suites: readonly Suite[]): string {
  const failing = report.errors.filter(({ isPending }) => isPending !== true);
  const errors = failing.map(({ type, title, text }): Case => {
    const outcome = { element: 'error', type, message: firstLine(text), text } as const;
    return { name: title, className: 'RUN', timeSeconds: 0, outcome };
  });
  const all = errors.length === 0 ? suites : [...suites, { name: 'RUN', cases: errors }];
  const cases = all.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${report.name}" ${totals(cases)}${time(report.tookSeconds)}>`,
    ...all.map((suite) => suiteXml(suite, report)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteXml({ name, cases }: Suite, { startedAt, target }: Report): string {
  const seconds = cases.reduce((sum, { timeSeconds = 0 }) => sum + timeSeconds, 0);
  const skipped = cases.filter(({ outcome }) => outcome?.element === 'skipped').length;
  return [
    `  <testsuite name="${escaped(name)}" ${totals(cases)} skipped="${skipped}"${time(seconds)} timestamp="${startedAt.toISOString().slice(0, 19)}">`,
    `    <properties><property name="target" value="${escaped(target)}"/></properties>`,
    ...cases.map(caseXml),
    '  </testsuite>',
  ].join('\n');
}

function totals(cases: readonly Case[]): string {
  const count = (wanted: 'failure' | 'error'): number =>
    cases.filter(({ outcome }) => outcome?.element === wanted).length;
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
}

const time = (seconds = 0): string => ` time="${seconds.toFixed(3)}"`;

function caseXml({ name, className, timeSeconds, outcome }: Case): string {
  const open = `    <testcase name="${escaped(name)}" classname="${escaped(className)}"${time(timeSeconds)}`;
  if (outcome === undefined) return `${open}/>`;
  const { element, type, message, text } = outcome;
  const head = `<${element} type="${type}" message="${escaped(brief(message, longest))}"`;
  const body = text === '' ? `${head}/>` : `${head}>${escaped(text)}</${element}>`;
  return `${open}>\n      ${body}\n    </testcase>`;
}

/** For text and attributes alike. The texts of a report hold no characters that XML forbids. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
