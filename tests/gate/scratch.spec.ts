import { existsSync, mkdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { scratch } from '../../contract/round/scratch.ts';
import { expect, test } from './process.ts';

test('a server gets an address even if the temporary folder is deep', async ({ folder }) => {
  const deep = path.join(folder, ...Array.from({ length: 6 }, () => 'a-long-name-of-a-folder'));
  mkdirSync(deep, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = deep;
  const { folder: own, address, remove } = scratch('gate');
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(address, resolve);
  });
  expect(existsSync(own)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  remove();
  expect(existsSync(own)).toBe(false);
});

test('a temporary folder that does not exist ends the gate with one line', async ({
  folder,
  gate,
}) => {
  const run = await gate(['TOKEN-1'], { TMPDIR: path.join(folder, 'missing') });
  expect(run).toMatchObject({
    exit: 2,
    stderr: `no temporary folder can be made in ${folder}/missing (ENOENT): set TMPDIR to a writable folder\n`,
  });
});
