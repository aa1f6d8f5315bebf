import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { gemsIn, installGems } from '../../tools/setup/gems.ts';
import { find, pactBroker } from '../../tools/setup/programs.ts';
import { needs } from '../programs.ts';

needs('pact-broker');

test('gems are there once they are installed, until the Gemfile names others', async () => {
  const sources = test.info().outputPath('sources');
  mkdirSync(sources);
  const gemfile = path.join(sources, 'Gemfile');
  const gems = gemsIn(test.info().outputPath('ignored'), gemfile);
  writeFileSync(gemfile, '');
  const program = { ...pactBroker, gems };
  expect(find(program)).toBeUndefined();
  await installGems(gems);
  expect(find(program)).toBe(gems.folder);
  writeFileSync(gemfile, 'gem "of-nobody-at-all", "1.0.0"\n');
  expect(find(program)).toBeUndefined();
  // Bundler's lock file contains host names, so it stays in the ignored folder.
  expect(readdirSync(sources)).toEqual(['Gemfile']);
});
