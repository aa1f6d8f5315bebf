import { brief, count } from '../../../contract/report/report.ts';
import {
  block,
  bounded,
  command,
  markdown,
  withinBytes,
} from '../../../contract/report/workflow.ts';
import { rowsOf, rowsText } from './failure.ts';
import { counts, headline, type PactReport, type ReportedPact } from './report.ts';
import { nothingKnown } from './table.ts';

const where = 'in pacts.json';

/** The workflow commands for standard output: one for each interaction that fails the run, and whatever else does. */
export function annotations(report: PactReport): string {
  const { unjudged, defect } = report;
  const errors = [
    ...(unjudged === undefined
      ? []
      : [command('error', 'The provider could not be judged', unjudged)]),
    ...(defect === undefined
      ? []
      : [command('error', 'Defect of this suite', brief(defect, 2_000))]),
    ...failed(report, false),
  ];
  const warnings = failed(report, true);
  return [...bounded('error', errors, where), ...bounded('warning', warnings, where)]
    .map((line) => `${line}\n`)
    .join('');
}

const failed = ({ pacts, again }: PactReport, wanted: boolean): string[] =>
  pacts
    .filter(({ pending }) => pending === wanted)
    .flatMap(({ consumer, pending, interactions }) =>
      interactions
        .filter(({ ending }) => ending === 'failed')
        .map((one) =>
          command(
            pending ? 'warning' : 'error',
            `${consumer}: ${one.description}${pending ? ' (pending)' : ''}`,
            rowsText(rowsOf(one, again)),
          ),
        ),
    );

const signs = { verified: '✅', failed: '❌', unverified: '➖' } as const;

/** The step summary in Markdown. */
export function stepSummary(report: PactReport): string {
  const facts = [
    ...(nothingKnown(report) ? [] : [counts(report)]),
    count(report.requests, 'request'),
    markdown(report.target),
  ];
  const head = [
    `## ${['✅', '❌', '⚠️', '⚠️'][report.exit]} ${markdown(headline(report))}`,
    facts.join(' · '),
    ...report.notes.map(markdown),
    ...(nothingKnown(report) ? [] : report.pacts.map(pactTable)),
  ].join('\n\n');
  const failures = report.pacts.flatMap(({ consumer, interactions }) =>
    interactions
      .filter(({ ending }) => ending === 'failed')
      .map((one) =>
        block(
          `<b>${markdown(one.description)}</b> ${markdown(consumer)}`,
          rowsText(rowsOf(one, report.again)),
        ),
      ),
  );
  return withinBytes(head, failures, where);
}

function pactTable({ consumer, from, pending, interactions }: ReportedPact): string {
  const rows = interactions.map(({ ending, description, clauses, reason = '' }) => {
    const why = ending !== 'unverified' ? '' : `<br><sub>${markdown(brief(reason, 300))}</sub>`;
    return `| ${signs[ending]} ${ending} | ${markdown(description)}${why} | ${markdown(clauses.join(' '))} |`;
  });
  const head = `**${markdown(consumer)}**${pending ? ' (pending)' : ''} ${markdown(from)}`;
  return [head, '', '| | Interaction | Clauses |', '|---|---|---|', ...rows].join('\n');
}
