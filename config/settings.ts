import { quotedWord } from '../contract/http/curl.ts';
import type { Endpoint } from '../contract/http/request.ts';
import type { Account } from '../contract/secrets/secret.ts';
import { wrongCombinations } from './combinations.ts';
import { holdsKey } from './endpoints.ts';
import { readEnvFile } from './env-file.ts';
import { fromKubernetes, unknownNames } from './names.ts';
import { type PactSettings, pactSettingsOf } from './pact.ts';
import { parse, SettingsError, type Values } from './parse.ts';
import { proxiesFrom } from './proxy.ts';
import { type Environment, filesOf, mainTable, pactTable, settings } from './table.ts';
import { readTlsPair } from './tls.ts';

export type { BrokerAccess, PactSettings } from './pact.ts';
export { SettingsError } from './parse.ts';
export { readTlsPair } from './tls.ts';

export type Settings = ReturnType<typeof readSettings>;

/**
 * The settings of this process: its environment, and the `.env` file for what is not set there.
 * @param file relative to the current folder; it need not exist
 * @throws SettingsError with a line for each mistake
 */
export function loadSettings({ file = '.env', env = process.env } = {}): Settings {
  const { values, wrong } = readEnvFile(file);
  return readSettings({ ...values, ...env }, wrong);
}

/** What `loadSettings` reads: a file of targets names the variables of its credentials. */
export function loadEnvironment({ file = '.env', env = process.env } = {}): Environment {
  return { ...readEnvFile(file).values, ...env };
}

/**
 * The settings of the pact commands, from the same places: a monitor does not stop because of Pact's names. A CI
 * passes an empty text for a secret that is not set.
 * @throws SettingsError with a line for each mistake
 */
export function loadPactSettings({ file = '.env', env = process.env } = {}): PactSettings {
  const { values, wrong } = readEnvFile(file);
  const set = Object.entries({ ...values, ...env }).filter(([, text]) => text !== '');
  const given = Object.fromEntries(set);
  return pactSettingsOf(valuesIn(given, pactTable, wrong), given);
}

/**
 * The settings in an environment. Reads nothing else except the files that it names.
 * @param wrong mistakes that were found before
 * @throws SettingsError with a line for each mistake
 */
export function readSettings(env: Environment, wrong: readonly string[] = []) {
  const values = valuesIn(env, mainTable, wrong);
  return {
    /** Undefined means the sandbox. */
    provider: providerOf(values),
    timeoutMs: values.PUBLIC_API_TIMEOUT_MS,
    /** Certificates (PEM) trusted instead of the system's. */
    ca: values.PUBLIC_API_CA_FILE,
    /** Where the provider's operators can reach the user. */
    contact: values.PUBLIC_API_CONTACT,
    proxies: proxiesFrom(values),
    strict: values.PUBLIC_API_STRICT,
    /** Most requests a second; without it there is no limit. */
    requestsPerSecond: values.PUBLIC_API_RATE,
    /** How many requests are sent at once, where their order does not matter. */
    concurrency: values.PUBLIC_API_CONCURRENCY,
    /** The longest pause that is accepted from a 429. */
    maxRetryAfterMs: values.PUBLIC_API_PATIENCE_MS,
    monitor: monitorOf(values),
  };
}

/** The values of a table's settings. @throws SettingsError */
function valuesIn<Table extends typeof mainTable | typeof pactTable>(
  env: Environment,
  table: Table,
  before: readonly string[],
): Values<Table> {
  const files = filesOf(table);
  const texts: Record<string, string> = {};
  for (const { name, isCredential } of settings) {
    // Proxy variables may be in lower case. Then they override those in upper case, as in curl and Node.
    const given = (name.endsWith('_PROXY') ? env[name.toLowerCase()] : undefined) ?? env[name];
    const text = isCredential ? given : given?.trim() || undefined;
    if (!(name in table || name in files) || fromKubernetes(name, text)) continue;
    if (text !== undefined) texts[name] = text;
  }
  const after = [...wrongCombinations(texts), ...unknownNames(env)];
  return parse(table, texts, files, { before, after });
}

/** A configured provider, which replaces the sandbox; undefined if there is none. @throws SettingsError */
function providerOf(values: Values<typeof mainTable>) {
  const { PUBLIC_API_BASE_URL: baseUrl, PUBLIC_API_ENDPOINTS: given = [] } = values;
  const { PUBLIC_API_KEY: apiKey, PUBLIC_API_SECRET_KEY: secretKey } = values;
  const { PUBLIC_API_CLOCK_URL: url, PUBLIC_API_CLOCK_FILE: file } = values;
  const [first, ...others] = given;
  if (!baseUrl || !apiKey || !secretKey || !first) return undefined;
  const account: Account = { apiKey, secretKey };
  const endpoints: readonly [Endpoint, ...Endpoint[]] = [first, ...others];
  if (endpoints.some((endpoint) => holdsKey(endpoint, account)))
    throw new SettingsError([
      'PUBLIC_API_ENDPOINTS holds a key of the account, and would be shown: omit it',
    ]);
  /** The test clock of the provider; undefined if it has none. */
  const clock = url === undefined ? undefined : { url };
  return { baseUrl, account, endpoints, clock: file === undefined ? clock : { file } };
}

/** @throws SettingsError */
function monitorOf(values: Values<typeof mainTable>) {
  const { MONITOR_CONFIG: config, MONITOR_SHARD: shard, MONITOR_STATE: state } = values;
  const { MONITOR_TLS_CERT: cert, MONITOR_TLS_KEY: key } = values;
  if (shard.of > 1 && config === undefined)
    throw new SettingsError([
      'MONITOR_CONFIG is missing, but MONITOR_SHARD is set: only the targets of a file can be sharded',
    ]);
  const tls = cert === undefined || key === undefined ? undefined : { cert, key };
  if (tls !== undefined) readTlsPair(tls);
  return {
    host: values.MONITOR_HOST,
    /** 0 selects any free port. */
    port: values.MONITOR_PORT,
    /** The files of the monitor's certificate. Without them it serves plain HTTP. */
    tls,
    periodSeconds: values.MONITOR_PERIOD_SECONDS,
    /** The state file; undefined means that no state is stored on disk. */
    state: state === 'none' ? undefined : state,
    /** The bearer token that every route except `/-/healthy` and `/-/ready` requires. */
    authToken: values.MONITOR_AUTH_TOKEN,
    /** The YAML file of all targets. */
    config,
    /** The share of the targets that this monitor watches: 1 of 1 is all. */
    shard,
  };
}

/** The commands that print how to repeat what they found, and the settings that they read. */
const reads = {
  gate: /^PUBLIC_API_/,
  probe: /^(PUBLIC_API_|MONITOR_(CONFIG|SHARD)$)/,
  'pact:verify': /^(PUBLIC_API_|PACT_|GIT_BRANCH$)/,
};

/**
 * The variable assignments that another shell needs before a command to get the same result. They are this process's
 * settings in the environment, in the syntax of a POSIX shell, each followed by a blank. Settings in `.env` are not
 * included. Credentials are omitted; the command stops without them and names them.
 */
export const environmentOf = (command: keyof typeof reads, { env = process.env } = {}): string =>
  settings
    .filter(({ name, isCredential }) => reads[command].test(name) && !isCredential)
    .flatMap(({ name }) => {
      const text = env[name]?.trim() ?? '';
      // A query may hold a credential.
      const value = /^https?:.*\?/.test(text) ? `"$${name}"` : quotedWord(text);
      return text === '' ? [] : [`${name}=${value} `];
    })
    .join('');
