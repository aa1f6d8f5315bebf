import type { Secret } from '../contract/secrets/secret.ts';
import type { Accepted } from './accepted.ts';
import * as accepted from './accepted.ts';
import { endpoints } from './endpoints.ts';
import * as files from './files.ts';
import { proxyAddress } from './proxy.ts';
import { recommended, versionSelectors } from './selectors.ts';

const { decimal, either, line, plainAddress, whole, wordsOf } = accepted;

/** Variables with their texts, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting. `.env.example` says what it means. */
interface Setting<Value> {
  readonly name: string;
  readonly accepted: Accepted<Value>;
  /** What holds when it is not set. */
  readonly unset?: string;
  /** It may hold credentials, so it is never shown. */
  readonly isHidden?: true;
  /** Of a credential: how it is read from the file that the setting of the same name and `_FILE` names. */
  readonly inFile?: Accepted<Value>;
}

const setting = <Value>(name: string, kind: Accepted<Value>): Setting<Value | undefined> => ({
  name,
  accepted: kind,
});

const defaulted = <Value>(name: string, kind: Accepted<Value>, unset: string): Setting<Value> => ({
  name,
  accepted: kind,
  unset,
});

/** A credential, directly or in a file. @param least the number of its characters */
const secret = (name: string, least = 1): Setting<Secret | undefined> => ({
  name,
  accepted: files.credential(least),
  inFile: files.credentialFile(least),
});

/** Of each setting the field that gets its value, in groups. */
export type Groups = Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>>;

/** The values of settings, in their groups. */
export type Values<Table extends Groups> = {
  readonly [Group in keyof Table]: {
    readonly [Field in keyof Table[Group]]: Table[Group][Field] extends Setting<infer Value>
      ? Value
      : never;
  };
};

const network = {
  timeout: {
    timeoutMs: defaulted('PUBLIC_API_TIMEOUT_MS', whole(' of milliseconds', 1, 600_000), '10000'),
  },
  proxies: {
    https: setting('HTTPS_PROXY', proxyAddress),
    http: setting('HTTP_PROXY', proxyAddress),
    direct: setting('NO_PROXY', line),
  },
};

/** Shorter tokens can be guessed. */
const shortestToken = 16;

/** The settings of the gate and the monitor, in the order of the documentation. */
export const mainTable = {
  provider: {
    baseUrl: setting('PUBLIC_API_BASE_URL', accepted.baseAddress),
    apiKey: secret('PUBLIC_API_KEY'),
    secretKey: secret('PUBLIC_API_SECRET_KEY'),
    endpoints: setting('PUBLIC_API_ENDPOINTS', endpoints),
    clockUrl: setting('PUBLIC_API_CLOCK_URL', plainAddress),
    clockFile: setting('PUBLIC_API_CLOCK_FILE', files.writableFile),
  },
  timeout: network.timeout,
  requests: {
    /** Certificates (PEM) trusted instead of the system's. */
    ca: setting('PUBLIC_API_CA_FILE', files.certificates),
    /** Where the provider's operators can reach the user. */
    contact: setting('PUBLIC_API_CONTACT', accepted.contact),
    strict: defaulted('PUBLIC_API_STRICT', either('true', 'false'), 'false'),
    /** Most requests a second; without it there is no limit. */
    requestsPerSecond: setting('PUBLIC_API_RATE', decimal(' of requests', 0.001, 100_000)),
    /** How many requests are sent at once, where their order does not matter. */
    concurrency: defaulted('PUBLIC_API_CONCURRENCY', whole('', 1, 64), '12'),
    /** The longest pause that is accepted from a 429. */
    maxRetryAfterMs: defaulted(
      'PUBLIC_API_PATIENCE_MS',
      whole(' of milliseconds', 0, 86_400_000),
      '60000',
    ),
  },
  proxies: network.proxies,
  monitor: {
    host: defaulted('MONITOR_HOST', accepted.host, '127.0.0.1'),
    /** 0 selects any free port. */
    port: defaulted('MONITOR_PORT', whole('', 0, 65_535), '9797'),
    tlsCert: setting('MONITOR_TLS_CERT', files.fileOf(files.certificates)),
    tlsKey: setting('MONITOR_TLS_KEY', files.fileOf(files.privateKey)),
    periodSeconds: defaulted('MONITOR_PERIOD_SECONDS', whole(' of seconds', 1, 86_400), '60'),
    /** The YAML file of all targets. */
    config: setting('MONITOR_CONFIG', files.targetsFile),
    /** The share of the targets that this monitor watches: 1 of 1 is all. */
    shard: defaulted('MONITOR_SHARD', accepted.shard, '1/1'),
    state: defaulted('MONITOR_STATE', files.stateFile, 'state/monitor.sqlite'),
    /** The bearer token that every route except `/-/healthy` and `/-/ready` requires. */
    authToken: secret('MONITOR_AUTH_TOKEN', shortestToken),
  },
};

/** The settings of the pact commands. */
export const pactTable = {
  ...network,
  broker: {
    baseUrl: setting('PACT_BROKER_BASE_URL', accepted.brokerAddress),
    token: secret('PACT_BROKER_TOKEN'),
    username: setting('PACT_BROKER_USERNAME', line),
    password: secret('PACT_BROKER_PASSWORD'),
    headers: {
      ...setting('PACT_BROKER_HEADERS', accepted.requestHeaders),
      isHidden: true as const,
    },
  },
  pacts: {
    /** The one pact to verify, on the configured broker. */
    pactUrl: setting('PACT_URL', plainAddress),
    selectors: defaulted(
      'PACT_CONSUMER_VERSION_SELECTORS',
      versionSelectors,
      JSON.stringify(recommended),
    ),
    providerName: defaulted('PACT_PROVIDER_NAME', line, 'public-api'),
    /** The provider team's own state handler. */
    statesUrl: setting('PACT_STATES_URL', plainAddress),
    /** Of every request to the provider. */
    headers: {
      ...setting('PACT_PROVIDER_HEADERS', accepted.requestHeaders),
      isHidden: true as const,
    },
    dummyTokens: defaulted('PACT_DUMMY_TOKENS', either('replace', 'keep'), 'replace'),
    /** The version and the branch, if they are not those of the checkout. */
    version: setting('GIT_COMMIT', line),
    branch: setting('GIT_BRANCH', line),
  },
};

/** A row for each variable, and its place in the values. */
export const rowsOf = (table: Groups) =>
  Object.entries(table).flatMap(([group, fields]) =>
    Object.entries(fields).flatMap(
      ([field, { name, accepted: kind, unset, inFile, isHidden = false }]) => {
        const isCredential = inFile !== undefined || isHidden;
        const row = { group, field, name, kind, unset, words: wordsOf(kind), isCredential };
        if (inFile === undefined) return [row];
        const file = { kind: inFile, words: wordsOf(inFile), isCredential: false };
        return [row, { ...row, ...file, name: `${name}_FILE` }];
      },
    ),
  );

/** All settings. */
export const settings = rowsOf({ ...mainTable, ...pactTable });
