import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';

for (const [file, args, line] of [
  ['sandbox/main.ts', ['--port', 'x'], '--port x is not a port'],
  [
    'sandbox/main.ts',
    ['--fault', 'x'],
    'unknown fault "x": npm run sandbox -- --faults lists all faults',
  ],
  [
    'sandbox/main.ts',
    ['--nope'],
    "Unknown option '--nope': npm run sandbox -- --help lists the options",
  ],
  [
    'gate/mutants.ts',
    ['x'],
    'unknown fault or area "x": npm run sandbox -- --faults lists all faults',
  ],
] as const)
  test(`${file} refuses ${args.join(' ')} in one line, with exit code 2`, () => {
    const { status, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 2, stderr: `${line}\n` });
  });
