import { type ParseArgsConfig, parseArgs } from 'node:util';
import { printable } from '../contract/secrets/printable.ts';
import { UserError } from '../contract/user-error.ts';

/** A command was called wrongly: one line that says what to do. */
export class WrongArguments extends UserError {
  override readonly name = 'WrongArguments';

  /** @param why may quote what was typed */
  constructor(why: string) {
    super(printable(why));
  }
}

/** What is to be said of a command that was called wrongly. @param command as it is called: `npm run gate` */
export const wrongly = (command: string, why: string): WrongArguments =>
  new WrongArguments(`${why}: ${command} -- --help lists the options`);

/** What a command line says. @throws WrongArguments */
export function readCommandLine<Config extends ParseArgsConfig>(
  command: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // What follows the first sentence is advice for other programs than this.
    const [why = ''] = (error instanceof Error ? error.message : '').split('. ');
    throw wrongly(command, why);
  }
}
