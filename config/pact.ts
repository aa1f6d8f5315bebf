import type { Connection } from '../contract/http/connections.ts';
import { fitsHeader } from '../contract/http/http-request.ts';
import type { Proxies } from '../contract/http/proxy.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import { SettingsError } from './mistakes.ts';
import { proxiesFrom } from './proxy.ts';
import type { Environment, pactTable, Values } from './table.ts';

export interface BrokerAccess {
  /** http or https, without credentials, query and fragment. */
  readonly baseUrl: URL;
  readonly credentials?: BrokerCredentials | undefined;
  /** The time limit of one request. */
  readonly timeoutMs: number;
  readonly proxies?: Proxies | undefined;
  /** Of every request. */
  readonly headers?: Connection['headers'] | undefined;
}

type BrokerCredentials =
  | { readonly token: Secret }
  | { readonly username: string; readonly password: Secret };

export type PactSettings = ReturnType<typeof pactSettingsOf>;

/** Variables of Pact's own programs that would silently leave interactions out. */
const filters = ['PACT_DESCRIPTION', 'PACT_PROVIDER_NO_STATE', 'PACT_PROVIDER_STATE'];

/** @param env without empty texts @throws SettingsError */
export function pactSettingsOf(
  { broker: { baseUrl, headers, ...given }, pacts, timeout, proxies }: Values<typeof pactTable>,
  env: Environment,
) {
  const { dummyTokens, ...others } = pacts;
  const wrong = filters
    .filter((name) => env[name] !== undefined)
    .map((name) => `${name} is set, which leaves interactions out: unset it`);
  if (env.PACT_BROKER_URL !== undefined)
    wrong.push('PACT_BROKER_URL is not a setting: set PACT_BROKER_BASE_URL');
  if (baseUrl && pacts.pactUrl && !isBelow(baseUrl, pacts.pactUrl))
    wrong.push('PACT_URL is not below PACT_BROKER_BASE_URL, and credentials are sent nowhere else');
  if (given.token?.is((text) => !fitsHeader(text)))
    wrong.push(
      'PACT_BROKER_TOKEN holds a line break or a control character, perhaps at its end, which no header can hold: omit it',
    );
  if (wrong.length > 0) throw new SettingsError(wrong);
  const broker: BrokerAccess | undefined = baseUrl && {
    baseUrl,
    ...timeout,
    headers,
    credentials: credentialsOf(given),
    proxies: proxiesFrom(proxies),
  };
  return {
    ...others,
    /** Undefined if no broker is configured. */
    broker,
    /** Whether a valid token replaces a token that no state gave. */
    replacesTokens: dummyTokens === 'replace',
    branch: others.branch?.replace(/^origin\//, ''),
  };
}

type Given = Omit<Values<typeof pactTable>['broker'], 'baseUrl' | 'headers'>;

/** A token, or a user name and a password, or nothing. */
function credentialsOf({ token, username, password }: Given): BrokerCredentials | undefined {
  if (token !== undefined) return { token };
  return username !== undefined && password !== undefined ? { username, password } : undefined;
}

const isBelow = (base: URL, url: URL): boolean =>
  url.origin === base.origin && url.pathname.startsWith(base.pathname.replace(/\/?$/, '/'));
