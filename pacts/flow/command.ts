import type { ParseArgsConfig } from 'node:util';
import type { Secret } from '../../contract/secrets/secret.ts';
import { readCommandLine } from '../../settings/command-line.ts';
import type { PactSettings } from '../../settings.ts';
import type { Broker } from './broker.ts';
import type { Checkout, Named } from './checkout.ts';
import { FlowError } from './flow-error.ts';

export interface Run {
  readonly args: readonly string[];
  readonly settings: PactSettings;
  /** Opens the configured broker. @param secrets are removed from messages about its responses */
  broker(secrets?: readonly Secret[]): Promise<Broker>;
  /** The version and branch of the checkout, unless the options of a command name them. */
  checkout(options: Named): Checkout;
  print(line: string): void;
  /** Prints a warning. Under GitHub Actions it is an annotation too. */
  warn(line: string): void;
  /** Aborts a wait. */
  readonly signal?: AbortSignal;
}

export interface Command {
  readonly help: string;
  /** @returns the exit code @throws FlowError */
  run(run: Run): Promise<0 | 1 | 2>;
}

/** Reads the arguments of a command. @throws WrongArguments */
export const argumentsOf = <Config extends ParseArgsConfig>(name: string, config: Config) =>
  readCommandLine(`npm run pact:${name}`, config);

/** A required option of a command. @throws FlowError */
export function needed(option: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new FlowError(`${option} is missing`);
  return value;
}
