import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exchange } from '../../contract/http/transport.ts';
import { brokerGems } from '../../tools/setup/gems.ts';
import { type Account, newAccount } from './account.ts';
import { keepTemplate, readyDatabase } from './database.ts';

/** A real Pact Broker in its own process. It ends whenever this process ends, also after a crash. */
export interface Broker extends Account, AsyncDisposable {
  readonly baseUrl: URL;
  /** A user with read access only. */
  readonly readOnly: Account;
  readonly database: string;
  /** Resolves when its process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Its log so far. */
  log(): string;
  /** Stops the broker after it has answered pending requests. */
  stop(): Promise<void>;
}

export interface BrokerOptions {
  /** The folder of its database and its log; created if missing. */
  readonly folder: string;
  /** By default the system chooses a free port. */
  readonly port?: number;
  /** The user with all rights; by default a new one. */
  readonly account?: Account;
  /** Hosts besides this machine that the broker's webhooks may call. */
  readonly webhookHosts?: readonly string[];
  /** Starts with an empty database, even if the folder holds one. */
  readonly empty?: boolean;
  /** The time limit for the first response. */
  readonly withinMs?: number;
}

/** On an idle machine a broker starts in a second; a busy machine needs longer. */
const startBoundMs = 60_000;
/** Pending webhooks may take 8 s. */
const stopBoundMs = 10_000;

/**
 * Starts a Pact Broker on 127.0.0.1 that requires basic authentication. Its webhooks can call only this machine and
 * `webhookHosts`.
 * @throws with the end of the log when the broker does not answer within the limit
 * @throws when the folder cannot be written, the port or the database is in use, or the database is damaged
 */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { port = 0, account = newAccount('pact'), withinMs = startBoundMs } = options;
  const { webhookHosts = [] } = options;
  const folder = path.resolve(options.folder);
  makeFolder(folder);
  const database = path.join(folder, 'pact_broker.sqlite3');
  const blank = readyDatabase(database, options.empty === true);
  const readOnly = newAccount('pact-reader');
  const logFile = path.join(folder, 'broker.log');
  const child = launch(port, logFile, settings(database, account, readOnly, webhookHosts));
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  });
  const log = (): string => readFileSync(logFile, 'utf8');
  const stop = async (): Promise<void> => {
    child.stdin?.end();
    const late = setTimeout(() => child.kill('SIGKILL'), stopBoundMs);
    await ended;
    clearTimeout(late);
  };
  try {
    const baseUrl = await answering(child, port, log, withinMs);
    if (blank) keepTemplate(database);
    const broker = { baseUrl, ...account, readOnly, database, ended, log, stop };
    return { ...broker, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new Error(
      `${folder} is not a folder that can be written (${code}): --folder names another`,
    );
  }
}

/** Like `bundle exec puma`, without a fifth of a second for the commands of Bundler. */
const bundledPuma = ['-rbundler/setup', '-e', 'load Gem.bin_path("puma", "puma")'];

/** The child does not inherit this environment: Pact's programs and the broker use variables of the same names. */
function launch(
  port: number,
  logFile: string,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const address = `tcp://127.0.0.1:${port}`;
  const log = openSync(logFile, 'w', 0o600);
  try {
    return spawn(
      'ruby',
      [...bundledPuma, '--', '-C', beside('puma.rb'), '-b', address, beside('config.ru')],
      {
        cwd: path.dirname(logFile),
        stdio: ['pipe', log, log],
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          LANG: 'C.UTF-8',
          ...brokerGems.env,
          ...env,
        },
      },
    );
  } finally {
    closeSync(log);
  }
}

function settings(
  database: string,
  account: Account,
  readOnly: Account,
  webhookHosts: readonly string[],
): Record<string, string> {
  return {
    PACT_BROKER_DATABASE_ADAPTER: 'sqlite',
    PACT_BROKER_DATABASE_NAME: database,
    PACT_BROKER_SEED_EXAMPLE_DATA: 'false',
    PACT_BROKER_LOG_STREAM: 'stdout',
    PACT_BROKER_LOG_CONFIGURATION_ON_STARTUP: 'false',
    PACT_BROKER_BASIC_AUTH_ENABLED: 'true',
    PACT_BROKER_BASIC_AUTH_USERNAME: account.username,
    PACT_BROKER_BASIC_AUTH_PASSWORD: account.password,
    PACT_BROKER_BASIC_AUTH_READ_ONLY_USERNAME: readOnly.username,
    PACT_BROKER_BASIC_AUTH_READ_ONLY_PASSWORD: readOnly.password,
    PACT_BROKER_PUBLIC_HEARTBEAT: 'true',
    PACT_BROKER_WEBHOOK_SCHEME_WHITELIST: 'http https',
    PACT_BROKER_WEBHOOK_HOST_WHITELIST: ['127.0.0.1', 'localhost', ...webhookHosts].join(' '),
    PACT_BROKER_WEBHOOK_RETRY_SCHEDULE: '1 1 1',
    PACT_BROKER_HIDE_PACTFLOW_MESSAGES: 'true',
    // The broker's pages load badges from another site. They are disabled, so a page needs no internet access.
    PACT_BROKER_BADGE_PROVIDER_MODE: 'proxy',
    PACT_BROKER_SHIELDS_IO_BASE_URL: 'http://127.0.0.1:1',
  };
}

/** Waits until the broker answers. @returns its address, with the port that the system has chosen */
async function answering(
  child: ChildProcess,
  port: number,
  log: () => string,
  withinMs: number,
): Promise<URL> {
  const until = performance.now() + withinMs;
  for (let leftMs = withinMs; leftMs > 0; leftMs = until - performance.now()) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(whyEnded(port, log()));
    const address = /Listening on (http:\S+)/.exec(log())?.[1];
    if (address !== undefined && (await beats(new URL(address), leftMs))) return new URL(address);
    await pause(50);
  }
  throw new Error(`the Pact Broker does not answer within ${withinMs} ms${endOf(log())}`);
}

async function beats(origin: URL, timeoutMs: number): Promise<boolean> {
  const path = '/diagnostic/status/heartbeat';
  const connection = { origin, timeoutMs, maxBodyBytes: 65_536 };
  return exchange(connection, { method: 'GET', path, headers: [] }, `GET ${path}`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

const whyEnded = (port: number, log: string): string =>
  log.includes('Address already in use')
    ? `port ${port} of 127.0.0.1 is in use: choose another one with --port`
    : `the Pact Broker ended before it answered${endOf(log)}`;

/** The last lines of a log, if there are any. */
const endOf = (log: string): string => {
  const lines = log.trim().split('\n').slice(-10).join('\n');
  return lines === '' ? '' : `; the end of its log:\n${lines}`;
};
