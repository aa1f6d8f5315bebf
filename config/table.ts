import * as v from 'valibot';
import type { Connection } from '../contract/http/connections.ts';
import { selectProxies } from '../contract/http/proxy.ts';
import * as kinds from './accepted.ts';
import { endpointsText } from './endpoints.ts';
import { number } from './fields.ts';
import * as files from './files.ts';

/** Variables with their texts, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting {
  readonly name: string;
  /** What it accepts. */
  readonly words: string;
  readonly unset: string | undefined;
  readonly isCredential: boolean;
}

type Get = ReturnType<typeof reader>['get'];

/** Blanks around them are kept, and they may not be empty, except for the pact commands. */
const credentials = new Set<unknown>([files.credential, kinds.clockHeaders, kinds.requestHeaders]);

/** Reads the settings of an environment one by one. Reads nothing else except the files that they name. */
export function reader(env: Environment) {
  const asked: Setting[] = [];
  /** The texts of the settings that are set. */
  const texts: Record<string, string> = {};
  const mistakes: string[] = [];
  /** @param unset the text that holds when it is not set @returns undefined after a mistake too */
  function get<Value>(name: string, kind: v.GenericSchema<unknown, Value>, unset: string): Value;
  function get<Value>(name: string, kind: v.GenericSchema<unknown, Value>): Value | undefined;
  function get(name: string, kind: v.GenericSchema<unknown, unknown>, unset?: string): unknown {
    const isCredential = credentials.has(kind);
    asked.push({ name, words: v.getTitle(kind) ?? '', unset, isCredential });
    const set = readVariable(name, env, isCredential);
    if (set !== undefined) texts[name] = set;
    const text = set ?? unset;
    if (text === undefined) return undefined;
    const { success, output, issues } = v.safeParse(kind, text, { abortEarly: true });
    if (success) return output;
    const [{ message, path }] = issues;
    const entry = path?.find(({ key }) => typeof key === 'number');
    mistakes.push(`${name}${entry ? ` (entry ${Number(entry.key) + 1})` : ''} ${message}`);
    return undefined;
  }
  return { get, asked, texts, mistakes };
}

function readVariable(name: string, env: Environment, isCredential: boolean): string | undefined {
  // Proxy variables may be in lower case. Then they override those in upper case, as in curl and Node.
  const given = (name.endsWith('_PROXY') ? env[name.toLowerCase()] : undefined) ?? env[name];
  if (isCredential) return name.startsWith('PACT_') ? given || undefined : given;
  // Kubernetes sets MONITOR_PORT=tcp://10.0.0.7:80 for a service called monitor.
  return given?.trim().replace(/^tcp:.*/, '') || undefined;
}

const flag = kinds.either('true', 'false');
const day = 86_400;
const milliseconds = 'a whole number of milliseconds';

/** A credential, directly or in the file that the setting of this name and `_FILE` names. */
function readSecret(get: Get, name: string) {
  const given = get(name, files.credential);
  const inFile = get(`${name}_FILE`, files.credentialFile);
  return given ?? inFile;
}

/** An account; undefined if a part is missing. */
function readAccount(get: Get, prefix: string) {
  const apiKey = readSecret(get, `${prefix}KEY`);
  const secretKey = readSecret(get, `${prefix}SECRET_KEY`);
  return apiKey && secretKey && { apiKey, secretKey };
}

function readClock(
  get: Get,
): { url: URL; headers?: Connection['headers'] } | { file: string } | undefined {
  const url = get('PUBLIC_API_CLOCK_URL', kinds.address);
  const headers = get('PUBLIC_API_CLOCK_HEADERS', kinds.clockHeaders);
  const file = get('PUBLIC_API_CLOCK_FILE', files.writableFile);
  return file === undefined ? url && { url, headers } : { file };
}

/** A certificate, with those above it, and its key; undefined if one is missing. */
function readKeyPair(get: Get, ofCertificate: string, ofKey: string) {
  const cert = get(ofCertificate, files.certificates);
  const key = get(ofKey, files.privateKey);
  return cert && key ? { cert, key } : undefined;
}

/** Replaces the sandbox; undefined if a part is missing. */
function readProvider(get: Get) {
  const baseUrl = get('PUBLIC_API_BASE_URL', kinds.baseAddress);
  const account = readAccount(get, 'PUBLIC_API_');
  /** For wrong credentials. */
  const secondAccount = readAccount(get, 'PUBLIC_API_SECOND_');
  const endpoints = get('PUBLIC_API_ENDPOINTS', endpointsText);
  const clock = readClock(get);
  return baseUrl && account && endpoints && { baseUrl, account, secondAccount, endpoints, clock };
}

const readMonitor = (get: Get) => ({
  host: get('MONITOR_HOST', kinds.line, '127.0.0.1'),
  port: get('MONITOR_PORT', number('a whole number', 0, 65_535), '9797'),
  /** Without it the monitor serves plain HTTP. */
  tls: readKeyPair(get, 'MONITOR_TLS_CERT', 'MONITOR_TLS_KEY'),
  periodSeconds: get('MONITOR_PERIOD_SECONDS', number('a whole number of seconds', 1, day), '60'),
  writes: get('MONITOR_WRITES', flag, 'false') === 'true',
  shard: get('MONITOR_SHARD', kinds.shard, '1/1'),
  /** `none` means that no state is stored on disk. */
  state: get('MONITOR_STATE', kinds.line, 'state/monitor.sqlite'),
  authToken: readSecret(get, 'MONITOR_AUTH_TOKEN'),
});

/** The Pact Broker; undefined if none is configured. */
function readBroker(get: Get) {
  const baseUrl = get('PACT_BROKER_BASE_URL', kinds.address);
  const token = readSecret(get, 'PACT_BROKER_TOKEN');
  const username = get('PACT_BROKER_USERNAME', kinds.line);
  const password = readSecret(get, 'PACT_BROKER_PASSWORD');
  const pair = username && password ? { username, password } : undefined;
  const credentials = token === undefined ? pair : { token };
  const headers = get('PACT_BROKER_HEADERS', kinds.requestHeaders);
  return baseUrl && { baseUrl, credentials, headers };
}

const selectors = '[{"mainBranch":true},{"matchingBranch":true},{"deployedOrReleased":true}]';

const readPacts = (get: Get) => ({
  broker: readBroker(get),
  /** The one pact to verify, on the configured broker. */
  pactUrl: get('PACT_URL', kinds.address),
  selectors: get('PACT_CONSUMER_VERSION_SELECTORS', kinds.versionSelectors, selectors),
  providerName: get('PACT_PROVIDER_NAME', kinds.line, 'public-api'),
  statesUrl: get('PACT_STATES_URL', kinds.address),
  /** Of every request to the provider. */
  headers: get('PACT_PROVIDER_HEADERS', kinds.requestHeaders),
  /** Whether a valid token replaces a token that no state gave. */
  replacesTokens:
    get('PACT_DUMMY_TOKENS', kinds.either('replace', 'keep'), 'replace') === 'replace',
  /** The version and the branch, if they are not those of the checkout. */
  version: get('GIT_COMMIT', kinds.line),
  branch: get('GIT_BRANCH', kinds.line)?.replace(/^origin\//, ''),
});

/** All settings, in the order of the documentation. */
export const readAll = (get: Get) => ({
  provider: readProvider(get),
  /** The YAML file of all targets, instead of a provider. */
  targets: get('PUBLIC_API_TARGETS', kinds.line),
  /** The one of them that the gate judges, and against which pacts are verified. */
  target: get('PUBLIC_API_TARGET', kinds.line),
  known: get('PUBLIC_API_KNOWN', kinds.line),
  reports: get('PUBLIC_API_REPORTS', kinds.line, 'reports'),
  envFile: get('PUBLIC_API_ENV_FILE', kinds.line, '.env'),
  timeoutMs: get('PUBLIC_API_TIMEOUT_MS', number(milliseconds, 1, 600_000), '10000'),
  ca: get('PUBLIC_API_CA_FILE', files.certificates),
  /** The client certificate that a provider asks for. */
  client: readKeyPair(get, 'PUBLIC_API_CLIENT_CERT_FILE', 'PUBLIC_API_CLIENT_KEY_FILE'),
  strict: get('PUBLIC_API_STRICT', flag, 'false') === 'true',
  requestsPerSecond: get('PUBLIC_API_RATE', kinds.rate),
  tokensPerSecond: get('PUBLIC_API_TOKEN_RATE', kinds.rate),
  wrongCredentials: get('PUBLIC_API_WRONG_CREDENTIALS', number('a whole number', 0, 1000)),
  concurrency: get('PUBLIC_API_CONCURRENCY', number('a whole number', 1, 64), '12'),
  /** How long one request waits in all after answers with 429. */
  maxRetryAfterMs: get('PUBLIC_API_PATIENCE_MS', number(milliseconds, 0, day * 1000), '300000'),
  proxies: selectProxies(get('HTTPS_PROXY', kinds.proxyAddress), get('NO_PROXY', kinds.line)),
  monitor: readMonitor(get),
  pacts: readPacts(get),
});

const { get, asked } = reader({});
readAll(get);

export const settings: readonly Setting[] = asked;
