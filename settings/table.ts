import type { Endpoint } from '../contract/http/request.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import {
  baseAddress,
  contact,
  decimal,
  host,
  hostAndPort,
  leanOrFull,
  plainAddress,
  publicRoutes,
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
  writableFile,
} from './files.ts';
import { pactTable } from './pact-table.ts';
import { proxyTable } from './proxy.ts';
import { type Setting, setting } from './setting.ts';
import { type Shard, shard } from './shard.ts';
import { databaseFile, stateOrDatabase } from './state.ts';
import { certificateFile, keyFile } from './tls.ts';

/** Every setting, in the order of the documentation. */
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
    "The provider's test clock over HTTP: GET returns the time, PUT stops the clock, DELETE releases it",
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
    'Time limit of one request, from the DNS lookup to the last byte',
    '10000',
    whole(' of milliseconds', 1, 600_000),
  ),
  ca: setting<string>(
    'PUBLIC_API_CA_FILE',
    "CA certificates that replace the system's",
    'none',
    certificates,
  ),
  contact: setting<string>(
    'PUBLIC_API_CONTACT',
    "Address or mail address that the provider's operators may write to, sent in User-Agent",
    'none',
    contact,
  ),
  strict: setting<boolean>(
    'PUBLIC_API_STRICT',
    'Whether an unverified clause ends the gate with exit code 2',
    'false',
    trueOrFalse,
  ),
  requestsPerSecond: setting<number>(
    'PUBLIC_API_RATE',
    'Maximum number of requests per second, for fragile providers',
    'no bound',
    decimal(' of requests', 0.001, 100_000),
  ),
  concurrency: setting<number>(
    'PUBLIC_API_CONCURRENCY',
    'Number of concurrent requests of `npm run gate` and `npm run probe` where their order does not matter',
    '12',
    whole('', 1, 64),
  ),
  maxRetryAfterMs: setting<number>(
    'PUBLIC_API_PATIENCE_MS',
    'Longest pause that the gate accepts from an answer 429',
    '60000',
    whole(' of milliseconds', 0, 86_400_000),
  ),
  ...proxyTable,
  monitorHost: setting<string>(
    'MONITOR_HOST',
    'Host name or address on which the monitor listens',
    '127.0.0.1',
    host,
  ),
  monitorPort: setting<number>(
    'MONITOR_PORT',
    'Port on which the monitor listens; 0 selects any free port',
    '9797',
    whole('', 0, 65_535),
  ),
  monitorTlsCert: setting<string>(
    'MONITOR_TLS_CERT',
    "File of the monitor's own certificate and those above it: its port then speaks HTTPS",
    'none',
    certificateFile,
  ),
  monitorTlsKey: setting<string>(
    'MONITOR_TLS_KEY',
    'File of the private key of that certificate',
    'none',
    keyFile,
  ),
  monitorPeriodSeconds: setting<number>(
    'MONITOR_PERIOD_SECONDS',
    'Period of the quick probes',
    '60',
    whole(' of seconds', 1, 86_400),
  ),
  monitorConfig: setting<string>(
    'MONITOR_CONFIG',
    'YAML file of targets, instead of PUBLIC_API_BASE_URL; monitor.example.yaml shows every option',
    'none',
    readableFile,
  ),
  monitorShard: setting<Shard>(
    'MONITOR_SHARD',
    'Shard of the targets in MONITOR_CONFIG that this monitor watches, where several monitors read the same file',
    '1/1',
    shard,
  ),
  monitorMetrics: setting<'lean' | 'full'>(
    'MONITOR_METRICS',
    'How much the monitor exports of each target: lean, or full with all that it measures of each probe',
    'lean',
    leanOrFull,
  ),
  monitorState: setting<string | Secret>(
    'MONITOR_STATE',
    'SQLite file in which the monitor stores its state, or the PostgreSQL database of a fleet of monitors',
    'state/monitor.sqlite',
    stateOrDatabase,
  ),
  monitorStateFile: setting<Secret>(
    'MONITOR_STATE_FILE',
    'File to read the address of that database from instead',
    'none',
    databaseFile,
  ),
  monitorAdvertise: setting<string>(
    'MONITOR_ADVERTISE',
    'Host and port under which the other monitors of a fleet, people and Prometheus reach this one',
    'where it listens',
    hostAndPort,
  ),
  monitorAuthToken: setting<Secret>(
    'MONITOR_AUTH_TOKEN',
    'Bearer token required on every route except /-/healthy and /-/ready',
    'none',
    longCredential,
  ),
  monitorAuthTokenFile: setting<Secret>(
    'MONITOR_AUTH_TOKEN_FILE',
    'File to read that token from instead',
    'none',
    longCredentialFile,
  ),
  monitorPublic: setting<'badge'>(
    'MONITOR_PUBLIC',
    'Routes of the monitor that need no token: badge opens /badge/NAME.svg and /badge/NAME.json',
    'none',
    publicRoutes,
  ),
  ...pactTable,
};

/** Every setting as a list. */
export const settings: readonly Setting<unknown>[] = Object.values(table);
