import { proxiesOf } from '../contract/http/proxy.ts';
import { Secret } from '../contract/secrets/secret.ts';
import * as kinds from './accepted.ts';
import { endpoints } from './endpoints.ts';
import * as files from './files.ts';
import { type Get, reader, type Setting } from './read.ts';

const { either, line, number, plainAddress, rate } = kinds;

const day = 86_400;
const milliseconds = 'a whole number of milliseconds';

function network(get: Get) {
  const https = get('HTTPS_PROXY', kinds.proxyAddress);
  const http = get('HTTP_PROXY', kinds.proxyAddress);
  const direct = get('NO_PROXY', line);
  return https === undefined && http === undefined ? undefined : proxiesOf({ http, https }, direct);
}

const timeout = (get: Get) =>
  get('PUBLIC_API_TIMEOUT_MS', number(milliseconds, 1, 600_000), '10000');

/** A credential, directly or in the file that the setting of this name and `_FILE` names. */
function secret(get: Get, name: string) {
  const given = get(name, files.credential);
  const inFile = get(`${name}_FILE`, files.credentialFile);
  return given ?? inFile;
}

/** An account; undefined if a part is missing. */
function account(get: Get, prefix: string) {
  const apiKey = secret(get, `${prefix}KEY`);
  const secretKey = secret(get, `${prefix}SECRET_KEY`);
  return apiKey && secretKey && { apiKey, secretKey };
}

const pace = (get: Get) => ({
  /** Without them the provider's own limits count. */
  requestsPerSecond: get('PUBLIC_API_RATE', rate),
  tokensPerSecond: get('PUBLIC_API_TOKEN_RATE', rate),
  /** How many wrong secrets are sent with the right key. */
  wrongCredentials: get('PUBLIC_API_WRONG_CREDENTIALS', number('a whole number', 0, 1000)),
  /** How many requests are sent at once, where their order does not matter. */
  concurrency: get('PUBLIC_API_CONCURRENCY', number('a whole number', 1, 64), '12'),
  /** How long one request waits in all after answers with 429. */
  maxRetryAfterMs: get('PUBLIC_API_PATIENCE_MS', number(milliseconds, 0, day * 1000), '300000'),
});

type ClockHeaders = ReturnType<typeof kinds.clockHeaders.read>;

function clock(get: Get): { url: URL; headers?: ClockHeaders } | { file: string } | undefined {
  const url = get('PUBLIC_API_CLOCK_URL', plainAddress);
  const headers = get('PUBLIC_API_CLOCK_HEADERS', kinds.clockHeaders);
  const file = get('PUBLIC_API_CLOCK_FILE', files.writableFile);
  return file === undefined ? url && { url, headers } : { file };
}

/** The client certificate that a provider asks for. */
function client(get: Get) {
  const cert = get('PUBLIC_API_CLIENT_CERT_FILE', files.certificates);
  const key = get('PUBLIC_API_CLIENT_KEY_FILE', files.privateKey);
  return cert === undefined || key === undefined ? undefined : { cert, key: new Secret(key) };
}

const provider = (get: Get) => ({
  baseUrl: get('PUBLIC_API_BASE_URL', kinds.baseAddress),
  account: account(get, 'PUBLIC_API_'),
  /** Another account, for wrong credentials. */
  secondAccount: account(get, 'PUBLIC_API_SECOND_'),
  endpoints: get('PUBLIC_API_ENDPOINTS', endpoints),
  /** The test clock of the provider; undefined if it has none. */
  clock: clock(get),
});

const monitor = (get: Get) => ({
  host: get('MONITOR_HOST', kinds.host, '127.0.0.1'),
  /** 0 selects any free port. */
  port: get('MONITOR_PORT', number('a whole number', 0, 65_535), '9797'),
  tlsCert: get('MONITOR_TLS_CERT', files.readableFile),
  tlsKey: get('MONITOR_TLS_KEY', files.readableFile),
  periodSeconds: get('MONITOR_PERIOD_SECONDS', number('a whole number of seconds', 1, day), '60'),
  /** Whether endpoints of the settings may change something each minute. */
  writes: get('MONITOR_WRITES', either('true', 'false'), 'false'),
  /** The share of the targets that this monitor watches: 1 of 1 is all. */
  shard: get('MONITOR_SHARD', kinds.shard, '1/1'),
  /** Undefined means that no state is stored on disk. */
  state: get('MONITOR_STATE', files.stateFile, 'state/monitor.sqlite'),
  /** The bearer token that every route except `/-/healthy` and `/-/ready` requires. */
  authToken: secret(get, 'MONITOR_AUTH_TOKEN'),
});

/** The settings of the gate and the monitor, in the order of the documentation. */
export const mainSettings = (get: Get) => ({
  provider: provider(get),
  /** The YAML file of all targets, instead of a provider. */
  targets: get('PUBLIC_API_TARGETS', files.readableFile),
  /** The one of them that the gate judges, and against which pacts are verified. */
  target: get('PUBLIC_API_TARGET', line),
  /** The file of known deviations. */
  known: get('PUBLIC_API_KNOWN', files.readableFile),
  /** The folder of all reports. */
  reports: get('PUBLIC_API_REPORTS', line, 'reports'),
  /** The file that is read instead of `.env`. */
  envFile: get('PUBLIC_API_ENV_FILE', line, '.env'),
  timeoutMs: timeout(get),
  /** Certificates (PEM) trusted instead of the system's. */
  ca: get('PUBLIC_API_CA_FILE', files.certificates),
  client: client(get),
  contact: get('PUBLIC_API_CONTACT', line),
  strict: get('PUBLIC_API_STRICT', either('true', 'false'), 'false'),
  ...pace(get),
  proxies: network(get),
  monitor: monitor(get),
});

const selectors = '[{"mainBranch":true},{"matchingBranch":true},{"deployedOrReleased":true}]';

/** The settings of the pact commands. */
export const pactSettings = (get: Get) => ({
  broker: {
    baseUrl: get('PACT_BROKER_BASE_URL', kinds.brokerAddress),
    token: secret(get, 'PACT_BROKER_TOKEN'),
    username: get('PACT_BROKER_USERNAME', line),
    password: secret(get, 'PACT_BROKER_PASSWORD'),
    headers: get('PACT_BROKER_HEADERS', kinds.requestHeaders),
  },
  timeoutMs: timeout(get),
  proxies: network(get),
  /** The one pact to verify, on the configured broker. */
  pactUrl: get('PACT_URL', plainAddress),
  selectors: get('PACT_CONSUMER_VERSION_SELECTORS', kinds.versionSelectors, selectors),
  providerName: get('PACT_PROVIDER_NAME', line, 'public-api'),
  /** The provider team's own state handler. */
  statesUrl: get('PACT_STATES_URL', plainAddress),
  /** Of every request to the provider. */
  headers: get('PACT_PROVIDER_HEADERS', kinds.requestHeaders),
  /** Whether a valid token replaces a token that no state gave. */
  replacesTokens: get('PACT_DUMMY_TOKENS', either('replace', 'keep'), 'replace'),
  /** The version and the branch, if they are not those of the checkout. */
  version: get('GIT_COMMIT', line),
  branch: get('GIT_BRANCH', line)?.replace(/^origin\//, ''),
});

/** All settings, in the order of the documentation. */
export const settings: readonly Setting[] = [mainSettings, pactSettings]
  .flatMap((read) => {
    const { get, asked } = reader({});
    read(get);
    return asked;
  })
  .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);
