import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { mustHold } from '../../contract/clauses.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { faulty } from '../faults/index.ts';
import { textOf } from '../house/tree.ts';
import { fromRoot } from '../process.ts';
import { expect } from '../test.ts';
import { folderWith, test } from './installed.ts';

const account = { apiKey: 'Harbour+planted/KEY=w8Fe4Yu?', secretKey: "Meadow 'planted' #s3cret" };

test('the package has its program as JavaScript with types, and no other part of the project', ({
  installed: { packed },
}) => {
  const others = packed.filter((file) => !file.startsWith('dist/'));
  expect(others.sort()).toEqual([
    ...['.env.example', 'LICENSE', 'README.md', 'package.json', 'targets.example.yaml'],
  ]);
  expect(packed.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(packed).toContain('dist/gate/fixtures.d.ts');
  const strange =
    /^dist\/(ops|pacts\/(example|sandbox|state-server)|tests\/(?!contract)|tools\/(?!setup\/\w+\.)|gate\/github)\//;
  expect(packed.filter((file) => strange.test(file))).toEqual([]);
});

test('npx runs the gate in an empty folder, where its reports are written', ({
  installed: { npx },
}) => {
  expect(npx).toMatchObject({ exit: 0, stderr: '' });
  const holds = new RegExp(`✓ Contract holds · ${mustHold.length} held · .* · sandbox\\n`);
  expect(npx.stdout).toMatch(holds);
  expect(readdirSync(npx.cwd)).toEqual(['reports']);
  const reports = path.join(npx.cwd, 'reports');
  expect(readdirSync(reports)).toEqual([
    ...['gate.html', 'gate.json', 'gate.xml', 'playwright', 'playwright-html'],
  ]);
  // This shows that Playwright also ran from the package.
  expect(existsSync(path.join(reports, 'playwright-html/index.html'))).toBe(true);
});

test('the gate reads .env in the current folder, and prints the command of the package', async ({
  installed,
}) => {
  await using sandbox = await startSandbox({ account, behaviour: faulty('leeway-of-a-second') });
  const folder = folderWith({ '.env': envFor(sandbox) });
  const gate = installed.start(folder, ['public-api-contract', 'gate', 'EXPIRY-2']);
  const { exit, stdout, stderr } = await gate.ended;
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
  expect(stdout).toContain('  again     npx public-api-contract gate EXPIRY-2\n');
  expect(stdout).not.toMatch(/npm (run|start)/);
  expect(stdout).not.toContain(account.apiKey);
});

test('the spec in the README passes in a folder that has the package, and one that expects another status fails', async ({
  installed,
}) => {
  const [, spec = ''] = /```ts\n(import .*?)```/s.exec(textOf('gate/README.md')) ?? [];
  const folder = folderWith({
    'checks/right.spec.ts': spec,
    'checks/wrong.spec.ts': spec.replace('a token', 'no token').replace('.toBe(200)', '.toBe(201)'),
  });
  symlinkSync(installed.modules, path.join(folder, 'node_modules'));
  const gate = ['public-api-contract', 'gate', '--specs', 'checks', 'BEARER-4'];
  const { exit, stdout, stderr } = await installed.start(folder, gate).ended;
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
  expect(stdout).toContain('  ✓ widgets need a token  checks/right.spec.ts');
  expect(stdout).toContain('  ✗ widgets need no token  checks/wrong.spec.ts');
});

test('the probe runs once in an empty folder', async ({ installed }) => {
  const probe = installed.start(folderWith(), ['public-api-contract', 'probe']);
  const { exit, stdout, stderr } = await probe.ended;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout).toContain(`✓ No clause violated · ${mustHold.length - 10} held`);
});

test('the monitor checks its settings, serves its pages and ends by a signal', async ({
  installed,
}) => {
  const folder = folderWith();
  const start = ['public-api-contract', 'start'];
  const check = await installed.start(folder, [...start, '--check']).ended;
  expect(check).toEqual({
    exit: 0,
    stderr: '',
    stdout: 'the settings are valid: the sandbox would be watched\n',
  });
  await using monitor = installed.start(folder, start, { MONITOR_PORT: '0' });
  const page = await monitor.line(/"page":"([^"]+)"/);
  for (const route of ['', 'status.json', 'metrics']) {
    const answer = await fetch(new URL(route, page));
    expect({ route, status: answer.status }).toEqual({ route, status: 200 });
  }
  monitor.child.kill('SIGTERM');
  expect(await monitor.ended).toExitWith(0);
});

test('pacts in the current folder are verified', async ({ installed }) => {
  await using sandbox = await startSandbox({ account });
  const pact = readFileSync(fromRoot('pacts/public-api-monitor-public-api.json'), 'utf8');
  const folder = folderWith({ '.env': envFor(sandbox), 'pacts/monitor.json': pact });
  const { exit, stdout } = await installed.start(folder, ['public-api-contract', 'pact-verify'])
    .ended;
  expect(stdout).toMatch(/✓ .* · \d+ verified/);
  expect(exit).toBe(0);
  expect(readdirSync(path.join(folder, 'reports'))).toEqual([
    'pacts.html',
    'pacts.json',
    'pacts.xml',
  ]);
});

test('a folder without pacts is reported with what to do', async ({ installed }) => {
  const { exit, stderr } = await installed.start(folderWith(), [
    'public-api-contract',
    'pact-verify',
  ]).ended;
  expect(stderr).toBe(
    "pacts: no such file or folder; without names PACT_BROKER_BASE_URL selects a broker's pacts\n",
  );
  expect(exit).toBe(2);
});

for (const [what, args, expected] of [
  [
    'no command',
    [],
    { exit: 2, stderr: 'unknown command "": public-api-contract --help lists them\n' },
  ],
  [
    'an unknown command',
    ['gat'],
    { exit: 2, stderr: 'unknown command "gat": public-api-contract --help lists them\n' },
  ],
  [
    'an unknown option',
    ['gate', '--all'],
    {
      exit: 2,
      stderr: "Unknown option '--all': public-api-contract gate --help lists the options\n",
    },
  ],
  ['--help', ['--help'], { exit: 0, stderr: '' }],
  ['--version', ['--version'], { exit: 0, stdout: '0.1.0\n' }],
] as const)
  test(`${what} ends with exit code ${expected.exit}`, async ({ installed }) => {
    const { ended } = installed.start(folderWith(), ['public-api-contract', ...args]);
    expect(await ended).toMatchObject(expected);
  });

const envFor = ({ baseUrl, clockUrl }: { baseUrl: URL; clockUrl: URL }): string =>
  [
    `PUBLIC_API_BASE_URL=${baseUrl}`,
    `PUBLIC_API_KEY='${account.apiKey}'`,
    `PUBLIC_API_SECRET_KEY="${account.secretKey}"`,
    'PUBLIC_API_ENDPOINTS=GET /public-api/v1/widgets',
    `PUBLIC_API_CLOCK_URL=${clockUrl}`,
  ].join('\n');
