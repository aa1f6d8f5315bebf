import path from 'node:path';
import { expect, test } from './process.ts';

test('a temporary folder that does not exist ends the gate with one line', async ({
  folder,
  gate,
}) => {
  const run = await gate(['TOKEN-1'], { TMPDIR: path.join(folder, 'missing') });
  expect(run).toMatchObject({
    exit: 2,
    stderr: `no temporary folder can be made in ${folder}/missing: set TMPDIR to a writable folder\n`,
  });
});
