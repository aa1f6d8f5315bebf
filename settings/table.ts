import {
  baseAddress,
  contact,
  decimal,
  host,
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
import { pactTable } from './pact-table.ts';
import { proxyTable } from './proxy.ts';
import { type Setting, setting } from './setting.ts';
import { shard } from './shard.ts';
import { certificateFile, keyFile } from './tls.ts';

/** Every setting, in the order of the documentation. */
export const table = {
  baseUrl: setting('PUBLIC_API_BASE_URL', 'Address of the provider', baseAddress, 'the sandbox'),
  apiKey: setting(
    'PUBLIC_API_KEY',
    'API key of an account at the provider',
    credential,
    "the sandbox's",
  ),
  apiKeyFile: setting(
    'PUBLIC_API_KEY_FILE',
    'File to read the API key from instead, such as a Docker or Kubernetes secret',
    credentialFile,
  ),
  secretKey: setting(
    'PUBLIC_API_SECRET_KEY',
    'Secret key of the same account',
    credential,
    "the sandbox's",
  ),
  secretKeyFile: setting(
    'PUBLIC_API_SECRET_KEY_FILE',
    'File to read the secret key from instead',
    credentialFile,
  ),
  endpoints: setting(
    'PUBLIC_API_ENDPOINTS',
    'Protected endpoints that the probes call',
    endpoints,
    "the sandbox's",
  ),
  clockUrl: setting(
    'PUBLIC_API_CLOCK_URL',
    "The provider's test clock over HTTP: GET returns the time, PUT stops the clock, DELETE releases it",
    plainAddress,
  ),
  clockFile: setting(
    'PUBLIC_API_CLOCK_FILE',
    "File that libfaketime reads for the provider's process, which runs in UTC",
    writableFile,
  ),
  timeoutMs: setting(
    'PUBLIC_API_TIMEOUT_MS',
    'Time limit of one request, from the DNS lookup to the last byte',
    whole(' of milliseconds', 1, 600_000),
    '10000',
  ),
  ca: setting('PUBLIC_API_CA_FILE', "CA certificates that replace the system's", certificates),
  contact: setting(
    'PUBLIC_API_CONTACT',
    "Address or mail address that the provider's operators may write to, sent in User-Agent",
    contact,
  ),
  strict: setting(
    'PUBLIC_API_STRICT',
    'Whether an unverified clause ends the gate with exit code 2',
    trueOrFalse,
    'false',
  ),
  requestsPerSecond: setting(
    'PUBLIC_API_RATE',
    'Maximum number of requests per second, for fragile providers',
    decimal(' of requests', 0.001, 100_000),
    'no limit',
  ),
  concurrency: setting(
    'PUBLIC_API_CONCURRENCY',
    'Number of concurrent requests of `npm run gate` and `npm run probe` where their order does not matter',
    whole('', 1, 64),
    '12',
  ),
  maxRetryAfterMs: setting(
    'PUBLIC_API_PATIENCE_MS',
    'Longest pause that the gate accepts from an answer 429',
    whole(' of milliseconds', 0, 86_400_000),
    '60000',
  ),
  ...proxyTable,
  monitorHost: setting(
    'MONITOR_HOST',
    'Host name or address on which the monitor listens',
    host,
    '127.0.0.1',
  ),
  monitorPort: setting(
    'MONITOR_PORT',
    'Port on which the monitor listens; 0 selects any free port',
    whole('', 0, 65_535),
    '9797',
  ),
  monitorTlsCert: setting(
    'MONITOR_TLS_CERT',
    "File of the monitor's own certificate and those above it: its port then speaks HTTPS",
    certificateFile,
  ),
  monitorTlsKey: setting('MONITOR_TLS_KEY', 'File of the private key of that certificate', keyFile),
  monitorPeriodSeconds: setting(
    'MONITOR_PERIOD_SECONDS',
    'Period of the quick probes',
    whole(' of seconds', 1, 86_400),
    '60',
  ),
  monitorConfig: setting(
    'MONITOR_CONFIG',
    'YAML file of targets, instead of PUBLIC_API_BASE_URL; monitor.example.yaml shows every option',
    readableFile,
  ),
  monitorShard: setting(
    'MONITOR_SHARD',
    'Shard of the targets in MONITOR_CONFIG that this monitor watches, where several monitors read the same file',
    shard,
    '1/1',
  ),
  monitorState: setting(
    'MONITOR_STATE',
    'SQLite file in which the monitor stores its state',
    stateFile,
    'state/monitor.sqlite',
  ),
  monitorAuthToken: setting(
    'MONITOR_AUTH_TOKEN',
    'Bearer token required on every route except /-/healthy and /-/ready',
    longCredential,
  ),
  monitorAuthTokenFile: setting(
    'MONITOR_AUTH_TOKEN_FILE',
    'File to read that token from instead',
    longCredentialFile,
  ),
  ...pactTable,
};

export const settings: readonly Setting<unknown>[] = Object.values(table);
