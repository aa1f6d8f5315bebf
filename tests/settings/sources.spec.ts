import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { knownFile, loadSettings, reportsFolder, useOptions } from '../../config/settings.ts';
import { errorLines } from '../mistakes.ts';

/** Runs as a process with these variables, in a folder with these empty files. */
function inFolder<Result>(names: string, env: object, run: () => Result): Result {
  const before = { cwd: process.cwd(), env: process.env };
  mkdirSync(test.info().outputPath('team'), { recursive: true });
  process.chdir(test.info().outputPath());
  process.env = { ...env };
  try {
    for (const name of names.split(' ')) writeFileSync(name, '');
    return run();
  } finally {
    process.chdir(before.cwd);
    process.env = before.env;
  }
}

const named = { PUBLIC_API_TARGETS: 'team/t.yaml' };
for (const [what, names, env, targets, known] of [
  ['the usual ones', 'targets.yaml known.yaml', {}, 'targets.yaml', 'known.yaml'],
  ['known.yaml alone', 'known.yaml', {}, undefined, 'known.yaml'],
  ['a named one', 'targets.yaml known.yaml team/t.yaml', named, 'team/t.yaml', undefined],
  ['those elsewhere', 'known.yaml team/known.yaml', named, 'team/t.yaml', 'team/known.yaml'],
  ['named deviations', 'known.yaml', { PUBLIC_API_KNOWN: 'k.yaml' }, undefined, 'k.yaml'],
  ['the right one of two', 'targets.yaml targets.yml', {}, 'targets.yaml', undefined],
] as const)
  test(`of the files of targets and known deviations these are read: ${what}`, () => {
    const settings = inFolder(names, env, () => loadSettings());
    expect([settings.targets, settings.known]).toEqual([targets, known]);
  });

for (const [name, right] of [
  ['targets.yml', 'targets.yaml'],
  ['.env.local', '.env'],
  ['.env.txt', '.env'],
] as const)
  test(`${name} is refused, unless an address is set`, () => {
    const load = (env: object) => inFolder(name, env, () => errorLines(() => loadSettings()));
    expect(load({})).toEqual([`${name} is not read: rename it to ${right}`]);
    expect(load({ PUBLIC_API_BASE_URL: 'https://a.test' }).join()).not.toContain('is not read');
  });

test('options replace the settings of .env and of the environment', () =>
  inFolder('other.env', { PUBLIC_API_TARGET: 'c' }, () => {
    writeFileSync('.env', 'PUBLIC_API_REPORTS=a\nPUBLIC_API_KNOWN=b\n');
    expect([reportsFolder(), knownFile()]).toEqual(['a', 'b']);
    useOptions({ env: 'other.env', targets: 'team/t.yaml' });
    expect([reportsFolder(), knownFile()]).toEqual(['reports', 'team/known.yaml']);
    useOptions({ known: 'k.yaml', target: 'd', reports: 'r' });
    const set = { known: 'k.yaml', target: 'd', reports: 'r', targets: 'team/t.yaml' };
    expect(loadSettings()).toMatchObject(set);
    expect([reportsFolder(), knownFile()]).toEqual(['r', 'k.yaml']);
  }));
