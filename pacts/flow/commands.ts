import { harmless } from '../../contract/report/terminal-style.ts';
import { command as annotation } from '../../contract/report/workflow.ts';
import { Interruption, interruptedCode } from '../../contract/round/interruption.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { endOf } from '../../contract/user-error.ts';
import { loadEnvironment, loadPactSettings } from '../../settings.ts';
import { openBroker } from './broker.ts';
import { canIDeploy } from './can-i-deploy.ts';
import { checkoutOf } from './checkout.ts';
import type { Command } from './command.ts';
import { publish } from './publish.ts';
import { recordDeployment, recordRelease, undeploy } from './record.ts';
import { setup } from './setup.ts';

const commands: Readonly<Record<string, Command>> = {
  publish,
  'can-i-deploy': canIDeploy,
  'record-deployment': recordDeployment,
  'record-release': recordRelease,
  undeploy,
  setup,
};

const settingsHelp = `
Settings are read from the environment and from .env:
  PACT_BROKER_BASE_URL   the broker
  PACT_BROKER_TOKEN      or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD, or …_FILE
  PACT_PROVIDER_NAME     the provider's name there, public-api unless set
  GIT_COMMIT, GIT_BRANCH   version and branch; unless set those of the CI, else those of git
`;

interface FlowOptions {
  /** The environment and the `.env` file; by default those of this process. */
  readonly from?: Parameters<typeof loadPactSettings>[0];
  readonly signal?: AbortSignal;
}

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs a command of the flow.
 * @param words the command's name and its arguments
 * @returns the exit code
 */
export async function runFlow(
  words: readonly string[],
  terminal: Terminal,
  options: FlowOptions = {},
): Promise<number> {
  try {
    return await run(words, terminal, options);
  } catch (error) {
    const { signal } = options;
    return failed(signal?.aborted === true ? signal.reason : error, terminal);
  }
}

async function run(
  [name = '', ...args]: readonly string[],
  { out, err }: Terminal,
  { from, signal }: FlowOptions,
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    err(`pacts/flow/main.ts takes one of ${Object.keys(commands).join(', ')}\n`);
    return 2;
  }
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    out(command.help + settingsHelp);
    return 0;
  }
  // A line may quote names that other users chose in the broker.
  const print = (line: string): void => out(`${harmless(printable(line))}\n`);
  const settings = loadPactSettings(from);
  const env = loadEnvironment(from);
  return command.run({
    args,
    settings,
    signal,
    broker: (secrets) => openBroker(settings.broker, { secrets, signal }),
    checkout: ({ version, branch }) =>
      checkoutOf({ version: version || settings.version, branch: branch || settings.branch }, env),
    print,
    warn(line) {
      print(`warning: ${line}`);
      if (env.GITHUB_ACTIONS === 'true') out(`${annotation('warning', name, line)}\n`);
    },
  });
}

/**
 * Prints a mistake of the caller or a failure of the broker as one line. Any other error is a defect, with its stack.
 */
function failed(error: unknown, { err }: Terminal): number {
  const { text, exit } =
    error instanceof Interruption ? { text: error.message, exit: interruptedCode } : endOf(error);
  err(`${text}\n`);
  return exit;
}
