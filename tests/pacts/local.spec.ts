import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { localPacts } from '../../pacts/local.ts';
import { PactError } from '../../pacts/pact.ts';
import { interaction, pactText } from './made-up.ts';

let folder = '';
test.beforeEach(() => {
  folder = test.info().outputPath();
});

/** Writes a file into the folder. @returns its path */
const written = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};

test('files and folders are read in the order of their paths, and each once', async () => {
  const two = await written('two.json', pactText([interaction()]));
  const one = await written('one.json', pactText([interaction()]));
  await written('notes.txt', 'nothing');
  const found = await localPacts('public-api', [two, folder]);
  expect(found.map(({ from }) => path.resolve(from))).toEqual([one, two]);
});

test('a missing file, or a folder without a pact, is reported', async () => {
  const missing = path.join(folder, 'missing.json');
  for (const [place, why] of [
    [
      missing,
      "no such file or folder; without names PACT_BROKER_BASE_URL selects a broker's pacts",
    ],
    [folder, 'the folder holds no pact (*.json)'],
  ] as const)
    await expect(localPacts('public-api', [place])).rejects.toThrow(
      new PactError(`${place}: ${why}`),
    );
});

test('a pact of another provider is reported with both names', async () => {
  const file = await written(
    'other.json',
    pactText([interaction()], { provider: { name: 'billing' } }),
  );
  const message = /other\.json: its provider is "billing", not "public-api": set PACT_PROVIDER/;
  await expect(localPacts('public-api', [file])).rejects.toThrow(message);
  expect(await localPacts('billing', [file])).toHaveLength(1);
});
