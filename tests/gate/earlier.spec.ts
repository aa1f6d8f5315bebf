import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, namingWithoutClock, report, test } from './process.ts';

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
    [[], { GIT_COMIT: 'abc' }],
  ] as const) {
    await earlierGreen(folder);
    expect(await gate(args, env)).toExitWith(2);
    expect(await left(folder)).toEqual(['pacts.json']);
  }
});

test('a run without judged clauses replaces the report of an earlier run', async ({
  folder,
  gate,
  serve,
}) => {
  const { baseUrl, close } = await serve();
  await close();
  await earlierGreen(folder);
  const run = await gate([], namingWithoutClock(baseUrl));
  expect(run).toExitWith(2);
  const own = ['playwright', 'playwright-html'];
  expect(await left(folder)).toEqual([...files.slice(0, 3), 'pacts.json', ...own]);
  expect(JSON.parse(await report(run, 'gate.json')).exit).toBe(2);
});

test('commands that never judge leave the reports alone', async ({ folder, gate }) => {
  await earlierGreen(folder);
  for (const args of [['--help'], ['--list'], ['--list', 'nonsense']]) await gate(args);
  expect(await left(folder)).toEqual([...files.slice(0, 3), 'pacts.json', 'playwright-html']);
});
