import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { loadPactSettings } from '../../config/settings.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { errorLines, readMistakes } from '../mistakes.ts';

/** Reads only the settings of a test, and not the `.env` of the developer who runs it. */
const read = (env: Readonly<Record<string, string>>, file = 'no-such-file') =>
  loadPactSettings({ file, env });

const at = { PACT_BROKER_BASE_URL: 'http://127.0.0.1:9292/broker' };

test('a broker is configured by its address, with a token or a user name and a password', () => {
  const address = { baseUrl: new URL(at.PACT_BROKER_BASE_URL) };
  // A CI passes an empty text for a missing secret.
  expect(read({ ...at, PACT_BROKER_TOKEN: '', PACT_URL: '' }).broker).toEqual(address);
  const token = read({ ...at, PACT_BROKER_TOKEN: '<BROKER_TOKEN>' }).broker;
  expect(token).toEqual({ ...address, credentials: { token: expect.any(Secret) } });
  const named = { ...at, PACT_BROKER_USERNAME: 'pact', PACT_BROKER_PASSWORD: ' a b\n' };
  const { username, password } = Object(read(named).broker?.credentials);
  expect(username).toBe('pact');
  expect(password.equals(new Secret(' a b\n'))).toBe(true);
});

test('headers, version, branch and selectors are read, the branch without the name of the remote', () => {
  const own = [{ mainBranch: true, consumer: 'one' }, { environment: 'production' }];
  const env = {
    ...{ GIT_COMMIT: '1.2.3+x', GIT_BRANCH: 'origin/feat/x', PACT_DUMMY_TOKENS: 'keep' },
    ...{ PACT_PROVIDER_NAME: 'widgets', PACT_STATES_URL: 'http://127.0.0.1/states' },
    ...{ ...at, PACT_URL: 'http://127.0.0.1/pact', PACT_BROKER_HEADERS: '{"Authorization-X":""}' },
    PACT_PROVIDER_HEADERS: '{"X-Tenant":"tenant-7361"}',
    PACT_CONSUMER_VERSION_SELECTORS: JSON.stringify(own),
  };
  const headers = [['X-Tenant', expect.any(Secret)]];
  const values = { version: '1.2.3+x', branch: 'feat/x', headers, selectors: own };
  expect(read(env)).toMatchObject({
    ...{ ...values, providerName: 'widgets', replacesTokens: false },
    statesUrl: new URL(env.PACT_STATES_URL),
    pactUrl: new URL(env.PACT_URL),
    broker: { headers: [['Authorization-X', expect.any(Secret)]] },
  });
  const recommended = ['mainBranch', 'matchingBranch', 'deployedOrReleased'];
  expect(read({}).selectors).toEqual(recommended.map((name) => ({ [name]: true })));
});

for (const { name, file: text, errors } of readMistakes('tests/settings/pacts.yaml'))
  test(`${name} is reported in one line`, () => {
    const file = test.info().outputPath('.env');
    writeFileSync(file, text);
    const lines = errorLines(() => read({}, file)).map((line) => line.replace(file, '.env'));
    expect(lines).toEqual(errors);
  });

for (const [name, ...texts] of [
  ['PACT_PROVIDER_HEADERS', '[]', '{"X":1}', '{"X Y":"a"}', '{"X":"\\n"}', '{"authorization":"a"}'],
  ['PACT_CONSUMER_VERSION_SELECTORS', '[]', '[{}]', '{"latest":true}', '[{"latest":1}]'],
] as const)
  for (const text of texts)
    test(`${name}=${text} is refused`, () => {
      expect(errorLines(() => read({ [name]: text }))).toEqual([
        expect.stringMatching(
          `^${name} (\\(entry 1\\) )?is not a JSON (object of header names and texts, without Authorization|list)`,
        ),
      ]);
    });

test('a mistake in another setting stops no pact command, but an empty address does', () => {
  expect(read({ MONITOR_PORT: 'x', PUBLIC_API_NAME: 'x' })).toEqual(read({}));
  expect(errorLines(() => read({ PUBLIC_API_BASE_URL: '' }))).toEqual([
    'PUBLIC_API_BASE_URL is an empty text: set it to the address, or unset it',
  ]);
});
