import { appendFile } from 'node:fs/promises';
import type { ClauseVerdict } from '../../contract/verdict.ts';
import { failureText } from './failure.ts';
import { brief, count, firstLine, headline, nothingJudged, type Report, tally } from './report.ts';
import { ReportError } from './report-error.ts';

/** GitHub shows ten annotations of each kind for a step, and drops the others without a word. */
const shown = 10;

const extent = { folds: 3, length: 500 };

/** Whether GitHub Actions reads what is printed. */
export const onGitHub = (env: NodeJS.ProcessEnv): boolean => env.GITHUB_ACTIONS === 'true';

/** The workflow commands for standard output: one for each violated clause, and whatever else fails the round. */
export function annotations(report: Report): string {
  const errors = [
    ...(report.unjudged === undefined
      ? []
      : [command('error', 'The provider could not be judged', brief(report.unjudged, 2_000))]),
    ...report.defects.slice(0, 1).map(defect),
    ...report.clauses
      .filter(({ verdict }) => verdict === 'violated')
      .map((verdict) => {
        const { id, text } = verdict.clause;
        const failure = failureText(verdict, report.again, { folds: 1, length: extent.length });
        return command('error', id, `${text}\n${failure}`);
      }),
  ];
  const warnings = report.strict && !nothingJudged(report) ? unverified(report.clauses) : [];
  return [...bounded('error', errors), ...bounded('warning', warnings)]
    .map((line) => `${line}\n`)
    .join('');
}

const defect = ({ probe, detail = '' }: Report['defects'][number]): string =>
  command('error', `Defect of this suite in ${probe.name}`, brief(firstLine(detail), 2_000));

/** Clauses that lack the same thing are one warning. */
function unverified(clauses: readonly ClauseVerdict[]): string[] {
  const lacking = clauses.filter(({ verdict }) => verdict === 'unverified');
  return [...Map.groupBy(lacking, ({ reason = '' }) => reason)].map(([reason, verdicts]) =>
    command(
      'warning',
      `${verdicts.map(({ clause }) => clause.id).join(', ')} unverified`,
      brief(reason, 2_000),
    ),
  );
}

function bounded(kind: 'error' | 'warning', commands: readonly string[]): readonly string[] {
  if (commands.length <= shown) return commands;
  const left = commands.length - shown + 1;
  const more = command(kind, `${left} more`, 'They are in the step summary and in gate.json');
  return [...commands.slice(0, shown - 1), more];
}

/** One workflow command; text and title cannot end it, nor begin another one. */
function command(kind: 'error' | 'warning', title: string, message: string): string {
  const data = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = data(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${data(message)}`;
}

const signs = { holds: '✅', violated: '❌', unverified: '➖' } as const;
const summaryBytes = 256 * 1024;

/** The step summary in Markdown, a quarter of the mebibyte that GitHub accepts at the most. */
export function stepSummary(report: Report): string {
  const { holds, violated, unverified: unknown } = tally(report);
  const facts = [
    ...(nothingJudged(report)
      ? []
      : [`${holds} held, ${violated} violated, ${unknown} unverified`]),
    count(report.requests, 'request'),
    `${report.tookSeconds.toFixed(1)} s`,
    markdown(report.target),
  ];
  const head = [
    `## ${['✅', '❌', '⚠️', '⚠️'][report.exit]} ${headline(report)}`,
    facts.join(' · '),
    ...(report.unjudged === undefined ? [] : [markdown(brief(report.unjudged, 2_000))]),
    ...(nothingJudged(report) ? [] : [clauseTable(report)]),
  ].join('\n\n');
  return withinBytes(head, details(report));
}

function clauseTable({ clauses }: Report): string {
  const rows = clauses.map(({ clause, verdict, reason = '' }) => {
    const why = reason === '' ? '' : `<br><sub>${markdown(brief(reason, 300))}</sub>`;
    return `| ${signs[verdict]} ${verdict} | ${clause.id} | ${markdown(clause.text)}${why} |`;
  });
  return ['| | Clause | |', '|---|---|---|', ...rows].join('\n');
}

function details(report: Report): string[] {
  const failures = report.clauses
    .filter(({ verdict }) => verdict === 'violated')
    .map((verdict) => {
      const { id, text } = verdict.clause;
      return block(`<b>${id}</b> ${markdown(text)}`, failureText(verdict, report.again, extent));
    });
  const seen = report.observations
    .map(({ id, fact, value }) => brief(`${id.padEnd(9)}${fact}: ${value}`, 300))
    .join('\n');
  return [
    ...failures,
    ...report.defects
      .slice(0, 3)
      .map(({ probe, detail = '' }) =>
        block(`<b>Defect of this suite</b> in ${markdown(probe.name)}`, brief(detail, 4_000)),
      ),
    ...(seen === '' ? [] : [block('Observed, and left open by the contract', seen)]),
  ];
}

/** Inside `<pre>` GitHub reads no Markdown, and with its signs escaped nothing ends it. */
const block = (summary: string, text: string): string =>
  `<details><summary>${summary}</summary>\n\n<pre>\n${entities(text, /[&<>"']/g)}\n</pre>\n\n</details>`;

/** Every sign that could mean something in Markdown or HTML as an entity, which is always read as text. */
const markdown = (text: string): string => entities(text, /[^\p{L}\p{N} ,]/gu);

const entities = (text: string, signsToWrite: RegExp): string =>
  text.replace(signsToWrite, (sign) => `&#${sign.codePointAt(0)};`);

function withinBytes(head: string, blocks: readonly string[]): string {
  const note = '\n\nThe rest is in gate.html.\n';
  let summary = head;
  for (const part of blocks) {
    const longer = `${summary}\n\n${part}`;
    if (Buffer.byteLength(longer) > summaryBytes - note.length) return `${summary}${note}`;
    summary = longer;
  }
  return `${summary}\n`;
}

/**
 * Appends the step summary to the file that GitHub names in `GITHUB_STEP_SUMMARY`; without one there is nothing to do.
 * @throws ReportError
 */
export async function appendStepSummary(file: string | undefined, report: Report): Promise<void> {
  if (file === undefined || file === '') return;
  await appendFile(file, stepSummary(report)).catch((error: unknown) => {
    throw new ReportError('the step summary', error);
  });
}
