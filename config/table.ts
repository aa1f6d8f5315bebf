import * as v from 'valibot';
import type { Secret } from '../contract/secrets/secret.ts';
import type { Accepted } from './accepted.ts';
import * as accepted from './accepted.ts';
import { endpoints } from './endpoints.ts';
import * as files from './files.ts';
import { proxyAddress } from './proxy.ts';
import { recommended, versionSelectors } from './selectors.ts';

const { decimal, line, plainAddress, whole, wordsOf } = accepted;

/** Variables with their texts, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting as config/README.md and `.env.example` describe it. */
interface Description {
  readonly meaning: string;
  /** The default: a text that the setting accepts, or a description. */
  readonly unset: string;
  readonly words: string;
  /** Of a credential: how it is read from the file that the setting of the same name and `_FILE` names. */
  readonly file?: Accepted<Secret>;
}

/** @param unset describes what holds without it; by default nothing does */
const setting = <Value>(meaning: string, schema: Accepted<Value>, unset = 'none') => {
  const about: Description = { meaning, unset, words: wordsOf(schema) };
  return { ...v.optional(schema), about };
};

const defaulted = <Value>(meaning: string, schema: Accepted<Value>, unset: string) => {
  const about: Description = { meaning, unset, words: wordsOf(schema) };
  return { ...v.optional(schema, unset), about };
};

/** A credential, directly or in a file. @param least the number of its characters */
const secret = (meaning: string, unset = 'none', least = 1) => {
  const schema = files.credential(least);
  const file = files.credentialFile(least);
  const about: Description = { meaning, unset, words: wordsOf(schema), file };
  return { ...v.optional(schema), about };
};

/** The name of a file that is read when it is needed, and again when it has changed. */
const fileOf = (content: Accepted<unknown>) => v.pipe(v.string(), v.description(wordsOf(content)));

const timeout = {
  PUBLIC_API_TIMEOUT_MS: defaulted(
    'Time limit of one request, from the DNS lookup to the last byte',
    whole(' of milliseconds', 1, 600_000),
    '10000',
  ),
};

const proxies = {
  HTTPS_PROXY: setting(
    'HTTP proxy for providers and brokers with https, through CONNECT',
    proxyAddress,
  ),
  HTTP_PROXY: setting('HTTP proxy for providers and brokers with http', proxyAddress),
  NO_PROXY: setting(
    'Hosts that are reached without a proxy, with all names below them: names or addresses, each with a :port if need be; * for all. This machine is always reached without one',
    line,
  ),
};

/** Shorter tokens can be guessed. */
const shortestToken = 16;

/** The settings of the gate and the monitor, in the order of the documentation. */
export const mainTable = {
  PUBLIC_API_BASE_URL: setting('Address of the provider', accepted.baseAddress, 'the sandbox'),
  PUBLIC_API_KEY: secret('API key of an account at the provider', "the sandbox's"),
  PUBLIC_API_SECRET_KEY: secret('Secret key of the same account', "the sandbox's"),
  PUBLIC_API_ENDPOINTS: setting(
    'Protected endpoints that the probes call',
    endpoints,
    "the sandbox's",
  ),
  PUBLIC_API_CLOCK_URL: setting(
    "The provider's test clock over HTTP: GET returns the time, PUT stops the clock, DELETE releases it",
    plainAddress,
  ),
  PUBLIC_API_CLOCK_FILE: setting(
    "File that libfaketime reads for the provider's process, which runs in UTC",
    files.writableFile,
  ),
  ...timeout,
  PUBLIC_API_CA_FILE: setting("CA certificates that replace the system's", files.certificates),
  PUBLIC_API_CONTACT: setting(
    "Address or mail address that the provider's operators may write to, sent in User-Agent",
    accepted.contact,
  ),
  PUBLIC_API_STRICT: defaulted(
    'Whether an unverified clause ends the gate with exit code 2',
    accepted.trueOrFalse,
    'false',
  ),
  PUBLIC_API_RATE: setting(
    'Maximum number of requests per second, for fragile providers',
    decimal(' of requests', 0.001, 100_000),
    'no limit',
  ),
  PUBLIC_API_CONCURRENCY: defaulted(
    'Number of concurrent requests of `npm run gate` and `npm run probe` where their order does not matter',
    whole('', 1, 64),
    '12',
  ),
  PUBLIC_API_PATIENCE_MS: defaulted(
    'Longest pause that the gate accepts from an answer 429',
    whole(' of milliseconds', 0, 86_400_000),
    '60000',
  ),
  ...proxies,
  MONITOR_HOST: defaulted(
    'Host name or address on which the monitor listens',
    accepted.host,
    '127.0.0.1',
  ),
  MONITOR_PORT: defaulted(
    'Port on which the monitor listens; 0 selects any free port',
    whole('', 0, 65_535),
    '9797',
  ),
  MONITOR_TLS_CERT: setting(
    "File of the monitor's own certificate and those above it: its port then speaks HTTPS",
    fileOf(files.certificates),
  ),
  MONITOR_TLS_KEY: setting('File of the private key of that certificate', fileOf(files.privateKey)),
  MONITOR_PERIOD_SECONDS: defaulted(
    'Period of the quick probes',
    whole(' of seconds', 1, 86_400),
    '60',
  ),
  MONITOR_CONFIG: setting(
    'YAML file of targets, instead of PUBLIC_API_BASE_URL; monitor.example.yaml shows every option',
    files.targetsFile,
  ),
  MONITOR_SHARD: defaulted(
    'Shard of the targets in MONITOR_CONFIG that this monitor watches, where several monitors read the same file',
    accepted.shard,
    '1/1',
  ),
  MONITOR_STATE: defaulted(
    'SQLite file in which the monitor stores its state',
    files.stateFile,
    'state/monitor.sqlite',
  ),
  MONITOR_AUTH_TOKEN: secret(
    'Bearer token required on every route except /-/healthy and /-/ready',
    'none',
    shortestToken,
  ),
};

/** The settings of the pact commands. */
export const pactTable = {
  ...timeout,
  ...proxies,
  PACT_BROKER_BASE_URL: setting(
    'Address of the Pact Broker; this and the following settings are read by the pact commands only',
    accepted.brokerAddress,
  ),
  PACT_BROKER_TOKEN: secret('Token for the Pact Broker, or use a user name and a password'),
  PACT_BROKER_USERNAME: setting('User name at the Pact Broker', line),
  PACT_BROKER_PASSWORD: secret('Password of that user'),
  PACT_URL: setting(
    'The one pact to verify, as a webhook of the Pact Broker names it',
    plainAddress,
  ),
  PACT_CONSUMER_VERSION_SELECTORS: defaulted(
    'Consumer versions whose pacts are verified, as the Pact Broker selects them',
    versionSelectors,
    JSON.stringify(recommended),
  ),
  PACT_PROVIDER_NAME: defaulted(
    'Name of the provider in pacts and at the Pact Broker',
    line,
    'public-api',
  ),
  PACT_STATES_URL: setting(
    "Address of the provider team's own state handler, for provider states that this project does not know",
    plainAddress,
  ),
  PACT_DUMMY_TOKENS: defaulted(
    'Whether a request that is refused for a Bearer token that no state gave is sent again with a valid one',
    accepted.dummyTokens,
    'replace',
  ),
  GIT_COMMIT: setting(
    'Version of the provider at the Pact Broker',
    line,
    'the commit that is built or checked out',
  ),
  GIT_BRANCH: setting('Branch of that version', line, 'the branch of that commit'),
};

type Table = typeof mainTable | typeof pactTable;

/** How the credentials of a table are read from files, by the names of the settings that name these. */
export const filesOf = (table: Table): Record<string, Accepted<Secret>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { about }]) =>
      about.file === undefined ? [] : [[`${name}_FILE`, about.file]],
    ),
  );

const inFile = 'File to read it from instead, such as a Docker or Kubernetes secret';

export const settings = Object.entries({ ...mainTable, ...pactTable }).flatMap(
  ([name, { about }]) => {
    const { meaning, unset, words, file } = about;
    const row = { name, meaning, unset, words, isCredential: file !== undefined };
    if (file === undefined) return [row];
    const fileRow = { meaning: inFile, unset: 'none', words: wordsOf(file), isCredential: false };
    return [row, { name: `${name}_FILE`, ...fileRow }];
  },
);
