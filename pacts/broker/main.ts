/** `npm run broker`: a real Pact Broker for trying things out. */
import path from 'node:path';
import { readCommandLine, readPort } from '../../settings/command-line.ts';
import { brokerGems, canInstallGems, installGems } from '../../tools/setup/gems.ts';
import { find, pactBroker } from '../../tools/setup/programs.ts';
import { keepAccount, keptAccount } from './account.ts';
import { startBroker } from './start.ts';

const help = `npm run broker

Starts a real Pact Broker on 127.0.0.1, with a SQLite database and basic authentication, until Ctrl-C. The first time
it installs the broker's gems into this project, which takes about a minute.

  npm run broker -- --port 9393      on that port (9292 by default); 0 selects any free port
  npm run broker -- --empty          with a new database
  npm run broker -- --folder DIR     with database, account and log there instead of in .broker

Its webhooks may call this machine, and api.github.com for npm run pact:setup -- --webhook-github.

Exit codes: 0 after Ctrl-C · 2 when the broker cannot be started, or exits by itself.
`;

async function main(args: readonly string[]): Promise<void> {
  const { values } = readCommandLine('npm run broker', {
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      port: { type: 'string', default: '9292' },
      empty: { type: 'boolean', default: false },
      folder: { type: 'string', default: '.broker' },
    },
  });
  if (values.help === true) return print(help);
  const { folder, empty } = values;
  const port = readPort(values.port);
  await install();
  const env = path.join(folder, 'env');
  const account = keptAccount(env);
  await using broker = await startBroker({
    folder,
    port,
    empty,
    account,
    webhookHosts: ['api.github.com'],
  });
  keepAccount(env, broker.baseUrl, account);
  const over = interrupted(broker.ended);
  print(`Pact Broker  ${broker.baseUrl.origin}
database     ${path.join(folder, 'pact_broker.sqlite3')}
log          ${path.join(folder, 'broker.log')}
account      ${env}, which points Pact's commands at it too:

  set -a; . ${env}; set +a

Ctrl-C ends it.
`);
  await over;
}

async function install(): Promise<void> {
  if (find(pactBroker) !== undefined) return;
  if (!canInstallGems())
    throw new Error(
      `the Pact Broker needs Ruby and a C compiler: npm run setup installs them (Debian: ${pactBroker.packages.join(' ')})`,
    );
  print("Installing the Pact Broker's gems, which takes about a minute …\n");
  await installGems(brokerGems);
}

/** Waits for SIGINT, SIGTERM or SIGHUP. @throws when the broker ends first */
function interrupted(ended: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
    const byItself = new Error('the Pact Broker has ended by itself: its log says why');
    ended.then(() => reject(byItself));
  });
}

function print(text: string): void {
  process.stdout.write(text);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
