import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExitCode } from '../command.ts';
import { allWritten, ReportError } from './report-error.ts';
import { appendSummary } from './workflow.ts';

/** The files of a report by their names, and what writes the text of each. */
type ReportFiles = Readonly<Record<string, () => string | Promise<string>>>;

/** A report in every form in which a command gives it. */
export interface ReportForms {
  /** What a person reads on the terminal. */
  readonly text: string;
  /** What GitHub Actions reads there, and its step summary. */
  readonly annotations: () => string;
  readonly summary: () => string;
  readonly files: ReportFiles;
}

/**
 * Prints a report, writes its files into a folder, and gives it to GitHub Actions where that runs the command.
 * @returns the exit code: green without its evidence is not green, any other verdict stands without it
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
 * Writes every file of a report into a folder, which is made when it is missing. A concurrent reader of a file sees the
 * old or the new one, never half of it; one that cannot be written does not keep back the others.
 * @returns the paths of what was written
 * @throws ReportError about all that could not be written, after the rest has been
 */
export async function writeReports(folder: string, files: ReportFiles): Promise<string[]> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new ReportError(`the folder ${folder}`, error);
  });
  const written = await Promise.allSettled(
    Object.entries(files).map(async ([name, format]) => {
      const file = path.join(folder, name);
      await replace(file, await format());
      return file;
    }),
  );
  const failed = Object.keys(files).filter((_, index) => written[index]?.status === 'rejected');
  const [first] = written.filter((result) => result.status === 'rejected');
  if (first !== undefined)
    throw new ReportError(failed.map((name) => path.join(folder, name)).join(', '), first.reason);
  return written.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Writes a file beside the old one and puts it in its place. */
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
