import { harmless } from '../../contract/report/terminal-style.ts';
import { command as annotation } from '../../contract/report/workflow.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { loadEnvironment, loadPactSettings } from '../../settings.ts';
import { openBroker } from './broker.ts';
import { canIDeploy } from './can-i-deploy.ts';
import { checkoutOf } from './checkout.ts';
import type { Command } from './command.ts';
import { FlowError } from './flow-error.ts';
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
  /** Writes to standard output. */
  readonly out: (text: string) => void;
  /** The environment and the `.env` file; by default those of this process. */
  readonly from?: Parameters<typeof loadPactSettings>[0];
  readonly signal?: AbortSignal;
}

/**
 * Runs a command of the flow.
 * @param words the command's name and its arguments
 * @returns the exit code
 * @throws UserError about a mistake of the caller, or a failure of the broker
 */
export async function runFlow(
  [name = '', ...args]: readonly string[],
  { out, from, signal }: FlowOptions,
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new FlowError(`pacts/flow/main.ts takes one of ${Object.keys(commands).join(', ')}`);
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
