import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { settings } from '../../settings/table.ts';
import { root } from './checkout.ts';

const page = readFileSync(path.join(root, 'pacts/README.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const recipe = (language: string): string =>
  new RegExp(`\\n\`\`\`${language}\\n(.*?)\\n\`\`\`\\n`, 's').exec(page)?.[1] ?? '';

for (const language of ['yaml', 'groovy'])
  test(`the recipe in ${language} runs the gate and verifies the pacts, by settings that exist`, () => {
    const text = recipe(language);
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(commands).toEqual(['gate', 'pact:verify']);
    expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
    const known = new Set(settings.map(({ name }) => name));
    const named = [...text.matchAll(/\b(PUBLIC_API|PACT)_\w+/g)].map(([name]) => name);
    expect(named).toContain('PUBLIC_API_BASE_URL');
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

test("GitLab's recipe is YAML, and keeps the reports of a failed job", () => {
  expect(parse(recipe('yaml'))).toMatchObject({
    contract: { script: expect.any(Array), artifacts: { when: 'always' } },
  });
});
