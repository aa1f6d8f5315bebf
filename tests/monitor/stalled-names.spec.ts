import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { ours, startNode } from '../process.ts';

/** Without enough threads the program never ends. */
test.describe.configure({ timeout: 60_000 });

/** Opens a pipe without a writer as often as names stall: each keeps a thread of Node's pool, as such a name does. */
const program = `
  import dns from 'node:dns';
  import fs from 'node:fs';
  for (let count = 0; count < 20; count++) fs.open('pipe', () => {});
  dns.lookup('localhost', () => {
    console.log('resolved with ' + process.env.UV_THREADPOOL_SIZE + ' threads');
    fs.closeSync(fs.openSync('pipe', 'w'));
  });
`;

/** Node's options and preloads in the command of `npm start`. */
const { scripts } = JSON.parse(readFileSync(ours('package.json'), 'utf8'));
const options = String(scripts.start)
  .split(' ')
  .slice(1, -1)
  .map((word) => (word.startsWith('./') ? ours(word) : word));

for (const [size, env] of [
  ['64', {}],
  ['23', { UV_THREADPOOL_SIZE: '23' }],
] as const)
  test(`twenty names that stall delay no other with ${size} threads`, async () => {
    const folder = test.info().outputPath();
    spawnSync('mkfifo', [`${folder}/pipe`]);
    writeFileSync(`${folder}/program.mjs`, program);
    await using running = startNode(folder, [...options, 'program.mjs'], env);
    expect(await running.line(/^(.*)\n/)).toBe(`resolved with ${size} threads`);
    expect((await running.ended).exit).toBe(0);
  });
