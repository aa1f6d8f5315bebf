import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { harmless, printableLines } from './secrets/printable.ts';

/** A mistake of the caller. Its message says what is wrong, where, and what to do; it is shown without a stack. */
export class UserError extends Error {}

export const defective = (what: string): string =>
  `${what}\nThis is a defect of the suite, not of the provider`;

/** Success, a violation, not judged, or a defect of this suite. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Prints a text. @returns the exit code of a command that only prints */
export function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

/**
 * Runs a command with the arguments of this process, and ends the process with its exit code. Exceptions are
 * printed on stderr: mistakes of the caller as one line each, anything else as a defect with its stack.
 * @param help what `--help` prints, whatever else the command line says
 * @param onError called with the exception before it is printed
 */
export async function runCommand(
  main: (args: readonly string[]) => Promise<number>,
  help: string,
  onError: (error: unknown) => Promise<void> = async () => {},
): Promise<never> {
  // A closed pipe, for example of `head`, must not end a command before its files and exit code.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const args = process.argv.slice(2);
  const isAsking = args.includes('--help') || args.includes('-h');
  const ended = isAsking ? Promise.resolve(print(help)) : main(args);
  const code = await ended.catch((error: unknown) => onError(error).then(() => printError(error)));
  // Waits until a slow reader has received all of the output.
  for (const stream of [process.stdout, process.stderr])
    if (stream.writable && stream.writableLength > 0)
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
  process.exit(code);
}

/** Prints an error, which may quote a provider. @returns the exit code: 2 for a mistake of the caller, else 3 */
export function printError(error: unknown): 2 | 3 {
  const isMistake = error instanceof UserError;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = printableLines(isMistake ? error.message : defective(stack));
  process.stderr.write(`${text.split('\n').map(harmless).join('\n')}\n`);
  return isMistake ? 2 : 3;
}

/** The exit code of shells after Ctrl-C. */
export const interruptedCode = 130;

/** Waits for work, but only until the signal aborts: then the work may never end. */
export const orAborted = (signal: AbortSignal, work: Promise<void>): Promise<void> =>
  Promise.race([work, once(signal, 'abort').then(() => signal.throwIfAborted())]);

/**
 * Creates a folder for this process alone, which every orderly end of it removes. A container with a read-only root may
 * have none for temporary files. @throws UserError
 */
export function scratch(name: string) {
  try {
    const folder = mkdtempSync(path.join(os.tmpdir(), `${name}-`));
    const remove = (): void => {
      process.off('exit', remove);
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', remove);
    return { folder, remove };
  } catch {
    const why = `no temporary folder can be made in ${os.tmpdir()}`;
    throw new UserError(`${why}: set TMPDIR to a writable folder`);
  }
}
