import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  loadEnvironment,
  loadPactSettings,
  loadSettings,
  readSettings,
  type Settings,
} from '../../config/settings.ts';
import { type Account, Secret } from '../../contract/secrets/secret.ts';

const provider = {
  PUBLIC_API_BASE_URL: 'https://api.example.com',
  PUBLIC_API_KEY: '<API_KEY>',
  PUBLIC_API_SECRET_KEY: '<SECRET_KEY>',
  PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets',
};

const pacts = {
  providerName: 'public-api',
  selectors: [{ mainBranch: true }, { matchingBranch: true }, { deployedOrReleased: true }],
  replacesTokens: true,
};

/** Writes a file of the test. @returns its path */
function written(text: string): string {
  const file = test.info().outputPath('file');
  writeFileSync(file, text);
  return file;
}

test('missing settings select the sandbox and the defaults', () => {
  expect(readSettings({}), 'add the default of a new setting').toEqual({
    provider: undefined,
    reports: 'reports',
    envFile: '.env',
    timeoutMs: 10_000,
    strict: false,
    concurrency: 12,
    maxRetryAfterMs: 300_000,
    monitor: {
      host: '127.0.0.1',
      port: 9797,
      periodSeconds: 60,
      writes: false,
      state: 'state/monitor.sqlite',
      shard: '1/1',
    },
    pacts,
  });
});

test('an empty or blank setting counts as unset', () => {
  const names = [
    ...['PUBLIC_API_BASE_URL', 'PUBLIC_API_KEY_FILE', 'PUBLIC_API_CLOCK_URL'],
    ...['PUBLIC_API_RATE', 'PUBLIC_API_STRICT', 'MONITOR_HOST'],
  ];
  for (const empty of ['', '  '])
    expect(readSettings(Object.fromEntries(names.map((name) => [name, empty])))).toEqual(
      readSettings({}),
    );
});

test('every setting takes effect', () => {
  const ca = test.info().outputPath('ca.pem');
  const certificates = rootCertificates.slice(0, 2).join('\n');
  writeFileSync(ca, `two roots\n${certificates}\n-----BEGIN PRIVATE KEY-----\nAAAA\n`);
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const settings = readSettings({
    ...provider,
    PUBLIC_API_BASE_URL: 'http://[::1]:8080/behind/a/prefix/',
    PUBLIC_API_ENDPOINTS:
      ' GET /public-api/v1/widgets?all=1 ,\nPOST\t/public-api/v1/gr%C3%B6%C3%9Fe/a.b/.../~x',
    PUBLIC_API_CLOCK_URL: 'HTTP://127.0.0.1:8080/clock?of=api',
    PUBLIC_API_CLOCK_HEADERS: '{"Authorization":"Bearer x"}',
    PUBLIC_API_KNOWN: 'targets.example.yaml',
    PUBLIC_API_REPORTS: 'elsewhere',
    PUBLIC_API_ENV_FILE: 'staging.env',
    PUBLIC_API_TIMEOUT_MS: ' 1 ',
    PUBLIC_API_CA_FILE: ca,
    PUBLIC_API_CLIENT_CERT_FILE: ca,
    PUBLIC_API_CLIENT_KEY_FILE: written(key),
    PUBLIC_API_STRICT: 'true',
    PUBLIC_API_SECOND_KEY: 'another key',
    PUBLIC_API_SECOND_SECRET_KEY: 'another secret',
    PUBLIC_API_RATE: '1800/h',
    PUBLIC_API_TOKEN_RATE: '0.001',
    PUBLIC_API_WRONG_CREDENTIALS: '0',
    PUBLIC_API_CONCURRENCY: '64',
    PUBLIC_API_PATIENCE_MS: '0',
    MONITOR_HOST: '::',
    MONITOR_PORT: '0',
    MONITOR_PERIOD_SECONDS: '1',
    MONITOR_WRITES: 'true',
    MONITOR_STATE: 'elsewhere/state.sqlite',
    MONITOR_AUTH_TOKEN: '<MONITOR_AUTH_TOKEN>',
  });
  const remedy = 'set a new setting above to another value than its default, and expect it below';
  expect(settings, remedy).toEqual({
    provider: {
      baseUrl: new URL('http://[::1]:8080/behind/a/prefix/'),
      account: { apiKey: expect.any(Secret), secretKey: expect.any(Secret) },
      secondAccount: { apiKey: expect.any(Secret), secretKey: expect.any(Secret) },
      endpoints: [
        { method: 'GET', path: '/public-api/v1/widgets?all=1' },
        { method: 'POST', path: '/public-api/v1/gr%C3%B6%C3%9Fe/a.b/.../~x' },
      ],
      clock: {
        url: new URL('http://127.0.0.1:8080/clock?of=api'),
        headers: [['Authorization', expect.any(Secret)]],
      },
    },
    known: 'targets.example.yaml',
    reports: 'elsewhere',
    envFile: 'staging.env',
    timeoutMs: 1,
    ca: `${certificates}\n`,
    client: { cert: `${certificates}\n`, key: expect.any(Secret) },
    strict: true,
    requestsPerSecond: 0.5,
    tokensPerSecond: 0.001,
    wrongCredentials: 0,
    concurrency: 64,
    maxRetryAfterMs: 0,
    monitor: {
      host: '::',
      port: 0,
      periodSeconds: 1,
      writes: true,
      state: 'elsewhere/state.sqlite',
      authToken: expect.any(Secret),
      shard: '1/1',
    },
    pacts,
  });
  expect(settings.client?.key.equals(new Secret(key))).toBe(true);
  const { apiKey, secretKey } = settings.provider?.secondAccount ?? {};
  expect(apiKey?.equals(new Secret('another key'))).toBe(true);
  expect(secretKey?.equals(new Secret('another secret'))).toBe(true);
  const inFile = { ...provider, PUBLIC_API_CLOCK_FILE: ca };
  expect(readSettings(inFile).provider?.clock).toEqual({ file: ca });
});

test('endpoints may be one a line, or have a semicolon between them, and a method in small letters', () => {
  const wanted = [
    { method: 'GET', path: '/public-api/v1/a;b' },
    { method: 'POST', path: '/public-api/v1/c' },
  ];
  const forms = [
    'get /public-api/v1/a;b; post /public-api/v1/c',
    'GET /public-api/v1/a;b,\n POST /public-api/v1/c\n',
  ];
  // A key of less than eight signs may be a word of a path.
  const env = { ...provider, PUBLIC_API_KEY: 'public-' };
  for (const PUBLIC_API_ENDPOINTS of forms)
    expect(readSettings({ ...env, PUBLIC_API_ENDPOINTS }).provider?.endpoints).toEqual(wanted);
});

test('the token of the monitor is read from the environment or a file, with at least sixteen characters', () => {
  const token = 'sixteen-letters!';
  const file = written(`${token}\n`);
  for (const env of [{ MONITOR_AUTH_TOKEN: token }, { MONITOR_AUTH_TOKEN_FILE: file }])
    expect(readSettings(env).monitor.authToken?.equals(new Secret(token))).toBe(true);
});

test('a targets file replaces a provider, and may refer to the configured account', () => {
  const { PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY } = provider;
  const file = { PUBLIC_API_TARGETS: 'targets.example.yaml', PUBLIC_API_TARGET: 'staging' };
  const second = { PUBLIC_API_SECOND_KEY: 'a', PUBLIC_API_SECOND_SECRET_KEY: 'b' };
  const settings = readSettings({ PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY, ...second, ...file });
  expect(settings.target).toBe('staging');
  expect(settings.targets).toBe('targets.example.yaml');
  expect(settings.provider).toBeUndefined();
});

test('the environment of a targets file is the real one before the .env file', () => {
  const file = written("ONE_KEY='of the file'\nOTHER_KEY='of the file'\n");
  expect(loadEnvironment({ file, env: { ONE_KEY: 'real' } })).toEqual({
    ONE_KEY: 'real',
    OTHER_KEY: 'of the file',
  });
});

for (const [text, kept] of [
  ['<API_KEY>\r\n', '<API_KEY>'],
  ['<API_KEY>\n\n', '<API_KEY>\n'],
  [' <API_KEY> \n', ' <API_KEY> '],
] as const)
  test(`only the final newline of the file ${JSON.stringify(text)} is removed`, () => {
    const file = written(text);
    const { PUBLIC_API_KEY: _, PUBLIC_API_SECRET_KEY: __, ...rest } = provider;
    const files = { PUBLIC_API_KEY_FILE: file, PUBLIC_API_SECRET_KEY_FILE: file };
    const settings = readSettings({ ...rest, ...files });
    expect(accountOf(settings).apiKey.equals(new Secret(kept))).toBe(true);
    expect(accountOf(settings).secretKey.equals(new Secret(kept))).toBe(true);
  });

test('the real environment wins over the .env file, also with an empty text', () => {
  const file = written('MONITOR_PORT=1111\nPUBLIC_API_RATE=5\nMONITOR_HOST=localhost\n');
  const settings = loadSettings({ file, env: { MONITOR_PORT: '2222', PUBLIC_API_RATE: '' } });
  expect(settings.monitor).toMatchObject({ host: 'localhost', port: 2222 });
  expect(settings.requestsPerSecond).toBeUndefined();
});

test('names that Kubernetes sets for its own services are ignored', () => {
  expect(
    readSettings({
      MONITOR_PORT: 'tcp://10.0.0.7:80',
      MONITOR_SERVICE_HOST: '10.0.0.7',
      MONITOR_SERVICE_PORT_HTTP: '80',
      MONITOR_PORT_80_TCP_ADDR: '10.0.0.7',
      PUBLIC_API_PORT: 'tcp://10.0.0.8:443',
      PUBLIC_API_PORT_443_TCP: 'tcp://10.0.0.8:443',
    }),
  ).toEqual(readSettings({}));
});

test('names that other programs, Git, Pact and CI servers use are ignored', () => {
  for (const name of ['PUBLIC_URL', 'PACT_BROKER_BASE_URL', 'MONITORING', 'PATH'])
    expect(readSettings({ [name]: 'x' })).toEqual(readSettings({}));
  const env = Object.fromEntries(namesOfOthers.map((name) => [name, 'x']));
  expect(readSettings(env)).toEqual(readSettings({}));
  const file = 'no-such-file';
  expect(loadPactSettings({ file, env })).toEqual(loadPactSettings({ file, env: {} }));
});

/** Variables of git(1), Jenkins, Pact's programs and the Pact Broker whose names are most similar to this project's. */
const namesOfOthers = [
  ...['GIT_AUTHOR_NAME', 'GIT_COMMITTER_DATE', 'GIT_COMMIT_SHA', 'GIT_LOCAL_BRANCH', 'GIT_URL'],
  ...['PACT_DO_NOT_TRACK', 'PACT_LOG_LEVEL', 'PACT_BROKER_HTTP_RETRIES', 'PACT_BROKER_PORT'],
];

test('a credential of any text is read from an .env file, quoted as .env.example explains', () => {
  const file = test.info().outputPath('.env');
  const sign = fc.oneof(
    fc.constantFrom(...' \'"`#$=\\\n{}!%&;,😀é'),
    fc.string({ unit: 'grapheme', maxLength: 1 }),
  );
  const text = fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => signs.join(''));
  let quoted = 0;
  fc.assert(
    fc.property(text, text, (key, secret) => {
      const one = quotedAsShown(key);
      const other = quotedAsShown(secret);
      fc.pre(one !== undefined && other !== undefined);
      quoted += 1;
      const { PUBLIC_API_KEY: _, PUBLIC_API_SECRET_KEY: __, ...env } = provider;
      writeFileSync(
        file,
        `PUBLIC_API_KEY=${one}\nPUBLIC_API_SECRET_KEY=${other} # theirs\nPUBLIC_API_RATE= # none\n`,
      );
      const { apiKey, secretKey } = accountOf(loadSettings({ file, env }));
      return apiKey.equals(new Secret(key)) && secretKey.equals(new Secret(secret));
    }),
    { numRuns: 300 },
  );
  expect(quoted).toBe(300);
});

/** Quotes a text as `.env.example` explains; undefined if it requires a file for this text. */
function quotedAsShown(text: string): string | undefined {
  if (text === '' || text.endsWith('\\') || text.includes('\r')) return undefined;
  if (!text.includes("'")) return `'${text}'`;
  return text.includes('`') ? undefined : `\`${text}\``;
}

function accountOf(settings: Settings): Account {
  if (settings.provider === undefined) throw new Error('no provider');
  return settings.provider.account;
}
