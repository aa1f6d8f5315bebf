import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExitCode } from '../command.ts';

/** The files of a report by name, with the function that writes the text of each. */
type ReportFiles = Readonly<Record<string, () => string | Promise<string>>>;

/** A report in all forms of a command. */
export interface ReportForms {
  /** What a person reads on the terminal. */
  readonly text: string;
  /** What GitHub Actions reads on standard output, and its step summary. */
  readonly annotations: () => string;
  readonly summary: () => string;
  readonly files: ReportFiles;
}

/**
 * Prints a report, writes its files into a folder, and passes it to GitHub Actions if they run the command. If a file
 * cannot be written, a line says so, and the others are still written.
 * @returns the exit code: a success needs its evidence, any other verdict counts without it
 */
export async function publish(
  { text, annotations, summary, files }: ReportForms,
  { exit, folder, env }: { exit: ExitCode; folder: string; env: NodeJS.ProcessEnv },
): Promise<ExitCode> {
  process.stdout.write(text);
  const onGitHub = env.GITHUB_ACTIONS === 'true';
  if (onGitHub) process.stdout.write(annotations());
  const mistakes = await writeReports(folder, files);
  if (onGitHub) mistakes.push(...(await appendSummary(env.GITHUB_STEP_SUMMARY, summary())));
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
  return mistakes.length === 0 || exit !== 0 ? exit : 3;
}

/**
 * Writes every file of a report into a folder, which it creates if missing. A concurrent reader sees either the old or
 * the new file, never a part.
 * @returns a line about what could not be written, if anything
 */
export async function writeReports(folder: string, files: ReportFiles): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    return [lineAbout(`the folder ${folder}`, error)];
  }
  const written = await Promise.allSettled(
    Object.entries(files).map(async ([name, format]) =>
      replace(path.join(folder, name), await format()),
    ),
  );
  return Object.keys(files).flatMap((name, index) => {
    const result = written[index];
    return result?.status === 'rejected' ? [lineAbout(path.join(folder, name), result.reason)] : [];
  });
}

/** Appends to the file that GitHub names in `GITHUB_STEP_SUMMARY`; does nothing without one. @returns as `writeReports` */
export async function appendSummary(file: string | undefined, summary: string): Promise<string[]> {
  if (file === undefined || file === '') return [];
  return appendFile(file, summary).then(
    () => [],
    (error: unknown) => [lineAbout('the step summary', error)],
  );
}

/** Writes a file beside the old one and renames it. */
async function replace(file: string, text: string): Promise<void> {
  const fresh = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`);
  try {
    await writeFile(fresh, text, { flag: 'wx' });
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw error;
  }
}

/** Node's message, without the paths: `EACCES: permission denied`. */
const lineAbout = (what: string, error: unknown): string =>
  `${what} cannot be written: ${error instanceof Error ? error.message.split(', ')[0] : error}`;
