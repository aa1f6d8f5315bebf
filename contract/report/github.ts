import type { Round } from '../round/verdict.ts';
import { brief, firstLine } from '../words.ts';
import { type Extent, headingOf, type Item, knownIn, type Report, unverifiedIn } from './report.ts';
import { failureText, plain, terminalText } from './terminal.ts';

const extent: Extent = { evidence: 1, also: 3, length: 500 };
const longest = 2_000;

/** One workflow command; its text and title cannot end it or begin another one. */
export function command(
  kind: 'error' | 'warning' | 'notice',
  title: string,
  message: string,
): string {
  const data = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = data(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${data(brief(message, longest))}\n`;
}

/**
 * The workflow commands for standard output: an error for everything that fails the run and for doubts, a warning for
 * what is pending or was prevented, and a notice for what lacks a setting. GitHub shows the first ten of each kind.
 */
export function annotations({ errors, failures, sections, file }: Report): string {
  const ofFailure = (failure: Item): string => {
    const [id, text] = headingOf(failure);
    const message = `${text}\n${failureText(failure, extent, file)}`;
    return failure.isPending
      ? command('warning', `${id} (pending)`, message)
      : command('error', id, message);
  };
  return [
    // Each doubt has an annotation of its own.
    ...errors
      .filter(({ label }) => label !== 'doubtful')
      .map(({ label, text, reason = '' }) => {
        const title = label === 'defect' ? `Defect of this suite in ${text}` : text;
        return command('error', title, firstLine(reason));
      }),
    ...failures.map(ofFailure),
    ...knownIn(sections).map(({ label, text }) => command('warning', `${label} (known)`, text)),
    ...unverifiedIn(sections).map(({ mark, label, text }) => {
      if (mark === 'doubtful') return command('error', `${label} doubtful`, text);
      return command(mark === 'prevented' ? 'warning' : 'notice', `${label} unverified`, text);
    }),
  ].join('');
}

/** The outputs of a step that runs the gate. @param folder of the reports */
export function stepOutputs({ exit, clauses }: Round, folder: string): string {
  const having = (wanted: string) => clauses.filter(({ verdict }) => verdict === wanted);
  const verdict = (['holds', 'violated', 'unjudged', 'defect'] as const)[exit];
  const isPartly = exit === 0 && having('unverified').length > 0;
  const violated = having('violated').map(({ clause }) => clause.id);
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
