import type { Proxies } from './contract/http/proxy.ts';
import type { Endpoint } from './contract/http/request.ts';
import { type Account, Secret } from './contract/secrets/secret.ts';
import { readEnvFile } from './settings/env-file.ts';
import { fromKubernetes, unknownNames } from './settings/names.ts';
import { type PactSettings, pactSettingsOf, withoutEmpty } from './settings/pact.ts';
import { proxiesFrom, withProxyNames } from './settings/proxy.ts';
import { type Environment, Reading } from './settings/reading.ts';
import { assignments } from './settings/repeating.ts';
import { SettingsError } from './settings/settings-error.ts';
import type { Shard } from './settings/shard.ts';
import { table } from './settings/table.ts';
import { type TlsFiles, tlsFilesOf } from './settings/tls.ts';

export type { BrokerAccess, PactSettings } from './settings/pact.ts';
export { shellWord } from './settings/repeating.ts';
export { SettingsError } from './settings/settings-error.ts';
export { readTlsPair } from './settings/tls.ts';

/** A configured provider, instead of the sandbox. */
export interface Provider {
  /** http or https, without credentials, query and fragment; its path is a prefix of every other. */
  readonly baseUrl: URL;
  readonly account: Account;
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  /** How its time is simulated, where it is. */
  readonly clock: { readonly url: URL } | { readonly file: string } | undefined;
}

/** All settings, read and found good. */
export interface Settings {
  /** Undefined means the sandbox. */
  readonly provider: Provider | undefined;
  readonly timeoutMs: number;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
  /** Where the provider's operators may write to. */
  readonly contact?: string;
  /** Which providers are reached through a proxy; absent when no proxy is set. */
  readonly proxies?: Proxies;
  readonly strict: boolean;
  /** Most requests a second; absent is without a bound. */
  readonly requestsPerSecond?: number;
  /** How many probes run at once. */
  readonly concurrency: number;
  /** The longest that a 429 is waited out. */
  readonly maxRetryAfterMs: number;
  readonly monitor: {
    readonly host: string;
    /** 0 takes any port that is free. */
    readonly port: number;
    /** Of its own certificate; without them it speaks plain HTTP. */
    readonly tls?: TlsFiles;
    readonly periodSeconds: number;
    /** The file that it keeps what it knows in; undefined keeps nothing on disk. */
    readonly state: string | undefined;
    /** The address of the database that it shares with other monitors instead. */
    readonly database?: Secret;
    /** Under which `host:port` these, people and Prometheus reach it, where it is not where it listens. */
    readonly advertise?: string;
    /** What every route but `/-/healthy` and `/-/ready` requires. */
    readonly authToken?: Secret;
    /** What does not want it either. */
    readonly publicRoutes?: 'badge';
    /** The YAML file that names the targets, which then are all there are. */
    readonly config?: string;
    /** Which of them this monitor watches: 1 of 1 is all. */
    readonly shard: Shard;
    /** How much `/metrics` exports of a target whose file does not say so. */
    readonly metrics: 'lean' | 'full';
  };
}

/**
 * The settings in an environment. Reads nothing else but the files that it names.
 * @throws SettingsError which tells of all that is wrong
 */
export function readSettings(env: Environment): Settings {
  return read(env, []);
}

/**
 * The settings of this process: its environment, and the `.env` file for what is not set there.
 * @param file relative to the current folder; it need not exist
 * @throws SettingsError which tells of all that is wrong
 */
export function loadSettings({ file = '.env', env = process.env } = {}): Settings {
  const { values, wrong } = readEnvFile(file);
  return read({ ...values, ...env }, wrong);
}

/**
 * The settings of the pact commands alone, from the same places: a monitor does not stop because of Pact's names.
 * @throws SettingsError which tells of all that is wrong
 */
export function loadPactSettings({ file = '.env', env = process.env } = {}): PactSettings {
  const { values, wrong } = readEnvFile(file);
  const given = withoutEmpty({ ...values, ...env });
  const from = new Reading(given);
  const settings = pactSettingsOf(from, given);
  const lines = [...wrong, ...from.lines(), ...unknownNames(given)];
  if (lines.length > 0) throw new SettingsError(lines);
  return settings;
}

/** What `loadSettings` reads: names that a file of targets gives its credentials are looked up in it. */
export function loadEnvironment({ file = '.env', env = process.env } = {}): Environment {
  return { ...readEnvFile(file).values, ...env };
}

/** The commands that print how to repeat what they found, and the settings that they read. */
const reads = {
  gate: /^PUBLIC_API_/,
  probe: /^(PUBLIC_API_|MONITOR_(CONFIG|SHARD)$)/,
  'pact:verify': /^(PUBLIC_API_|PACT_|GIT_BRANCH$)/,
};

/** What another shell needs before a command so that it does the same, with a blank behind; no credential. */
export const environmentOf = (command: keyof typeof reads, { env = process.env } = {}): string =>
  assignments(reads[command], env);

function read(given: Environment, wrongBefore: readonly string[]): Settings {
  const env = Object.fromEntries(
    Object.entries(withProxyNames(given)).filter(([name, value]) => !fromKubernetes(name, value)),
  );
  const from = new Reading(env);
  const provider = providerOf(from);
  const ca = from.optional(table.ca);
  const contact = from.optional(table.contact);
  const requestsPerSecond = from.optional(table.requestsPerSecond);
  const settings: Settings = {
    provider,
    timeoutMs: from.defaulted(table.timeoutMs),
    ca,
    contact,
    proxies: proxiesFrom(from),
    strict: from.defaulted(table.strict),
    requestsPerSecond,
    concurrency: from.defaulted(table.concurrency),
    maxRetryAfterMs: from.defaulted(table.maxRetryAfterMs),
    monitor: monitorOf(from),
  };
  const wrong = [...wrongBefore, ...from.lines(), ...unknownNames(env)];
  if (wrong.length > 0) throw new SettingsError(wrong);
  return settings;
}

/** The provider; undefined when none is set, or when anything about it is wrong. */
function providerOf(from: Reading): Provider | undefined {
  const apiKey = from.credential(table.apiKey, table.apiKeyFile);
  const secretKey = from.credential(table.secretKey, table.secretKeyFile);
  const baseUrl = from.optional(table.baseUrl);
  const endpoints = from.optional(table.endpoints);
  const clock = clockOf(from);
  noteMissing(from);
  if (!baseUrl || !apiKey || !secretKey || !endpoints) return undefined;
  return { baseUrl, account: { apiKey, secretKey }, endpoints, clock };
}

function monitorOf(from: Reading): Settings['monitor'] {
  const authToken = from.credential(table.monitorAuthToken, table.monitorAuthTokenFile);
  const config = from.optional(table.monitorConfig);
  const { state, database } = stateOf(from);
  const advertise = from.optional(table.monitorAdvertise);
  const shard = from.defaulted(table.monitorShard);
  if (from.isSet(table.monitorConfig) && from.isSet(table.baseUrl))
    from.wrong(
      `${table.baseUrl.name} and ${table.monitorConfig.name} are both set: keep one of them`,
    );
  if (shard.of > 1 && !from.isSet(table.monitorConfig))
    from.wrong(
      `${table.monitorConfig.name} is missing, but ${table.monitorShard.name} is set: only the targets of a file can be sharded`,
    );
  return {
    host: from.defaulted(table.monitorHost),
    port: from.defaulted(table.monitorPort),
    tls: tlsFilesOf(from, table.monitorTlsCert, table.monitorTlsKey),
    periodSeconds: from.defaulted(table.monitorPeriodSeconds),
    state: state === 'none' ? undefined : state,
    database,
    advertise,
    authToken,
    publicRoutes: from.optional(table.monitorPublic),
    config,
    shard,
    metrics: from.defaulted(table.monitorMetrics),
  };
}

/** A file, or the database of a fleet, which needs targets that its monitors can share. */
function stateOf(from: Reading): { readonly state?: string; readonly database?: Secret } {
  const { monitorState, monitorStateFile, monitorShard, monitorConfig, baseUrl } = table;
  const inFile = from.optional(monitorStateFile);
  if (from.isSet(monitorState) && from.isSet(monitorStateFile))
    from.wrong(`${monitorState.name} and ${monitorStateFile.name} are both set: keep one of them`);
  const found = inFile ?? from.defaulted(monitorState);
  if (!(found instanceof Secret)) return { state: found };
  if (from.isSet(monitorShard))
    from.wrong(
      `${monitorShard.name} is set, but the monitors of a database share the targets by themselves: unset it`,
    );
  if (!from.isSet(monitorConfig) && !from.isSet(baseUrl))
    from.wrong(
      `${monitorConfig.name} is missing: a database needs targets, which the sandbox in each monitor is not`,
    );
  return { database: found };
}

function clockOf(from: Reading): Provider['clock'] {
  const url = from.optional(table.clockUrl);
  const file = from.optional(table.clockFile);
  if (from.isSet(table.clockUrl) && from.isSet(table.clockFile))
    from.wrong(`${table.clockUrl.name} and ${table.clockFile.name} are both set: keep one of them`);
  if (url !== undefined) return { url };
  return file === undefined ? undefined : { file };
}

/**
 * A provider needs an address, an account and an endpoint; without an address none of the others means anything, but
 * for an account that a file of targets may name.
 */
function noteMissing(from: Reading): void {
  const { baseUrl, apiKey, apiKeyFile, secretKey, secretKeyFile } = table;
  const { endpoints, clockUrl, clockFile } = table;
  const needed = [
    { set: from.hasCredential(apiKey, apiKeyFile), name: apiKey.name, or: apiKeyFile.name },
    {
      set: from.hasCredential(secretKey, secretKeyFile),
      name: secretKey.name,
      or: secretKeyFile.name,
    },
    { set: from.isSet(endpoints), name: endpoints.name },
  ];
  if (from.isSet(baseUrl)) {
    for (const { set, name, or } of needed)
      if (!set)
        from.wrong(
          `${name} is missing: ${baseUrl.name} needs it${or === undefined ? '' : `, or ${or}`}`,
        );
    return;
  }
  const account = [apiKey, apiKeyFile, secretKey, secretKeyFile];
  const idle = [...(from.isSet(table.monitorConfig) ? [] : account), endpoints, clockUrl, clockFile]
    .filter((setting) => from.isSet(setting))
    .map(({ name }) => name);
  if (idle.length > 0)
    from.wrong(
      `${baseUrl.name} is missing, but ${idle.join(', ')} ${idle.length > 1 ? 'are' : 'is'} set: set it, or use the sandbox without them`,
    );
}
