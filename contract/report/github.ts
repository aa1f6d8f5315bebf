import type { Round } from '../round/verdict.ts';
import { brief } from '../words.ts';
import { byReason, type Item, type Mark, notVerified, type Report, splitItem } from './report.ts';
import { failureText, plain, terminalText } from './terminal.ts';

type Kind = 'error' | 'warning' | 'notice';

/** One workflow command; its text and title cannot end it or begin another one. */
export function annotate(kind: Kind, title: string, message: string): string {
  const data = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = data(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${data(brief(message, 4_000))}\n`;
}

/** What is tolerated or was prevented does not fail a run, nor does what lacks a setting. Anything else is an error. */
const kinds: Partial<Record<Mark, Kind>> = {
  known: 'warning',
  prevented: 'warning',
  unverified: 'notice',
};

const kindOf = ({ mark }: Item) => (mark && kinds[mark]) ?? 'error';

/** The workflow commands for standard output. GitHub shows the first ten of each kind. */
export function annotations({ incomplete, failures, sections }: Report): string {
  // Each doubt has an annotation of its own.
  const isDoubt = byReason(sections, 'doubtful').length > 0;
  return [
    incomplete === undefined || isDoubt ? '' : annotate('error', 'No complete verdict', incomplete),
    ...failures.map((failure) => {
      const [id, text] = splitItem(failure);
      return annotate(kindOf(failure), id, `${text}\n${failureText(failure)}`);
    }),
    ...byReason(sections, 'known', ...notVerified).map((item) =>
      annotate(kindOf(item), `${item.label} (${item.mark})`, item.text),
    ),
  ].join('');
}

/** The outputs of a step that runs the gate. @param folder of the reports */
export function stepOutputs({ exit, clauses }: Round, folder: string): string {
  const verdict = (['holds', 'violated', 'unjudged', 'defect'] as const)[exit];
  const isPartly = exit === 0 && clauses.some((clause) => clause.verdict === 'unverified');
  const violated = clauses.flatMap((each) => (each.verdict === 'violated' ? each.clause.id : []));
  return `verdict=${isPartly ? 'partly' : verdict}\nviolated=${violated.join(' ')}\nreport=${folder}\n`;
}

/**
 * The step summary: the end of what a terminal shows, a quarter of the mebibyte that GitHub accepts, as indented code,
 * which no line of it can end.
 */
export function stepSummary(report: Report): string {
  const text = terminalText(report, plain(120)).slice(-256 * 1024);
  return `\n${text.replaceAll(/^(?=.)/gm, '    ')}`;
}
