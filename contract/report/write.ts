import { appendFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExitCode } from '../command.ts';
import { annotations, stepSummary } from './github.ts';
import type { Report } from './report.ts';
import { detectStyle, terminalText } from './terminal.ts';

/**
 * Removes the reports of an earlier run. A run that is refused, interrupted or killed writes none, and a reader would
 * take the old ones for its verdict. Errors are ignored: then writing fails too, and that is reported.
 */
export async function removeReports(folder: string, names: readonly string[]): Promise<void> {
  const options = { recursive: true, force: true };
  await Promise.allSettled(names.map((name) => rm(path.join(folder, name), options)));
}

interface Destination {
  readonly exit: ExitCode;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Of the step on GitHub. */
  readonly outputs?: string;
}

/**
 * Prints a report, writes its files, and passes it to GitHub Actions if they run the command. If a file cannot be
 * written, a line says so, and the others are still written.
 * @param files the texts by name, for a folder that is created if missing
 * @returns the exit code: a success needs its evidence, any other verdict counts without it
 */
export async function publish(
  report: Report,
  files: Readonly<Record<string, string>>,
  { exit, folder, env, outputs = '' }: Destination,
): Promise<ExitCode> {
  process.stdout.write(terminalText(report, detectStyle(process.stdout)));
  const mistakes = await tryTo(`the folder ${folder}`, () => mkdir(folder, { recursive: true }));
  if (mistakes.length === 0)
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      mistakes.push(...(await tryTo(file, () => writeFile(file, text))));
    }
  if (env.GITHUB_ACTIONS === 'true') {
    process.stdout.write(annotations(report));
    mistakes.push(
      ...(await append('the step summary', env.GITHUB_STEP_SUMMARY, stepSummary(report))),
      ...(await append('the outputs of the step', env.GITHUB_OUTPUT, outputs)),
    );
  }
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
  return mistakes.length === 0 || exit !== 0 ? exit : 3;
}

/** Appends to a file that GitHub names; does nothing without one. */
const append = async (what: string, file = '', text: string): Promise<string[]> =>
  file === '' ? [] : tryTo(what, () => appendFile(file, text));

/**
 * Replaces a file: a reader sees the old text or the new one, never a part.
 * @param what names it in the line that is returned if it cannot be written
 */
export const replaceFile = (file: string, text: string, what = file): Promise<string[]> =>
  tryTo(what, async () => {
    const old = await stat(file).catch(() => undefined);
    if (old?.isFile() === false) throw new Error('it is not a regular file');
    const fresh = `${file}.${process.pid}`;
    await writeFile(fresh, text)
      .then(() => rename(fresh, file))
      .finally(() => rm(fresh, { force: true }));
  });

/** @returns a line with Node's message if it fails, without the paths: `EACCES: permission denied` */
const tryTo = (what: string, action: () => Promise<unknown>): Promise<string[]> =>
  action().then(
    () => [],
    (error: Error) => [`${what} cannot be written: ${error.message.split(', ')[0]}`],
  );
