import { fitsHeader } from '../contract/http/http-request.ts';
import type { Proxies } from '../contract/http/proxy.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import { proxiesFrom } from './proxy.ts';
import type { Selector } from './selectors.ts';
import type { Setting } from './setting.ts';
import type { Environment, SettingsReader } from './settings-reader.ts';
import { table } from './table.ts';

export interface BrokerAccess {
  /** http or https, without credentials, query and fragment. */
  readonly baseUrl: URL;
  readonly credentials?: BrokerCredentials;
  /** The time limit of one request. */
  readonly timeoutMs: number;
  readonly proxies?: Proxies;
}

type BrokerCredentials =
  | { readonly token: Secret }
  | { readonly username: string; readonly password: Secret };

export interface PactSettings {
  /** Undefined if no broker is configured. */
  readonly broker: BrokerAccess | undefined;
  /** The selectors of the consumer versions to verify. */
  readonly selectors: readonly Selector[];
  /** The provider's name in pacts and in the broker. */
  readonly providerName: string;
  /** The provider team's own state handler. */
  readonly statesUrl?: URL;
  /** The one pact to verify, on the configured broker. */
  readonly pactUrl?: URL;
  /** The version and the branch, if they are not those of the checkout. */
  readonly version?: string;
  readonly branch?: string;
}

/** Variables of Pact's own programs that would silently leave interactions out. */
const filters = ['PACT_DESCRIPTION', 'PACT_PROVIDER_NO_STATE', 'PACT_PROVIDER_STATE'];

/** Removes variables with an empty text. A CI passes an empty text for a secret that is not set. */
export const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/** Reads the settings of the pact commands, and records wrong combinations. @param env without empty texts */
export function pactSettingsOf(reader: SettingsReader, env: Environment): PactSettings {
  for (const name of filters)
    if (env[name] !== undefined)
      reader.wrong(`${name} is set, which leaves interactions out: unset it`);
  const baseUrl = reader.optional(table.brokerUrl);
  const credentials = credentialsOf(reader);
  const timeoutMs = reader.defaulted(table.timeoutMs);
  const settings = {
    providerName: reader.defaulted(table.providerName),
    selectors: reader.defaulted(table.selectors),
    pactUrl: reader.optional(table.pactUrl),
    statesUrl: reader.optional(table.statesUrl),
    version: reader.optional(table.commit),
    branch: reader.optional(table.branch)?.replace(/^origin\//, ''),
  };
  const proxies = proxiesFrom(reader);
  noteIdle(reader, baseUrl, settings.pactUrl);
  return { ...settings, broker: baseUrl && { baseUrl, timeoutMs, credentials, proxies } };
}

/** A token, or a user name and a password, or nothing. */
function credentialsOf(reader: SettingsReader): BrokerCredentials | undefined {
  const { brokerToken, brokerTokenFile, brokerUsername } = table;
  const { brokerPassword, brokerPasswordFile } = table;
  const token = reader.credential(brokerToken, brokerTokenFile);
  const username = reader.optional(brokerUsername);
  const password = reader.credential(brokerPassword, brokerPasswordFile);
  const hasToken = reader.hasCredential(brokerToken, brokerTokenFile);
  const hasPassword = reader.hasCredential(brokerPassword, brokerPasswordFile);
  const hasUsername = reader.isSet(brokerUsername);
  if (hasToken && (hasUsername || hasPassword))
    reader.wrong(
      `${brokerToken.name} and ${hasPassword ? brokerPassword.name : brokerUsername.name} are both set: keep one of the two ways`,
    );
  else if (hasUsername !== hasPassword)
    reader.wrong(
      hasUsername
        ? `${brokerPassword.name} is missing: ${brokerUsername.name} needs it, or ${brokerPasswordFile.name}`
        : `${brokerUsername.name} is missing: ${brokerPassword.name} needs it`,
    );
  if (token?.is((text) => !fitsHeader(text)))
    reader.wrong(
      `${(reader.isSet(brokerTokenFile) ? brokerTokenFile : brokerToken).name} holds a line break or a control character, perhaps at its end, which no header can hold: omit it`,
    );
  if (token !== undefined) return { token };
  return username !== undefined && password !== undefined ? { username, password } : undefined;
}

/** Records settings without effect, and a pact's address outside the broker: credentials go only to the broker. */
function noteIdle(
  reader: SettingsReader,
  baseUrl: URL | undefined,
  pactUrl: URL | undefined,
): void {
  if (!reader.isSet(table.brokerUrl)) reader.idle(needing, table.brokerUrl, 'set it too');
  else if (baseUrl !== undefined && pactUrl !== undefined && !isBelow(baseUrl, pactUrl))
    reader.wrong(
      `${table.pactUrl.name} is not below ${table.brokerUrl.name}, and credentials are sent nowhere else`,
    );
}

/** Settings that have no effect without a broker. */
const needing: readonly Setting<unknown>[] = [
  table.brokerToken,
  table.brokerTokenFile,
  table.brokerUsername,
  table.brokerPassword,
  table.brokerPasswordFile,
  table.pactUrl,
];

const isBelow = (base: URL, url: URL): boolean =>
  url.origin === base.origin && url.pathname.startsWith(base.pathname.replace(/\/?$/, '/'));
