import { appendFile } from 'node:fs/promises';
import { type Level, levelMarks } from './level.ts';
import { ReportError } from './report-error.ts';

/** GitHub shows ten annotations of each kind for a step, and silently drops the others. */
const shown = 10;

type Kind = 'error' | 'warning';

/** One workflow command; its text and title cannot end it or begin another one. */
export function command(kind: Kind, title: string, message: string): string {
  const data = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = data(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${data(message)}`;
}

/** The commands for standard output, one on each line. @param where the place of all of them: `in gate.json` */
export const annotationText = (
  errors: readonly string[],
  warnings: readonly string[],
  where: string,
): string =>
  [...bounded('error', errors, where), ...bounded('warning', warnings, where)]
    .map((line) => `${line}\n`)
    .join('');

/** As many commands as GitHub shows; the last says how many are left out. */
function bounded(kind: Kind, commands: readonly string[], where: string): readonly string[] {
  if (commands.length <= shown) return commands;
  const left = commands.length - shown + 1;
  const more = command(kind, `${left} more`, `They are in the step summary and ${where}`);
  return [...commands.slice(0, shown - 1), more];
}

/** GitHub does not parse Markdown inside `<pre>`. The text cannot end the block, because HTML is escaped. */
export const block = (summary: string, text: string): string =>
  `<details><summary>${summary}</summary>\n\n<pre>\n${entities(text, /[&<>"']/g)}\n</pre>\n\n</details>`;

/** Replaces every character with a meaning in Markdown or HTML by an entity, which is always read as text. */
export const markdown = (text: string): string => entities(text, /[^\p{L}\p{N} ,]/gu);

const entities = (text: string, signsToWrite: RegExp): string =>
  text.replace(signsToWrite, (sign) => `&#${sign.codePointAt(0)};`);

/** A quarter of the mebibyte that GitHub accepts. */
const summaryBytes = 256 * 1024;

/** A step summary. All texts are Markdown. */
interface StepSummary {
  readonly level: Level;
  readonly headline: string;
  readonly facts: readonly string[];
  /** Shown below the title: as many lines as fit into half of the summary. */
  readonly head: readonly string[];
  /** As many are shown as fit. */
  readonly blocks: readonly string[];
  /** Where the rest is: `in gate.html`. */
  readonly where: string;
}

export function stepSummaryText(parts: StepSummary): string {
  const { level, headline, facts, head, blocks, where } = parts;
  const title = `## ${levelMarks[level].emoji} ${headline}`;
  const note = `\n\nThe rest is ${where}.\n`;
  const top = [title, facts.join(' · '), ...head].join('\n\n');
  const shownTop = firstLines(top, summaryBytes / 2);
  let summary = shownTop;
  for (const part of blocks) {
    const longer = `${summary}\n\n${part}`;
    if (Buffer.byteLength(longer) > summaryBytes - note.length) return `${summary}${note}`;
    summary = longer;
  }
  return shownTop === top ? `${summary}\n` : `${summary}${note}`;
}

/** As many whole lines as fit. */
function firstLines(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const part = Buffer.from(text).subarray(0, bytes).toString();
  return part.slice(0, part.lastIndexOf('\n'));
}

/** Appends to the file that GitHub names in `GITHUB_STEP_SUMMARY`; does nothing without one. @throws ReportError */
export async function appendSummary(file: string | undefined, summary: string): Promise<void> {
  if (file === undefined || file === '') return;
  await appendFile(file, summary).catch((error: unknown) => {
    throw new ReportError('the step summary', error);
  });
}
