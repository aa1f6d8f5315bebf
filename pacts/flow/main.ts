/** `npm run pact:publish` and the other commands between us and a Pact Broker. */
import { loadEnvironment, loadPactSettings } from '../../settings.ts';
import { canIDeploy } from './can-i-deploy.ts';
import { checkoutOf } from './checkout.ts';
import type { Command } from './command.ts';
import { publish } from './publish.ts';
import { recordDeployment } from './record-deployment.ts';
import { setup } from './setup.ts';

const commands: Readonly<Record<string, Command>> = {
  publish,
  'can-i-deploy': canIDeploy,
  'record-deployment': recordDeployment,
  setup,
};

const settingsHelp = `
Settings are read from the environment and from .env:
  PACT_BROKER_BASE_URL   the broker
  PACT_BROKER_TOKEN      or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD, or …_FILE
  GIT_COMMIT, GIT_BRANCH   version and branch, unless GitHub Actions or git tells them
`;

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`pacts/flow/main.ts takes one of ${Object.keys(commands).join(', ')}\n`);
    return 2;
  }
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(command.help + settingsHelp);
    return 0;
  }
  const settings = loadPactSettings();
  const { version, branch } = settings;
  const fixed = { ...(version && { version }), ...(branch && { branch }) };
  return command.run({
    args,
    settings,
    checkout: (named) => checkoutOf({ ...fixed, ...named }, loadEnvironment()),
    say: (line) => process.stdout.write(`${line}\n`),
  });
}

/** Mistakes of whoever calls, and what a broker does, are one line each; anything else is a defect, and shows where. */
function failed(error: unknown): number {
  const known = ['FlowError', 'PactError', 'SettingsError'];
  const told = error instanceof Error ? error : new Error(String(error));
  if (!known.includes(told.name)) {
    process.stderr.write(`${told.stack}\nThis is a defect of the suite, not of the provider\n`);
    return 3;
  }
  process.stderr.write(`${told.message}\n`);
  return 2;
}

// Nobody reads on, as when the output goes to `head`: what was begun is done all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exit(await main(process.argv.slice(2)).catch(failed));
