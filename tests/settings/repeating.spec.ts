import { expect, test } from '@playwright/test';
import { commandAgain } from '../../config/again.ts';
import { readCommandLine, usageError } from '../../config/command-line.ts';
import { hint } from '../../config/nearest.ts';
import { settings } from '../../config/table.ts';
import { quotedWord } from '../../contract/http/curl.ts';

test('the printed command contains the settings that only the environment has', () => {
  const env = {
    PUBLIC_API_ENDPOINTS: "GET /public-api/v1/widgets?name='x'",
    PUBLIC_API_BASE_URL: ' https://api.example.com/v2 ',
    PUBLIC_API_KEY: '<API_KEY>',
    PUBLIC_API_SECRET_KEY: '<SECRET_KEY>',
    PUBLIC_API_CA_FILE: '',
    PUBLIC_API_TARGETS: 'monitor.yaml',
    MONITOR_SHARD: '2/3',
    GIT_BRANCH: 'main',
    MONITOR_PORT: '1',
    PATH: '/bin',
  };
  const provider =
    "PUBLIC_API_BASE_URL=https://api.example.com/v2 PUBLIC_API_ENDPOINTS='GET /public-api/v1/widgets?name='\\''x'\\''' ";
  const set = `${provider}PUBLIC_API_TARGETS=monitor.yaml MONITOR_SHARD=2/3 GIT_BRANCH=main `;
  expect(commandAgain('gate', { env })).toBe(`${set}npm run gate --`);
  expect(commandAgain('probe', { env })).toBe(`${set}npm run probe --`);
  expect(commandAgain('gate', { env: {} })).toBe('npm run gate --');
});

test('the printed command is as it is called where it is read, and repeats no long text', () => {
  const isInstalled = true;
  const npx = commandAgain('pact:verify', { env: {}, isInstalled });
  expect(npx).toBe('npx public-api-contract pact-verify');
  const env = { PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets, '.repeat(9) };
  expect(commandAgain('gate', { env })).toBe(
    'PUBLIC_API_ENDPOINTS="$PUBLIC_API_ENDPOINTS" npm run gate --',
  );
  const inAction = { env: { GITHUB_ACTION_PATH: '/a' } };
  expect(commandAgain('gate', inAction)).toBe('with: clauses:');
  expect(commandAgain('probe', inAction)).toBe('npm run probe --');
});

test('no credential is printed, whichever setting holds it', () => {
  const env = Object.fromEntries(settings.map(({ name }) => [name, `canary-of-${name}`]));
  const pact = { ...env, PACT_URL: 'https://broker.example.com/pact?token=canary' };
  const printed = [
    commandAgain('gate', { env }),
    commandAgain('probe', { env }),
    commandAgain('pact:verify', { env: pact }),
  ].join('');
  const secrets = /(API_KEY|SECRET_KEY|AUTH_TOKEN|BROKER_TOKEN|BROKER_PASSWORD)=/;
  expect(printed).not.toMatch(secrets);
  expect(printed).not.toContain('token=canary');
  expect(printed).toContain('PACT_URL="$PACT_URL" ');
  expect(printed).toContain('PUBLIC_API_KEY_FILE=canary-of-PUBLIC_API_KEY_FILE ');
});

test('a word of a shell is quoted where it must be', () => {
  expect(['GET', 'a/b:c', 'a b', '', '$x', "it's"].map(quotedWord)).toEqual([
    ...['GET', 'a/b:c', "'a b'", "''", "'$x'", "'it'\\''s'"],
  ]);
});

test('an option without its value is refused in one sentence', () => {
  const options = { version: { type: 'string' }, branch: { type: 'string' } } as const;
  const read = (): unknown =>
    readCommandLine('npm run pact:verify', { args: ['--version', '--branch', 'main'], options });
  expect(read).toThrow(
    /^Option '--version' argument is ambiguous: npm run pact:verify -- --help lists the options$/,
  );
});

test('a wrong command line is quoted in one line, without what looks like a key or moves the cursor', () => {
  const { message } = usageError('npx pact', 'unknown http://eve:p4ssw0rd@a: \u001b[2J');
  expect(message).toBe('unknown [secret]a: \ufffd[2J: npx pact --help lists the options');
});

test('the nearest of several names is suggested, and none for a word of which no letter fits', () => {
  expect(hint('targts', ['target', 'targets'])).toBe(': did you mean targets?');
  expect(hint('c', ['a', 'b'])).toBe('');
});
