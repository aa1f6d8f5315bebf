import { createPrivateKey, X509Certificate } from 'node:crypto';
import { quotedWord } from '../contract/http/curl.ts';
import type { Endpoint } from '../contract/http/request.ts';
import { holdsKey } from './endpoints.ts';
import { readEnvFile } from './env-file.ts';
import { certificates, privateKey } from './files.ts';
import { SettingsError } from './mistakes.ts';
import { type PactSettings, pactSettingsOf } from './pact.ts';
import { proxiesFrom } from './proxy.ts';
import { read } from './read.ts';
import { type Environment, mainTable, pactTable, settings, type Values } from './table.ts';

export { SettingsError } from './mistakes.ts';
export type { BrokerAccess, PactSettings } from './pact.ts';

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
 * passes an empty text for a secret that is not set, but an empty address would select the sandbox or no broker.
 * @throws SettingsError with a line for each mistake
 */
export function loadPactSettings({ file = '.env', env = process.env } = {}): PactSettings {
  const { values, wrong } = readEnvFile(file);
  const all = { ...values, ...env };
  const empty = ['PUBLIC_API_BASE_URL', 'PACT_BROKER_BASE_URL']
    .filter((name) => all[name] === '')
    .map((name) => `${name} is an empty text: set it to the address, or unset it`);
  const set = Object.entries(all).filter(([, text]) => text !== '');
  const given = Object.fromEntries(set);
  return pactSettingsOf(read(pactTable, given, [...wrong, ...empty]), given);
}

/**
 * The settings in an environment. Reads nothing else except the files that it names.
 * @param wrong mistakes that were found before
 * @throws SettingsError with a line for each mistake
 */
export function readSettings(env: Environment, wrong: readonly string[] = []) {
  const { provider, timeout, requests, proxies, monitor } = read(mainTable, env, wrong);
  return {
    /** Undefined means the sandbox. */
    provider: providerOf(provider),
    ...timeout,
    ...requests,
    strict: requests.strict === 'true',
    proxies: proxiesFrom(proxies),
    monitor: monitorOf(monitor),
  };
}

/** A configured provider, which replaces the sandbox; undefined if there is none. @throws SettingsError */
function providerOf(values: Values<typeof mainTable>['provider']) {
  const { baseUrl, apiKey, secretKey, endpoints: [first, ...others] = [] } = values;
  const { clockUrl: url, clockFile: file } = values;
  if (!baseUrl || !apiKey || !secretKey || !first) return undefined;
  const account = { apiKey, secretKey };
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
function monitorOf(values: Values<typeof mainTable>['monitor']) {
  const { tlsCert: cert, tlsKey: key, state, ...others } = values;
  if (others.shard.of > 1 && others.config === undefined)
    throw new SettingsError([
      'MONITOR_CONFIG is missing, but MONITOR_SHARD is set: only the targets of a file can be sharded',
    ]);
  const tls = cert === undefined || key === undefined ? undefined : { cert, key };
  if (tls !== undefined) readTlsPair(tls);
  return {
    ...others,
    /** The files of the monitor's certificate. Without them it serves plain HTTP. */
    tls,
    /** The state file; undefined means that no state is stored on disk. */
    state: state === 'none' ? undefined : state,
  };
}

const tlsTable = {
  tls: {
    cert: { name: 'MONITOR_TLS_CERT', accepted: certificates },
    key: { name: 'MONITOR_TLS_KEY', accepted: privateKey },
  },
};

/**
 * Reads a certificate with its chain and its key (PEM), for node:tls. Their files may change while the monitor runs,
 * so both are checked each time.
 * @returns with `expiresAt` in milliseconds since 1970
 * @throws SettingsError when they cannot be used
 */
export function readTlsPair(files: { readonly cert: string; readonly key: string }) {
  const env = { MONITOR_TLS_CERT: files.cert, MONITOR_TLS_KEY: files.key };
  const { cert, key } = read(tlsTable, env).tls;
  const leaf = new X509Certificate(cert);
  const expiresAt = Date.parse(leaf.validTo);
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw new SettingsError([
      'MONITOR_TLS_KEY names the key of another certificate than that in MONITOR_TLS_CERT',
    ]);
  if (expiresAt <= Date.now())
    throw new SettingsError([
      `MONITOR_TLS_CERT names a certificate that expired at ${new Date(expiresAt).toISOString()}`,
    ]);
  return { cert, key: Buffer.from(key), expiresAt };
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
