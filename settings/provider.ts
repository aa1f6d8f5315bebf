import type { Endpoint } from '../contract/http/request.ts';
import type { Account } from '../contract/secrets/secret.ts';
import { holdsKey } from './endpoints.ts';
import type { SettingsReader } from './settings-reader.ts';
import { table } from './table.ts';

/** A configured provider. It replaces the sandbox. */
export interface Provider {
  /** http or https, without credentials, query and fragment. Its path is the prefix of all request paths. */
  readonly baseUrl: URL;
  readonly account: Account;
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  /** The test clock of the provider; undefined if it has none. */
  readonly clock: { readonly url: URL } | { readonly file: string } | undefined;
}

/** The provider; undefined if none is configured, or if one of its settings is wrong. */
export function providerOf(reader: SettingsReader): Provider | undefined {
  const apiKey = reader.credential(table.apiKey, table.apiKeyFile);
  const secretKey = reader.credential(table.secretKey, table.secretKeyFile);
  const baseUrl = reader.optional(table.baseUrl);
  const endpoints = reader.optional(table.endpoints);
  const clock = clockOf(reader);
  noteMissing(reader);
  if (!baseUrl || !apiKey || !secretKey || !endpoints) return undefined;
  const account = { apiKey, secretKey };
  if (endpoints.some((endpoint) => holdsKey(endpoint, account)))
    reader.wrong(`${table.endpoints.name} holds a key of the account, and would be shown: omit it`);
  return { baseUrl, account, endpoints, clock };
}

function clockOf(reader: SettingsReader): Provider['clock'] {
  const url = reader.optional(table.clockUrl);
  const file = reader.optional(table.clockFile);
  reader.exclusive(table.clockUrl, table.clockFile);
  if (url !== undefined) return { url };
  return file === undefined ? undefined : { file };
}

/**
 * Records missing settings, and settings without effect. A provider needs an address, an account and an endpoint.
 * Without an address the other settings have no effect, except for an account that a targets file may use.
 */
function noteMissing(reader: SettingsReader): void {
  const { baseUrl, apiKey, apiKeyFile, secretKey, secretKeyFile } = table;
  const { endpoints, clockUrl, clockFile } = table;
  if (reader.isSet(baseUrl)) {
    const credentials = [
      [apiKey, apiKeyFile],
      [secretKey, secretKeyFile],
    ] as const;
    for (const [key, inFile] of credentials)
      if (!reader.hasCredential(key, inFile))
        reader.wrong(`${key.name} is missing: ${baseUrl.name} needs it, or ${inFile.name}`);
    if (!reader.isSet(endpoints))
      reader.wrong(`${endpoints.name} is missing: ${baseUrl.name} needs it`);
    return;
  }
  const account = reader.isSet(table.monitorConfig)
    ? []
    : [apiKey, apiKeyFile, secretKey, secretKeyFile];
  const idle = [...account, endpoints, clockUrl, clockFile];
  reader.idle(idle, baseUrl, 'set it, or use the sandbox without them');
}
