import path from 'node:path';
import { html, raw } from './html.ts';
import type { Item, Report } from './report.ts';
import { failureText } from './terminal.ts';

/**
 * JUnit as Jenkins' junit-10.xsd, GitLab and the reporters for GitHub read it. The errors of a run have a suite of
 * their own: every CI shows a file with an error as failed. The texts of a report hold no characters that XML forbids.
 */
export function junitXml(report: Report): string {
  const { failures, incomplete, file, startedAt, target, tookSeconds } = report;
  const ofRun = failures.filter(({ mark }) => mark === 'defect');
  const open = { mark: 'defect', label: 'incomplete', text: 'No complete verdict' } as const;
  if (incomplete !== undefined) ofRun.push({ ...open, reason: incomplete });
  const suites = [...report.suites, { heading: 'RUN', items: ofRun }].filter(
    ({ items }) => items.length > 0,
  );
  const timestamp = startedAt.toISOString().slice(0, 19);
  const all = suites.flatMap(({ items }) => items);
  const each = suites.map(({ heading, items }) => {
    const skipped = countKind(items, 'skipped');
    return html`  <testsuite name="${heading}" ${totals(items)} skipped="${skipped}" timestamp="${timestamp}">
    <properties><property name="target" value="${target}"/></properties>
${items.map(caseXml)}  </testsuite>
`;
  });
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${path.parse(file).name}" ${totals(all)} time="${tookSeconds.toFixed(3)}">
${each}</testsuites>
`.toString();
}

/** The element in a case; none for a success. What does not fail the run is skipped. */
function failureKind({ mark }: Item): 'error' | 'failure' | 'skipped' | undefined {
  if (mark === 'holds') return undefined;
  if (mark === 'defect') return 'error';
  return mark === 'violated' ? 'failure' : 'skipped';
}

const countKind = (items: readonly Item[], kind: ReturnType<typeof failureKind>): number =>
  items.filter((item) => failureKind(item) === kind).length;

const totals = (items: readonly Item[]) =>
  html`tests="${items.length}" failures="${countKind(items, 'failure')}" errors="${countKind(items, 'error')}"`;

function caseXml(item: Item) {
  const { mark, label, text, note, reason = '' } = item;
  const kind = failureKind(item);
  const isError = kind === 'error';
  const type = isError ? label || mark : mark;
  const message = kind === 'skipped' ? `${type}: ${reason}` : reason;
  const body = failureText(item);
  const className = isError ? 'RUN' : label || note;
  const outcome =
    kind && html`<${raw(kind)} type="${type}" message="${message}">${body}</${raw(kind)}>`;
  return html`    <testcase name="${text}" classname="${className}">${outcome}</testcase>
`;
}
