import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { loadPactSettings, readSettings } from '../../config/settings.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { linesOf, mistakesIn } from '../mistakes.ts';

type Environment = Readonly<Record<string, string>>;

const base = 'http://127.0.0.1:9292/broker';

/** Reads only the settings of a test, and not the `.env` of the developer who runs it. */
const read = (env: Environment, file = 'no-such-file') => loadPactSettings({ file, env });

const wrong = (env: Environment, file?: string): readonly string[] =>
  linesOf(() => read(env, file));

test('a broker is configured by its address, with a token or a user name and a password', () => {
  const at = { PACT_BROKER_BASE_URL: base, PUBLIC_API_TIMEOUT_MS: '700' };
  const address = { baseUrl: new URL(base), timeoutMs: 700 };
  expect(read(at).broker).toEqual(address);
  const token = read({ ...at, PACT_BROKER_TOKEN: '<BROKER_TOKEN>' }).broker;
  expect(token).toEqual({ ...address, credentials: { token: expect.any(Secret) } });
  const named = { ...at, PACT_BROKER_USERNAME: 'pact', PACT_BROKER_PASSWORD: ' a b ' };
  const user = read(named).broker?.credentials;
  expect(user).toEqual({ username: 'pact', password: expect.any(Secret) });
  if (user !== undefined && 'password' in user)
    expect(user.password.equals(new Secret(' a b '))).toBe(true);
});

test('a name that is one or two letters away from a setting stops the start', () => {
  for (const [name, meant] of [
    ['PACT_BROKER_BASEURL', 'PACT_BROKER_BASE_URL'],
    ['PACT_URI', 'PACT_URL'],
    ['GIT_BRNACH', 'GIT_BRANCH'],
    ['MONITOR_PROT', 'MONITOR_PORT'],
  ] as const) {
    const line = `${name} is not a setting; the nearest is ${meant}`;
    expect(wrong({ [name]: 'tp-7361' })).toEqual([line]);
    expect(() => readSettings({ [name]: 'tp-7361' })).toThrow(line);
  }
});

test('a token with a line break is refused: no request could carry it', () => {
  const broken = 'holds a line break or a control character, perhaps at its end';
  const line = (name: string) => `${name} ${broken}, which no header can hold: omit it`;
  const env = { PACT_BROKER_BASE_URL: base };
  const inText = { ...env, PACT_BROKER_TOKEN: '<BROKER_TOKEN>\n' };
  expect(wrong(inText)).toEqual([line('PACT_BROKER_TOKEN')]);
  const file = test.info().outputPath('token');
  writeFileSync(file, '<BROKER_TOKEN>\n\n');
  const inFile = { ...env, PACT_BROKER_TOKEN_FILE: file };
  expect(wrong(inFile)).toEqual([line('PACT_BROKER_TOKEN')]);
  const password = { ...env, PACT_BROKER_USERNAME: 'pact', PACT_BROKER_PASSWORD: 'a\n' };
  expect(read(password).broker?.credentials).toBeDefined();
});

test('an empty text is unset, as a CI passes a missing secret', () => {
  const env = { PACT_BROKER_BASE_URL: base, PACT_BROKER_TOKEN: '', PACT_BROKER_TOKEN_FILE: '' };
  expect(read(env).broker?.credentials).toBeUndefined();
  expect(read({ PACT_URL: '', PACT_DESCRIPTION: '' }).broker).toBe(undefined);
  expect(wrong({ PACT_BROKER_BASE_URL: '' })).toEqual([
    'PACT_BROKER_BASE_URL is an empty text: set it to the address, or unset it',
  ]);
  expect(wrong({ PACT_BROKER_URL: base })).toEqual([
    'PACT_BROKER_URL is not a setting: set PACT_BROKER_BASE_URL',
  ]);
});

test('headers of every request are pairs with hidden values', () => {
  const env = { PACT_PROVIDER_HEADERS: '{"X-Tenant":"tenant-7361"}' };
  expect(read(env).headers).toEqual([['X-Tenant', expect.any(Secret)]]);
  for (const text of ['x', '[]', '{"Authorization":"x"}', '{"X":7}', '{"X Y":"7"}'])
    expect(wrong({ PACT_PROVIDER_HEADERS: text })).toEqual([
      'PACT_PROVIDER_HEADERS is none; accepted: a JSON object of header names and texts, without Authorization',
    ]);
});

test('version and branch are used unchanged, without the name of the remote', () => {
  expect(read({ GIT_COMMIT: '1.2.3+x', GIT_BRANCH: 'origin/feat/x' })).toMatchObject({
    version: '1.2.3+x',
    branch: 'feat/x',
  });
});

test('selectors are what Pact recommends unless they are set', () => {
  expect(read({}).selectors).toEqual([
    { mainBranch: true },
    { matchingBranch: true },
    { deployedOrReleased: true },
  ]);
  const own = [{ mainBranch: true, consumer: 'one' }, { environment: 'production' }];
  expect(read({ PACT_CONSUMER_VERSION_SELECTORS: JSON.stringify(own) }).selectors).toEqual(own);
});

for (const [text, found] of [
  ['main', 'is "main"'],
  ['[]', 'is "[]"'],
  ['[{}]', 'is "[{}]"'],
  ['[{"mainbranch":true}]', 'is "[{"mainbranch":true}]"'],
  ['[{"branch":true}]', 'is "[{"branch":true}]"'],
] as const)
  test(`the selectors ${text} are refused`, () => {
    expect(wrong({ PACT_CONSUMER_VERSION_SELECTORS: text })).toEqual([
      expect.stringContaining(`PACT_CONSUMER_VERSION_SELECTORS ${found}; accepted: a JSON list`),
    ]);
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
