import { quotedWord } from './contract/http/curl.ts';
import type { Proxies } from './contract/http/proxy.ts';
import { readEnvFile } from './settings/env-file.ts';
import { credential, longCredential } from './settings/files.ts';
import { type MonitorSettings, monitorOf } from './settings/monitor.ts';
import { fromKubernetes, unknownNames } from './settings/names.ts';
import { type PactSettings, pactSettingsOf, withoutEmpty } from './settings/pact.ts';
import { type Provider, providerOf } from './settings/provider.ts';
import { proxiesFrom, withProxyNames } from './settings/proxy.ts';
import type { Setting } from './settings/setting.ts';
import { type Environment, SettingsError, SettingsReader } from './settings/settings-reader.ts';
import { settings, table } from './settings/table.ts';

export type { BrokerAccess, PactSettings } from './settings/pact.ts';
export type { Provider } from './settings/provider.ts';
export { SettingsError } from './settings/settings-reader.ts';
export { readTlsPair } from './settings/tls.ts';

export interface Settings {
  /** Undefined means the sandbox. */
  readonly provider: Provider | undefined;
  readonly timeoutMs: number;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
  /** Where the provider's operators can reach the user. */
  readonly contact?: string;
  /** Which providers are reached through a proxy; absent when no proxy is set. */
  readonly proxies?: Proxies;
  readonly strict: boolean;
  /** Most requests a second; without it there is no limit. */
  readonly requestsPerSecond?: number;
  /** How many requests are sent at once, where their order does not matter. */
  readonly concurrency: number;
  /** The longest pause that is accepted from a 429. */
  readonly maxRetryAfterMs: number;
  readonly monitor: MonitorSettings;
}

/**
 * The settings of this process: its environment, and the `.env` file for what is not set there.
 * @param file relative to the current folder; it need not exist
 * @throws SettingsError with a line for each mistake
 */
export function loadSettings({ file = '.env', env = process.env } = {}): Settings {
  const { values, wrong } = readEnvFile(file);
  return readSettings({ ...values, ...env }, wrong);
}

/**
 * The settings of the pact commands, from the same places: a monitor does not stop because of Pact's names.
 * @throws SettingsError with a line for each mistake
 */
export function loadPactSettings({ file = '.env', env = process.env } = {}): PactSettings {
  const { values, wrong } = readEnvFile(file);
  const given = withoutEmpty(withProxyNames({ ...values, ...env }));
  const reader = new SettingsReader(given);
  const settings = pactSettingsOf(reader, given);
  const lines = [...wrong, ...reader.lines(), ...unknownNames(given)];
  if (lines.length > 0) throw new SettingsError(lines);
  return settings;
}

/** What `loadSettings` reads: a file of targets names the variables of its credentials. */
export function loadEnvironment({ file = '.env', env = process.env } = {}): Environment {
  return { ...readEnvFile(file).values, ...env };
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
    .filter((setting) => reads[command].test(setting.name) && !isSecret(setting))
    .flatMap(({ name }) => {
      const text = env[name]?.trim() ?? '';
      // A query may hold a credential.
      const value = /^https?:.*\?/.test(text) ? `"$${name}"` : quotedWord(text);
      return text === '' ? [] : [`${name}=${value} `];
    })
    .join('');

const isSecret = ({ accepted }: Setting<unknown>): boolean =>
  accepted === credential || accepted === longCredential;

/**
 * The settings in an environment. Reads nothing else except the files that it names.
 * @param wrongBefore mistakes that were found before
 * @throws SettingsError with a line for each mistake
 */
export function readSettings(given: Environment, wrongBefore: readonly string[] = []): Settings {
  const env = Object.fromEntries(
    Object.entries(withProxyNames(given)).filter(([name, value]) => !fromKubernetes(name, value)),
  );
  const reader = new SettingsReader(env);
  const settings: Settings = {
    provider: providerOf(reader),
    ca: reader.optional(table.ca),
    contact: reader.optional(table.contact),
    requestsPerSecond: reader.optional(table.requestsPerSecond),
    timeoutMs: reader.defaulted(table.timeoutMs),
    proxies: proxiesFrom(reader),
    strict: reader.defaulted(table.strict),
    concurrency: reader.defaulted(table.concurrency),
    maxRetryAfterMs: reader.defaulted(table.maxRetryAfterMs),
    monitor: monitorOf(reader),
  };
  const wrong = [...wrongBefore, ...reader.lines(), ...unknownNames(env)];
  if (wrong.length > 0) throw new SettingsError(wrong);
  return settings;
}
