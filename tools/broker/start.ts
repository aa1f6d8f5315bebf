/** `npm run broker`: a real Pact Broker to try things out. The tests and the pictures start the same one. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readCommandLine } from '../../config/command-line.ts';
import { print, runCommand, UserError } from '../../contract/command.ts';
import { find, pactBroker } from '../setup/programs.ts';

/** Credentials for a broker with basic authentication. */
export interface Account {
  readonly username: string;
  readonly password: string;
}

export type LocalBroker = Awaited<ReturnType<typeof startBroker>>;

const help = `npm run broker

Starts a real Pact Broker on 127.0.0.1, with a SQLite database and basic authentication, until Ctrl-C. Its gems are
in .broker, where npm run setup installs them.

  npm run broker -- --port 9393      on that port (9292 by default); 0 selects any free port
  npm run broker -- --folder DIR     with its database there instead of in .broker; in a new folder it starts empty

Exit codes: 0 after Ctrl-C · 2 when the broker cannot be started, or ends by itself.
`;

async function main(args: readonly string[]): Promise<0> {
  const { values } = readCommandLine('npm run broker', {
    args: [...args],
    options: {
      port: { type: 'string', default: '9292' },
      folder: { type: 'string', default: '.broker' },
    },
  });
  const port = Number(values.port);
  if (find(pactBroker) === undefined)
    throw new UserError(
      `the Pact Broker needs Ruby, a C compiler and its gems: npm run setup installs them (Debian: ${pactBroker.packages.join(' ')})`,
    );
  await using broker = await startBroker(values.folder, port);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal));
  const { baseUrl, username, password } = broker;
  const settings = path.join(values.folder, 'env');
  const account = `PACT_BROKER_USERNAME=${username}\nPACT_BROKER_PASSWORD=${password}\n`;
  writeFileSync(settings, `PACT_BROKER_BASE_URL=${baseUrl.origin}\n${account}`, { mode: 0o600 });
  print(`Pact Broker  ${baseUrl.origin}
log          ${path.join(values.folder, 'broker.log')}
log in       as the user in ${settings}, which points pact:verify and pact-broker at this broker too:

  set -a; . ${settings}; set +a

Ctrl-C ends it.
`);
  const byItself = broker.ended.then(() => 'ended');
  if ((await Promise.race([...signals, byItself])) === 'ended')
    throw new UserError('the Pact Broker has ended by itself: its log says why');
  return 0;
}

/**
 * Starts a Pact Broker on 127.0.0.1 with a new password, and waits until it listens. It has its own process, which ends
 * when this process ends, also by a kill. Its account may write.
 * @param folder of its database and its log; created if it is missing
 * @param port by default the system chooses a free one
 * @throws UserError with the end of its log
 */
export async function startBroker(folder: string, port = 0) {
  const account = { username: 'pact', password: randomBytes(24).toString('base64url') };
  const database = privateFile(folder, 'pact_broker.sqlite3');
  const logFile = privateFile(folder, 'broker.log');
  const log = openSync(logFile, 'w');
  const child = spawn('ruby', [...puma, '-b', `tcp://127.0.0.1:${port}`], {
    cwd: import.meta.dirname,
    stdio: ['pipe', log, log],
    env: environment(database, account),
  });
  closeSync(log);
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  for (;;) {
    const text = readFileSync(logFile, 'utf8');
    const address = /Listening on (http:\S+).*Use Ctrl-C/s.exec(text)?.[1];
    if (address !== undefined) {
      const baseUrl = new URL(address);
      return { ...account, baseUrl, ended, [Symbol.asyncDispose]: stop };
    }
    if ((child.exitCode ?? child.signalCode) !== null) {
      const end = text.trim().split('\n').slice(-10).join('\n');
      throw new UserError(`the Pact Broker does not start; the end of its log:\n${end}`);
    }
    await pause(50);
  }
}

/** Creates a file that only its owner can read. SQLite gives its further files the same mode. */
function privateFile(folder: string, name: string): string {
  const file = path.resolve(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    closeSync(openSync(file, 'a', 0o600));
    return file;
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new UserError(`--folder ${folder} cannot hold the database and the log: ${why}`);
  }
}

/** Like `bundle exec puma`, without a fifth of a second for the commands of Bundler. It reads puma.rb and config.ru. */
const puma = ['-rbundler/setup', '-e', 'load Gem.bin_path("puma", "puma")', '--', '-C', 'puma.rb'];

/** It inherits nothing else: `pact:verify` and `pact-broker` read variables of the same names. */
function environment(database: string, account: Account): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return {
    ...{ PATH, HOME, LANG: 'C.UTF-8', ...pactBroker.env },
    PACT_BROKER_DATABASE_ADAPTER: 'sqlite',
    PACT_BROKER_DATABASE_NAME: database,
    PACT_BROKER_BASIC_AUTH_USERNAME: account.username,
    PACT_BROKER_BASIC_AUTH_PASSWORD: account.password,
  };
}

if (import.meta.main) await runCommand(main, help);
