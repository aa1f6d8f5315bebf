import { levelAt } from '../../../contract/report/level.ts';
import { brief, count } from '../../../contract/report/words.ts';
import {
  annotationText,
  block,
  command,
  markdown,
  stepSummaryText,
} from '../../../contract/report/workflow.ts';
import { failureText } from './failure.ts';
import { counts, headline, nothingKnown, type PactReport, type ReportedPact } from './report.ts';

const where = 'in pacts.json';

/**
 * The workflow commands for standard output: one for each failure that makes the run fail, of an interaction or of
 * another kind.
 */
export function annotations(report: PactReport): string {
  const { unjudged, defect } = report;
  const errors = [
    ...(unjudged === undefined
      ? []
      : [command('error', 'The provider could not be judged', unjudged)]),
    ...(defect === undefined
      ? []
      : [command('error', 'Defect of this suite', brief(defect, 2_000))]),
    ...refusals(report, false),
    ...failed(report, false),
  ];
  const warnings = [...refusals(report, true), ...failed(report, true)];
  return annotationText(errors, warnings, where);
}

const refusals = ({ pacts }: PactReport, wanted: boolean): string[] =>
  pacts
    .filter(({ refused, pending }) => refused !== undefined && pending === wanted)
    .map(({ consumer, refused = [], pending }) =>
      annotation(`${consumer}: the pact is refused`, pending, brief(refused.join('\n'), 2_000)),
    );

const failed = ({ pacts, again }: PactReport, wanted: boolean): string[] =>
  pacts.flatMap(({ consumer, interactions }) =>
    interactions
      .filter(({ ending, pending }) => ending === 'failed' && pending === wanted)
      .map((one) =>
        annotation(`${consumer}: ${one.description}`, one.pending, failureText(one, again)),
      ),
  );

const annotation = (title: string, isPending: boolean, text: string): string =>
  isPending ? command('warning', `${title} (pending)`, text) : command('error', title, text);

const signs = { verified: '✅', failed: '❌', unverified: '➖' } as const;

export function stepSummary(report: PactReport): string {
  const facts = [
    ...(nothingKnown(report) ? [] : [counts(report)]),
    count(report.requests, 'request'),
    markdown(report.target),
  ];
  const head = [
    ...report.notes.map(markdown),
    ...(nothingKnown(report) ? [] : report.pacts.map(pactTable)),
  ];
  const blocks = report.pacts.flatMap(({ consumer, interactions }) =>
    interactions
      .filter(({ ending }) => ending === 'failed')
      .map((one) =>
        block(
          `<b>${markdown(one.description)}</b> ${markdown(consumer)}`,
          failureText(one, report.again),
        ),
      ),
  );
  const title = { level: levelAt(report.exit), headline: markdown(headline(report)), facts };
  return stepSummaryText({ ...title, head, blocks, where });
}

function pactTable({ consumer, from, pending, interactions }: ReportedPact): string {
  const rows = interactions.map(({ ending, description, clauses, reason = '' }) => {
    const why = ending !== 'unverified' ? '' : `<br><sub>${markdown(brief(reason, 300))}</sub>`;
    return `| ${signs[ending]} ${ending} | ${markdown(description)}${why} | ${markdown(clauses.join(' '))} |`;
  });
  const head = `**${markdown(consumer)}**${pending ? ' (pending)' : ''} ${markdown(from)}`;
  return [head, '', '| | Interaction | Clauses |', '|---|---|---|', ...rows].join('\n');
}
