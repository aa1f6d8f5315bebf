import type { Endpoint } from '../contract/http/request.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import {
  type Accepted,
  baseAddress,
  brokerAddress,
  decimal,
  host,
  line,
  plainAddress,
  trueOrFalse,
  whole,
} from './accepted.ts';
import { endpoints } from './endpoints.ts';
import {
  certificates,
  credential,
  credentialFile,
  longCredential,
  longCredentialFile,
  readableFile,
  stateFile,
  writableFile,
} from './files.ts';
import { type Shard, shard } from './shard.ts';

/** One setting: a row of settings/README.md, and a paragraph of `.env.example`. */
export interface Setting<Value> {
  readonly name: string;
  readonly meaning: string;
  /** What holds when it is unset: a text like one that is set, or words. */
  readonly unset: string;
  readonly accepted: Accepted<Value>;
}

function setting<Value>(
  name: string,
  meaning: string,
  unset: string,
  accepted: Accepted<Value>,
): Setting<Value> {
  return { name, meaning, unset, accepted };
}

/** Every setting, in the order in which people read about them. */
export const table = {
  baseUrl: setting<URL>(
    'PUBLIC_API_BASE_URL',
    'Address of the provider',
    'the sandbox',
    baseAddress,
  ),
  apiKey: setting<Secret>(
    'PUBLIC_API_KEY',
    'API key of an account at the provider',
    "the sandbox's",
    credential,
  ),
  apiKeyFile: setting<Secret>(
    'PUBLIC_API_KEY_FILE',
    'File to read the API key from instead, such as a Docker or Kubernetes secret',
    'none',
    credentialFile,
  ),
  secretKey: setting<Secret>(
    'PUBLIC_API_SECRET_KEY',
    'Secret key of the same account',
    "the sandbox's",
    credential,
  ),
  secretKeyFile: setting<Secret>(
    'PUBLIC_API_SECRET_KEY_FILE',
    'File to read the secret key from instead',
    'none',
    credentialFile,
  ),
  endpoints: setting<[Endpoint, ...Endpoint[]]>(
    'PUBLIC_API_ENDPOINTS',
    'Protected endpoints that the probes call',
    "the sandbox's",
    endpoints,
  ),
  clockUrl: setting<URL>(
    'PUBLIC_API_CLOCK_URL',
    "The provider's test clock over HTTP: GET tells the time, PUT stops it, DELETE lets it go on",
    'none',
    plainAddress,
  ),
  clockFile: setting<string>(
    'PUBLIC_API_CLOCK_FILE',
    "File that libfaketime reads for the provider's process, which runs in UTC",
    'none',
    writableFile,
  ),
  timeoutMs: setting<number>(
    'PUBLIC_API_TIMEOUT_MS',
    'Longest that one request may take, from the look-up of the name to the last byte',
    '10000',
    whole(' of milliseconds', 1, 600_000),
  ),
  ca: setting<string>(
    'PUBLIC_API_CA_FILE',
    "Certificates that are trusted instead of the system's",
    'none',
    certificates,
  ),
  strict: setting<boolean>(
    'PUBLIC_API_STRICT',
    'Whether a clause that could not be verified ends the gate with exit code 2',
    'false',
    trueOrFalse,
  ),
  requestsPerSecond: setting<number>(
    'PUBLIC_API_RATE',
    'Most requests a second, for fragile providers',
    'no bound',
    decimal(' of requests', 0.001, 100_000),
  ),
  concurrency: setting<number>(
    'PUBLIC_API_CONCURRENCY',
    'How many probes run at once where their order does not matter',
    '12',
    whole('', 1, 64),
  ),
  maxRetryAfterMs: setting<number>(
    'PUBLIC_API_PATIENCE_MS',
    'Longest that an answer 429 is waited out',
    '60000',
    whole(' of milliseconds', 0, 86_400_000),
  ),
  monitorHost: setting<string>(
    'MONITOR_HOST',
    'Where the monitor listens: a name or an address of this machine',
    '127.0.0.1',
    host,
  ),
  monitorPort: setting<number>(
    'MONITOR_PORT',
    'The port on which the monitor listens; 0 takes any that is free',
    '9797',
    whole('', 0, 65_535),
  ),
  monitorPeriodSeconds: setting<number>(
    'MONITOR_PERIOD_SECONDS',
    'How often the monitor runs the quick probes',
    '60',
    whole(' of seconds', 1, 86_400),
  ),
  monitorConfig: setting<string>(
    'MONITOR_CONFIG',
    'YAML file that names the targets, instead of PUBLIC_API_BASE_URL; monitor.example.yaml shows all of it',
    'none',
    readableFile,
  ),
  monitorShard: setting<Shard>(
    'MONITOR_SHARD',
    'Which share of the targets in MONITOR_CONFIG this monitor watches, where several read the same file',
    '1/1',
    shard,
  ),
  monitorState: setting<string>(
    'MONITOR_STATE',
    'SQLite file in which the monitor keeps what it knows, from one start to the next',
    'state/monitor.sqlite',
    stateFile,
  ),
  monitorAuthToken: setting<Secret>(
    'MONITOR_AUTH_TOKEN',
    'Token that every route of the monitor wants, but /-/healthy',
    'none',
    longCredential,
  ),
  monitorAuthTokenFile: setting<Secret>(
    'MONITOR_AUTH_TOKEN_FILE',
    'File to read that token from instead',
    'none',
    longCredentialFile,
  ),
  brokerUrl: setting<URL>(
    'PACT_BROKER_BASE_URL',
    'Address of the Pact Broker; this and all that follows is read by the pact commands alone',
    'none',
    brokerAddress,
  ),
  brokerToken: setting<Secret>(
    'PACT_BROKER_TOKEN',
    'Token for the Pact Broker, or take a user name and a password',
    'none',
    credential,
  ),
  brokerTokenFile: setting<Secret>(
    'PACT_BROKER_TOKEN_FILE',
    'File to read that token from instead',
    'none',
    credentialFile,
  ),
  brokerUsername: setting<string>(
    'PACT_BROKER_USERNAME',
    'User name at the Pact Broker',
    'none',
    line,
  ),
  brokerPassword: setting<Secret>(
    'PACT_BROKER_PASSWORD',
    'Password of that user',
    'none',
    credential,
  ),
  brokerPasswordFile: setting<Secret>(
    'PACT_BROKER_PASSWORD_FILE',
    'File to read that password from instead',
    'none',
    credentialFile,
  ),
  pactUrl: setting<URL>(
    'PACT_URL',
    'The one pact to verify, as a webhook of the Pact Broker names it',
    'none',
    plainAddress,
  ),
  commit: setting<string>(
    'GIT_COMMIT',
    'Version of the consumer or provider at the Pact Broker',
    'the commit that is built or checked out',
    line,
  ),
  branch: setting<string>(
    'GIT_BRANCH',
    'Branch of that version',
    'the branch of that commit',
    line,
  ),
};

/** The same as a list. */
export const settings: readonly Setting<unknown>[] = Object.values(table);
