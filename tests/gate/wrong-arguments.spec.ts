import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { startSandbox } from '../../sandbox/provider.ts';
import { startNode } from '../process.ts';
import { expect, test } from '../test.ts';

for (const [file, args, line] of [
  [
    'sandbox/main.ts',
    ['--port', 'x'],
    'options.port should be >= 0 and < 65536. Received type number (NaN).',
  ],
  ['sandbox/main.ts', ['--fault', 'x'], 'unknown fault "x": npm run sandbox -- --help lists all'],
  [
    'sandbox/main.ts',
    ['--port', '-1'],
    "Option '--port' argument is ambiguous: npm run sandbox -- --help lists the options",
  ],
  [
    'sandbox/main.ts',
    ['--write-env', '/no-such-folder/env'],
    "ENOENT: no such file or directory, open '/no-such-folder/env'",
  ],
  ['tests/faults/main.ts', ['x'], 'unknown fault or area "x": the names are in tests/faults'],
] as const)
  test(`${file} refuses ${args.join(' ')} in one line, with exit code 2`, () => {
    const { status, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 2, stderr: `${line}\n` });
  });

test('the sandbox refuses a port in use, with exit code 2', async () => {
  await using other = await startSandbox();
  const { host, port } = other.baseUrl;
  const ran = await startNode('.', ['sandbox/main.ts', '--port', port]).ended;
  const stderr = `listen EADDRINUSE: address already in use ${host}\n`;
  expect(ran).toEqual({ exit: 2, stdout: '', stderr });
});

test('the settings that the sandbox writes are private', async () => {
  const file = test.info().outputPath('settings.env');
  await using sandbox = startNode('.', ['sandbox/main.ts', '--write-env', file]);
  await sandbox.line(/^(fault)/m);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain('PUBLIC_API_KEY=');
});
