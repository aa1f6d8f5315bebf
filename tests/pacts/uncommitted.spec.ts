import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { uncommittedPacts } from './uncommitted.ts';

const names = ['pacts/one.json', 'pacts/sandbox/two.json', 'pacts/three.json'];

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'checkout-'));
  await mkdir(path.join(folder, 'pacts/sandbox'), { recursive: true });
  for (const name of names) await write(name, '{}');
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string): Promise<void> =>
  writeFile(path.join(folder, name), text);

function git(...args: readonly string[]): void {
  const author = ['-c', 'user.name=author', '-c', 'user.email=author@example.com'];
  execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'pipe' });
}

test('a changed, deleted or new pact is found, and no other file', async () => {
  git('init');
  git('add', '.');
  git('commit', '--message', 'Pacts');
  expect(await uncommittedPacts(folder)).toEqual([]);
  await write('pacts/one.json', '{ }');
  await rm(path.join(folder, 'pacts/three.json'));
  await write('pacts/sandbox/four.json', '{}');
  await write('pacts/sandbox/notes.txt', '{}');
  await write('notes.json', '{}');
  expect((await uncommittedPacts(folder))?.sort()).toEqual([
    'pacts/one.json',
    'pacts/sandbox/four.json',
    'pacts/three.json',
  ]);
});

test('a folder without git has no committed pacts to compare', async () => {
  expect(await uncommittedPacts(folder)).toBeUndefined();
});
