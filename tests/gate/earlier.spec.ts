import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from './process.ts';

const files = ['gate.html', 'gate.json', 'gate.xml', 'playwright-html'];

/** Writes the green reports of an earlier run into the folder in which the gate runs. */
async function earlierGreen(folder: string): Promise<void> {
  const reports = path.join(folder, 'reports');
  await mkdir(path.join(reports, 'playwright-html'), { recursive: true });
  for (const name of files.slice(0, 3)) await writeFile(path.join(reports, name), 'green');
  await writeFile(path.join(reports, 'playwright-html', 'index.html'), 'green');
  await writeFile(path.join(reports, 'pacts.json'), 'of another command');
}

const left = (folder: string): Promise<string[]> => readdir(path.join(folder, 'reports'));

test('a refused run leaves no earlier report behind', async ({ folder, gate }) => {
  for (const [args, env] of [
    [['--nonsense'], {}],
    [['no-such-probe'], {}],
    [[], { PUBLIC_API_BASE_URL: 'nowhere' }],
    [[], { PUBLIC_API_STRIKT: 'true' }],
  ] as const) {
    await earlierGreen(folder);
    expect(await gate(args, env)).toExitWith(2);
    expect(await left(folder)).toEqual(['pacts.json']);
  }
});

test('commands that never judge leave the reports alone', async ({ folder, gate }) => {
  await earlierGreen(folder);
  for (const args of [['--help'], ['--list'], ['--list', 'nonsense']]) await gate(args);
  expect(await left(folder)).toEqual([...files.slice(0, 3), 'pacts.json', 'playwright-html']);
});
