import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from '../contract/command.ts';
import { mask } from '../contract/secrets/masked.ts';
import { printable } from '../contract/secrets/printable.ts';

/** A wrong command line: one line with the mistake and the remedy, which may quote it. */
export class ArgumentError extends UserError {
  constructor(why: string) {
    super(printable(mask(why)));
  }
}

/** The message about a wrong command line. @param command as users call it: `npm run gate` */
export function usageError(command: string, why: string): ArgumentError {
  // npm forwards only the arguments after --.
  const options = command.startsWith('npm ') ? '-- --help' : '--help';
  return new ArgumentError(`${why}: ${command} ${options} lists the options`);
}

/** Parses a command line. @throws ArgumentError */
export function readCommandLine<Config extends ParseArgsConfig>(
  command: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // The sentences after the first are advice that does not apply here.
    const [why = ''] = (error instanceof Error ? error.message : '').split(/\.\s/);
    throw usageError(command, why);
  }
}

/** Options that replace settings for one run. */
export const sourceOptions = {
  target: { type: 'string' },
  targets: { type: 'string' },
  known: { type: 'string' },
  env: { type: 'string' },
  reports: { type: 'string' },
} as const;
