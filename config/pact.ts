import { fitsHeader } from '../contract/http/http-request.ts';
import type { Proxies } from '../contract/http/proxy.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import { SettingsError, type Values } from './parse.ts';
import { proxiesFrom } from './proxy.ts';
import type { Environment, pactTable } from './table.ts';

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

export type PactSettings = ReturnType<typeof pactSettingsOf>;

/** Variables of Pact's own programs that would silently leave interactions out. */
const filters = ['PACT_DESCRIPTION', 'PACT_PROVIDER_NO_STATE', 'PACT_PROVIDER_STATE'];

/** @param env without empty texts @throws SettingsError */
export function pactSettingsOf(values: Values<typeof pactTable>, env: Environment) {
  const { PACT_BROKER_BASE_URL: baseUrl, PACT_URL: pactUrl } = values;
  const wrong = filters
    .filter((name) => env[name] !== undefined)
    .map((name) => `${name} is set, which leaves interactions out: unset it`);
  if (baseUrl !== undefined && pactUrl !== undefined && !isBelow(baseUrl, pactUrl))
    wrong.push('PACT_URL is not below PACT_BROKER_BASE_URL, and credentials are sent nowhere else');
  if (values.PACT_BROKER_TOKEN?.is((text) => !fitsHeader(text)))
    wrong.push(
      'PACT_BROKER_TOKEN holds a line break or a control character, perhaps at its end, which no header can hold: omit it',
    );
  if (wrong.length > 0) throw new SettingsError(wrong);
  const broker: BrokerAccess | undefined = baseUrl && {
    baseUrl,
    timeoutMs: values.PUBLIC_API_TIMEOUT_MS,
    credentials: credentialsOf(values),
    proxies: proxiesFrom(values),
  };
  return {
    /** Undefined if no broker is configured. */
    broker,
    selectors: values.PACT_CONSUMER_VERSION_SELECTORS,
    providerName: values.PACT_PROVIDER_NAME,
    /** The provider team's own state handler. */
    statesUrl: values.PACT_STATES_URL,
    /** Whether a valid token replaces a token that no state gave. */
    replacesTokens: values.PACT_DUMMY_TOKENS === 'replace',
    /** The one pact to verify, on the configured broker. */
    pactUrl,
    /** The version and the branch, if they are not those of the checkout. */
    version: values.GIT_COMMIT,
    branch: values.GIT_BRANCH?.replace(/^origin\//, ''),
  };
}

/** A token, or a user name and a password, or nothing. */
function credentialsOf(values: Values<typeof pactTable>): BrokerCredentials | undefined {
  const { PACT_BROKER_TOKEN: token } = values;
  const { PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password } = values;
  if (token !== undefined) return { token };
  return username !== undefined && password !== undefined ? { username, password } : undefined;
}

const isBelow = (base: URL, url: URL): boolean =>
  url.origin === base.origin && url.pathname.startsWith(base.pathname.replace(/\/?$/, '/'));
