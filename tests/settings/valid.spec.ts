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

/** Writes a file of the test. @returns its path */
function written(text: string): string {
  const file = test.info().outputPath('file');
  writeFileSync(file, text);
  return file;
}

test('missing settings select the sandbox and the defaults', () => {
  expect(readSettings({}), 'add the default of a new setting').toEqual({
    provider: undefined,
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
      shard: { number: 1, of: 1 },
    },
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
  const settings = readSettings({
    ...provider,
    PUBLIC_API_BASE_URL: 'http://[::1]:8080/behind/a/prefix/',
    PUBLIC_API_ENDPOINTS:
      ' GET /public-api/v1/widgets?all=1 ,\nPOST\t/public-api/v1/gr%C3%B6%C3%9Fe/a.b/.../~x',
    PUBLIC_API_CLOCK_URL: 'http://127.0.0.1:8080/clock?of=api',
    PUBLIC_API_TIMEOUT_MS: ' 1 ',
    PUBLIC_API_CA_FILE: ca,
    PUBLIC_API_CONTACT: 'ops@example.com',
    PUBLIC_API_STRICT: 'true',
    PUBLIC_API_SECOND_KEY: 'another key',
    PUBLIC_API_SECOND_SECRET_KEY: 'another secret',
    PUBLIC_API_RATE: '0.5',
    PUBLIC_API_TOKEN_RATE: '30/min',
    PUBLIC_API_WRONG_CREDENTIALS: '0',
    PUBLIC_API_CONCURRENCY: '64',
    PUBLIC_API_PATIENCE_MS: '0',
    MONITOR_HOST: '::',
    MONITOR_PORT: '0',
    MONITOR_PERIOD_SECONDS: '1',
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
      clock: { url: new URL('http://127.0.0.1:8080/clock?of=api') },
    },
    timeoutMs: 1,
    ca: `${certificates}\n`,
    contact: 'ops@example.com',
    strict: true,
    requestsPerSecond: 0.5,
    tokensPerSecond: 0.5,
    wrongCredentials: 0,
    concurrency: 64,
    maxRetryAfterMs: 0,
    monitor: {
      host: '::',
      port: 0,
      periodSeconds: 1,
      writes: false,
      state: 'elsewhere/state.sqlite',
      authToken: expect.any(Secret),
      shard: { number: 1, of: 1 },
    },
  });
});

test('the key and the secret key are not swapped', () => {
  const { apiKey, secretKey } = accountOf(readSettings(provider));
  expect(apiKey.equals(new Secret('<API_KEY>'))).toBe(true);
  expect(secretKey.equals(new Secret('<SECRET_KEY>'))).toBe(true);
});

test('the word none keeps no state on disk', () => {
  expect(readSettings({ MONITOR_STATE: 'none' }).monitor.state).toBeUndefined();
});

test('the token of the monitor is read from the environment or a file, with at least sixteen characters', () => {
  const token = 'sixteen-letters!';
  const file = written(`${token}\n`);
  for (const env of [{ MONITOR_AUTH_TOKEN: token }, { MONITOR_AUTH_TOKEN_FILE: file }])
    expect(readSettings(env).monitor.authToken?.equals(new Secret(token))).toBe(true);
});

test('a targets file replaces a provider, and may refer to the configured account', () => {
  const { PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY } = provider;
  const env = { PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY, MONITOR_CONFIG: 'monitor.example.yaml' };
  const settings = readSettings(env);
  expect(settings.monitor.config).toBe('monitor.example.yaml');
  expect(settings.provider).toBeUndefined();
});

test('the environment of a targets file is the real one before the .env file', () => {
  const file = written("ONE_KEY='of the file'\nOTHER_KEY='of the file'\n");
  expect(loadEnvironment({ file, env: { ONE_KEY: 'real' } })).toEqual({
    ONE_KEY: 'real',
    OTHER_KEY: 'of the file',
  });
});

test('a clock file is accepted when its folder exists', () => {
  const file = test.info().outputPath('clock');
  const settings = readSettings({ ...provider, PUBLIC_API_CLOCK_FILE: file });
  expect(settings.provider?.clock).toEqual({ file });
});

for (const [text, kept] of [
  ['<API_KEY>', '<API_KEY>'],
  ['<API_KEY>\n', '<API_KEY>'],
  ['<API_KEY>\r\n', '<API_KEY>'],
  ['<API_KEY>\n\n', '<API_KEY>\n'],
  [' <API_KEY> \n', ' <API_KEY> '],
  ['ключ 🔑\n', 'ключ 🔑'],
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

test('the .env file does not change process.env, and process.env does not change how it is read', () => {
  const file = written('MONITOR_PORT=1111\n');
  const before = { ...process.env };
  const env = { DOTENV_CONFIG_OVERRIDE: 'true', DOTENV_PATH: 'elsewhere', MONITOR_PORT: '2222' };
  expect(loadSettings({ file, env }).monitor.port).toBe(2222);
  expect({ ...process.env }).toEqual(before);
});

test('a missing .env file sets nothing', () => {
  expect(loadSettings({ file: 'tests/settings/no-such-file', env: {} })).toEqual(readSettings({}));
});

test('a comment after a value, also one with another #, is not a mistake', () => {
  const file = written(
    "export MONITOR_PORT=1111 # see #3 and x#4\nMONITOR_HOST='localhost'#near\nPUBLIC_API_RATE: 5\n",
  );
  const settings = loadSettings({ file, env: {} });
  expect(settings.monitor).toMatchObject({ port: 1111, host: 'localhost' });
  expect(settings.requestsPerSecond).toBe(5);
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
  ...['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_DATE', 'GIT_COMMON_DIR', 'GIT_DIR'],
  ...['GIT_TRACE', 'GIT_TRACE2', 'GIT_URL', 'GIT_PAGER', 'GIT_PREVIOUS_COMMIT', 'GIT_COMMIT_SHA'],
  ...['GIT_LOCAL_BRANCH', 'GIT_PREVIOUS_SUCCESSFUL_COMMIT', 'GIT_BRANCH_NAME', 'GIT_ASKPASS'],
  ...['PACT_DO_NOT_TRACK', 'PACT_DIR', 'PACT_MODE', 'PACT_LOG_LEVEL', 'PACT_BROKER_HTTP_RETRIES'],
  ...['PACT_BROKER_DATABASE_URL', 'PACT_BROKER_BASIC_AUTH_USERNAME', 'PACT_BROKER_PORT'],
  ...['PACT_BROKER_BASIC_AUTH_PASSWORD', 'PACT_BROKER_PUBLIC_HEARTBEAT', 'PACT_VERIFIER_LOG_LEVEL'],
];

test('a credential of any text is read from the environment unchanged', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
      const settings = readSettings({ ...provider, PUBLIC_API_SECRET_KEY: text });
      return accountOf(settings).secretKey.equals(new Secret(text));
    }),
  );
});

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
      writeFileSync(file, `PUBLIC_API_KEY=${one}\nPUBLIC_API_SECRET_KEY=${other} # theirs\n`);
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
