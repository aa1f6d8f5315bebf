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
  const needed = [
    { set: reader.hasCredential(apiKey, apiKeyFile), name: apiKey.name, or: apiKeyFile.name },
    {
      set: reader.hasCredential(secretKey, secretKeyFile),
      name: secretKey.name,
      or: secretKeyFile.name,
    },
    { set: reader.isSet(endpoints), name: endpoints.name },
  ];
  if (reader.isSet(baseUrl)) {
    for (const { set, name, or } of needed)
      if (!set)
        reader.wrong(
          `${name} is missing: ${baseUrl.name} needs it${or === undefined ? '' : `, or ${or}`}`,
        );
    return;
  }
  const account = [apiKey, apiKeyFile, secretKey, secretKeyFile];
  const idle = [
    ...(reader.isSet(table.monitorConfig) ? [] : account),
    endpoints,
    clockUrl,
    clockFile,
  ]
    .filter((setting) => reader.isSet(setting))
    .map(({ name }) => name);
  if (idle.length > 0)
    reader.wrong(
      `${baseUrl.name} is missing, but ${idle.join(', ')} ${idle.length > 1 ? 'are' : 'is'} set: set it, or use the sandbox without them`,
    );
}
