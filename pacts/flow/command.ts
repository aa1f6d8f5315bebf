import type { ParseArgsConfig } from 'node:util';
import { readCommandLine } from '../../settings/command-line.ts';
import type { PactSettings } from '../../settings.ts';
import type { Checkout, Named } from './checkout.ts';
import { FlowError } from './flow-error.ts';

/** What a command is given. */
export interface Run {
  readonly args: readonly string[];
  readonly settings: PactSettings;
  /** What is checked out, unless its version or branch is named. */
  checkout(named: Named): Checkout;
  say(line: string): void;
  /** The same, where it must be seen: as an annotation too where GitHub Actions runs. */
  warn(line: string): void;
}

/** A command of the flow. */
export interface Command {
  readonly help: string;
  /** @returns the exit code @throws FlowError */
  run(run: Run): Promise<0 | 1 | 2>;
}

/** Reads the arguments of a command. @throws WrongArguments */
export const argumentsOf = <Config extends ParseArgsConfig>(name: string, config: Config) =>
  readCommandLine(`npm run pact:${name}`, config);

/** An option that a command cannot do without. @throws FlowError */
export function needed(option: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new FlowError(`${option} is missing`);
  return value;
}

/** The version and branch that options name. */
export const named = (values: { version?: string; branch?: string }): Named => ({
  ...(values.version ? { version: values.version } : {}),
  ...(values.branch ? { branch: values.branch } : {}),
});
