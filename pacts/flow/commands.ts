import { command as annotation } from '../../contract/report/workflow.ts';
import { endOf } from '../../contract/user-error.ts';
import { loadEnvironment, loadPactSettings } from '../../settings.ts';
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
  GIT_COMMIT, GIT_BRANCH   version and branch, unless GitHub Actions or git provides them
`;

type SettingsFrom = Parameters<typeof loadPactSettings>[0];

/** Where a command writes. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs a command of the flow.
 * @param words its name, and its arguments
 * @param from the environment and the `.env` file; by default those of this process
 * @returns the exit code
 */
export async function runFlow(
  words: readonly string[],
  terminal: Terminal,
  from?: SettingsFrom,
): Promise<number> {
  try {
    return await run(words, terminal, from);
  } catch (error) {
    return failed(error, terminal);
  }
}

async function run(
  [name = '', ...args]: readonly string[],
  { out, err }: Terminal,
  from?: SettingsFrom,
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
  const settings = loadPactSettings(from);
  const env = loadEnvironment(from);
  const { version, branch } = settings;
  const fixed = { ...(version && { version }), ...(branch && { branch }) };
  return command.run({
    args,
    settings,
    checkout: (named) => checkoutOf({ ...fixed, ...named }, env),
    say: (line) => out(`${line}\n`),
    warn: (line) =>
      out(
        `warning: ${line}\n${env.GITHUB_ACTIONS === 'true' ? `${annotation('warning', name, line)}\n` : ''}`,
      ),
  });
}

/**
 * Mistakes of the caller, and failures of a broker, are one line each; anything else is a defect, with its stack.
 */
function failed(error: unknown, { err }: Terminal): number {
  const { text, exit } = endOf(error);
  err(`${text}\n`);
  return exit;
}
