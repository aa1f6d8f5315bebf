import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExitCode } from '../command.ts';
import { allWritten, ReportError } from './report-error.ts';
import { appendSummary } from './workflow.ts';

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
 * Prints a report, writes its files into a folder, and passes it to GitHub Actions if they run the command.
 * @returns the exit code: a success needs its evidence, any other verdict counts without it
 */
export async function publish(
  { text, annotations, summary, files }: ReportForms,
  { exit, folder, env }: { exit: ExitCode; folder: string; env: NodeJS.ProcessEnv },
): Promise<ExitCode> {
  process.stdout.write(text);
  const onGitHub = env.GITHUB_ACTIONS === 'true';
  if (onGitHub) process.stdout.write(annotations());
  const written = await allWritten([
    () => writeReports(folder, files),
    ...(onGitHub ? [() => appendSummary(env.GITHUB_STEP_SUMMARY, summary())] : []),
  ]);
  return written || exit !== 0 ? exit : 3;
}

/**
 * Writes every file of a report into a folder, which it creates if missing. A concurrent reader sees either the
 * old or the new file, never a part. If one file fails, the others are still written.
 * @throws ReportError about all files that could not be written, after the others were
 */
export async function writeReports(folder: string, files: ReportFiles): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new ReportError(`the folder ${folder}`, error);
  });
  const written = await Promise.allSettled(
    Object.entries(files).map(async ([name, format]) =>
      replace(path.join(folder, name), await format()),
    ),
  );
  const failed = Object.keys(files).filter((_, index) => written[index]?.status === 'rejected');
  const first = written.find((result) => result.status === 'rejected');
  if (first !== undefined)
    throw new ReportError(failed.map((name) => path.join(folder, name)).join(', '), first.reason);
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
