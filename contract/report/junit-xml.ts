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

/** What may prevent a verdict, whatever the other cases are. */
export interface RunError {
  /** What does not hold if it happens. */
  readonly name: string;
  readonly type: string;
  /** Undefined if it did not happen. */
  readonly text: string | undefined;
}

/** The suite of the errors that happened; there is none without them. */
export function errorSuite(name: string, errors: readonly RunError[]): Suite[] {
  const cases = errors.flatMap(({ text, type, ...error }): Case[] => {
    if (text === undefined) return [];
    const outcome = { element: 'error', type, message: firstLine(text), text } as const;
    return [{ ...error, className: name, timeSeconds: 0, outcome }];
  });
  return cases.length === 0 ? [] : [{ name, cases }];
}

/** What concerns all suites of a run. */
export interface JunitRun {
  readonly name: string;
  readonly startedAt: Date;
  readonly tookSeconds: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Why the provider could not be judged. */
  readonly unjudged?: string;
}

/** The most characters of a message. */
const longest = 2_000;

/** JUnit as Jenkins' junit-10.xsd, GitLab and the reporters for GitHub read it. */
export const junitDocument = (suites: readonly Suite[], run: JunitRun): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${run.name}" ${totals(suites.flatMap(({ cases }) => cases))}${time(run.tookSeconds)}>`,
    ...suites.map((suite) => suiteXml(suite, run)),
    '</testsuites>',
    '',
  ].join('\n');

function suiteXml({ name, cases }: Suite, { startedAt, properties, unjudged }: JunitRun): string {
  const times = cases.flatMap(({ timeSeconds }) => timeSeconds ?? []);
  const sum = times.length === 0 ? undefined : times.reduce((all, one) => all + one, 0);
  const skipped = cases.filter(({ outcome }) => outcome?.element === 'skipped').length;
  return [
    `  <testsuite name="${escaped(name)}" ${totals(cases)} skipped="${skipped}"${time(sum)} timestamp="${startedAt.toISOString().slice(0, 19)}">`,
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

const time = (seconds?: number): string =>
  seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`;

function caseXml({ name, className, timeSeconds, outcome }: Case): string {
  const open = `    <testcase name="${escaped(name)}" classname="${escaped(className)}"${time(timeSeconds)}`;
  if (outcome === undefined) return `${open}/>`;
  const { element, type, message, text } = outcome;
  const head = `<${element} type="${type}" message="${escaped(brief(message, longest))}"`;
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
