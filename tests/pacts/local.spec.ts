import { mkdir, readFile, writeFile } from 'node:fs/promises';
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

test('the files of this project are read where none is named', async () => {
  const found = await localPacts('public-api');
  expect(found.map(({ from, pact }) => [path.basename(from), pact.consumer])).toEqual([
    ['public-api-monitor-public-api.json', 'public-api-monitor'],
    ['widget-report-public-api.json', 'widget-report'],
  ]);
  for (const { from, pact } of found)
    expect(pact.document).toEqual(JSON.parse(await readFile(from, 'utf8')));
});

test('files and folders are read in the order of their paths, and each once', async () => {
  const two = await written('two.json', pactText([interaction()]));
  const one = await written('one.json', pactText([interaction()]));
  await written('notes.txt', 'nothing');
  const found = await localPacts('public-api', [two, folder]);
  expect(found.map(({ from }) => path.resolve(from))).toEqual([one, two]);
});

test('a missing file or folder is reported', async () => {
  const missing = path.join(folder, 'missing.json');
  await expect(localPacts('public-api', [missing])).rejects.toThrow(
    new PactError(`${missing}: no such file or folder`),
  );
});

test('a folder without a pact is reported', async () => {
  await expect(localPacts('public-api', [folder])).rejects.toThrow(
    new PactError(`${folder}: the folder holds no pact (*.json)`),
  );
});

test('a folder with the name of a pact file is reported', async () => {
  await mkdir(path.join(folder, 'folder.json'));
  await expect(localPacts('public-api', [folder])).rejects.toThrow(
    /folder\.json: it cannot be read \(EISDIR\)$/,
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

test('a pact of another provider in a folder is passed over, and a folder without any other pact is refused', async () => {
  const billing = { provider: { name: 'billing' } };
  await written('other.json', pactText([interaction()], billing));
  const refusal = 'no pact of the provider "public-api": set PACT_PROVIDER_NAME to its name';
  await expect(localPacts('public-api', [folder])).rejects.toThrow(refusal);
  const one = await written('one.json', pactText([interaction()]));
  const lines: string[] = [];
  const onPassedOver = (line: string) => lines.push(line);
  const found = await localPacts('public-api', [folder], { onPassedOver });
  expect(found.map(({ from }) => path.resolve(from))).toEqual([one]);
  expect(lines).toEqual([expect.stringMatching(/other\.json: passed over, its provider is "bil/)]);
});

test('the pacts of this project are about the provider, whatever its name is', async () => {
  for (const { pact } of await localPacts('billing'))
    expect([pact.provider, pact.document.provider]).toEqual(['billing', { name: 'billing' }]);
});
