import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { loadPactSettings, readSettings } from '../../config/settings.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { linesOf, mistakesIn } from '../mistakes.ts';

type Environment = Readonly<Record<string, string>>;

const base = 'http://127.0.0.1:9292/broker';
const at = { PACT_BROKER_BASE_URL: base };

/** Reads only the settings of a test, and not the `.env` of the developer who runs it. */
const read = (env: Environment, file = 'no-such-file') => loadPactSettings({ file, env });

const wrong = (env: Environment, file?: string): readonly string[] =>
  linesOf(() => read(env, file));

test('a broker is configured by its address, with a token or a user name and a password', () => {
  const address = { baseUrl: new URL(base), timeoutMs: 700 };
  const timed = { ...at, PUBLIC_API_TIMEOUT_MS: '700' };
  expect(read(timed).broker).toEqual(address);
  const token = read({ ...timed, PACT_BROKER_TOKEN: '<BROKER_TOKEN>' }).broker;
  expect(token).toEqual({ ...address, credentials: { token: expect.any(Secret) } });
  const named = { ...at, PACT_BROKER_USERNAME: 'pact', PACT_BROKER_PASSWORD: ' a b\n' };
  const { username, password } = Object(read(named).broker?.credentials);
  expect([username, password.equals(new Secret(' a b\n'))]).toEqual(['pact', true]);
});

test('an empty text is unset, as a CI passes a missing secret', () => {
  const env = { ...at, PACT_BROKER_TOKEN: '', PACT_BROKER_TOKEN_FILE: '' };
  expect(read(env).broker?.credentials).toBeUndefined();
  expect(read({ PACT_URL: '', PACT_DESCRIPTION: '' }).broker).toBe(undefined);
});

test('headers, version and branch are read, the branch without the name of the remote', () => {
  const env = { GIT_COMMIT: '1.2.3+x', GIT_BRANCH: 'origin/feat/x' };
  const headers = { PACT_PROVIDER_HEADERS: '{"X-Tenant":"tenant-7361"}' };
  expect(read({ ...env, ...headers })).toMatchObject({
    version: '1.2.3+x',
    branch: 'feat/x',
    headers: [['X-Tenant', expect.any(Secret)]],
  });
});

test('selectors are what Pact recommends unless they are set', () => {
  const recommended = ['mainBranch', 'matchingBranch', 'deployedOrReleased'];
  expect(read({}).selectors).toEqual(recommended.map((name) => ({ [name]: true })));
  const own = [{ mainBranch: true, consumer: 'one' }, { environment: 'production' }];
  expect(read({ PACT_CONSUMER_VERSION_SELECTORS: JSON.stringify(own) }).selectors).toEqual(own);
});

const broken = 'holds a line break or a control character, perhaps at its end';
const noHeaders =
  'PACT_PROVIDER_HEADERS is none; accepted: a JSON object of header names and texts, without Authorization';

for (const [env, line] of [
  [{ PACT_BROKER_BASEURL: 'x' }, 'PACT_BROKER_BASEURL is not a setting: did you mean PACT_BROKER'],
  [{ GIT_BRNACH: 'x' }, 'GIT_BRNACH is not a setting: did you mean GIT_BRANCH?'],
  [
    { PACT_BROKER_BASE_URL: '' },
    'PACT_BROKER_BASE_URL is an empty text: set it to the address, or',
  ],
  [{ ...at, PACT_BROKER_TOKEN: '<BROKER_TOKEN>\n' }, `PACT_BROKER_TOKEN ${broken}`],
  ...['x', '[]', '{"Authorization":"x"}', '{"X":7}', '{"X Y":"7"}'].map(
    (text) => [{ PACT_PROVIDER_HEADERS: text }, noHeaders] as const,
  ),
  ...['main', '[]', '[{}]', '[{"mainbranch":true}]'].map(
    (text) =>
      [
        { PACT_CONSUMER_VERSION_SELECTORS: text },
        'PACT_CONSUMER_VERSION_SELECTORS is not a JSON list',
      ] as const,
  ),
] satisfies (readonly [Environment, string])[])
  test(`the setting ${JSON.stringify(env)} is refused in one line`, () => {
    expect(wrong(env)).toEqual([expect.stringContaining(line)]);
  });

test('a misspelt setting of pacts stops other programs too', () => {
  expect(() => readSettings({ PACT_URI: 'x' })).toThrow('did you mean PACT_URL?');
});

for (const { name, file: text, errors } of mistakesIn('tests/pacts/broker-settings.yaml'))
  test(`${name} is reported in one line`, () => {
    const file = test.info().outputPath('.env');
    writeFileSync(file, text);
    expect(wrong({}, file).map((line) => line.replace(file, '.env'))).toEqual(errors);
  });

test('.env.example without its # is accepted, with one of two alternatives at a time', () => {
  const file = test.info().outputPath('.env');
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const one = text
    .replaceAll(/^#(?=[A-Z])/gm, '')
    .replaceAll(/^(?=PACT_BROKER_(TOKEN|\w+_FILE)\b)/gm, '#');
  writeFileSync(file, one);
  expect(read({}, file)).toMatchObject({ branch: 'main', broker: { credentials: {} } });
});
