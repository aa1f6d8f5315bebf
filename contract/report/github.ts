import { type Extent, failureText, type Report, unverifiedIn } from './report.ts';
import { plain, terminalText } from './terminal.ts';
import { brief, firstLine } from './words.ts';

type Kind = 'error' | 'warning' | 'notice';
type Annotation = readonly [kind: Kind, title: string, text: string];

/** One workflow command; its text and title cannot end it or begin another one. */
export function command(kind: Kind, title: string, message: string): string {
  const data = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = data(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${data(message)}`;
}

/** GitHub shows ten annotations of each kind for a step, and silently drops the others. */
const mostShown = 10;
const extent: Extent = { evidence: 1, also: 3, length: 500 };
const longest = 2_000;

/**
 * The workflow commands for standard output: an error for everything that fails the run, a warning for what is pending
 * or was prevented, and a notice for what lacks a setting.
 */
export function annotations(report: Report): string {
  const { errors, failures, file } = report;
  const all = [
    ...errors.map(({ type, title, text, isPending }): Annotation => {
      if (isPending) return ['warning', `${title} (pending)`, text];
      return type === 'defect'
        ? ['error', `Defect of this suite in ${title}`, firstLine(text)]
        : ['error', title, text];
    }),
    ...failures.map((failure): Annotation => {
      const { id, text, isPending } = failure;
      const message = `${text}\n${failureText(failure, extent, file)}`;
      return isPending ? ['warning', `${id} (pending)`, message] : ['error', id, message];
    }),
    ...unverifiedIn(report).map(([reason, items]): Annotation => {
      const isPrevented = items.some(({ mark }) => mark === 'prevented');
      const ids = items.map(({ label, text }) => label.trim() || text).join(', ');
      return [isPrevented ? 'warning' : 'notice', `${ids} unverified`, reason];
    }),
  ];
  return [...Map.groupBy(all, ([kind]) => kind)]
    .flatMap(([kind, same]) => {
      const left = same.length - mostShown + 1;
      const shown = same.length <= mostShown ? same : same.slice(0, mostShown - 1);
      const more = [kind, `${left} more`, `They are in the step summary and in ${file}`] as const;
      return left > 1 ? [...shown, more] : shown;
    })
    .map(([kind, title, text]) => `${command(kind, title, brief(text, longest))}\n`)
    .join('');
}

/** A quarter of the mebibyte that GitHub accepts. */
const mostLetters = 256 * 1024;

/** The step summary: the end of what a terminal shows. */
export const stepSummary = (report: Report): string =>
  codeBlock(
    terminalText(report, plain(120))
      .slice(-mostLetters)
      .replace(/^\n|\n$/g, ''),
  );

/** A text in Markdown, which no line of it can end. */
export function codeBlock(text: string): string {
  const longestFence = Math.max(2, ...[...text.matchAll(/`+/g)].map(([{ length }]) => length));
  const fence = '`'.repeat(longestFence + 1);
  return `${fence}text\n${text}\n${fence}\n`;
}
