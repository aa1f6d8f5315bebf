import { expect, test } from '@playwright/test';
import { textOf } from './tree.ts';

const lock: {
  readonly packages: Readonly<
    Record<string, { readonly integrity?: string; readonly libc?: unknown }>
  >;
} = JSON.parse(textOf('package-lock.json'));

test('the Node of the lock file is installed on systems with glibc only', () => {
  // Node's own package needs glibc but does not say so, and on Alpine it would hide the Node that runs there.
  const nodes = Object.entries(lock.packages).filter(([name]) =>
    /^node_modules\/node-linux-/.test(name),
  );
  expect(nodes).toHaveLength(2);
  for (const [name, { libc }] of nodes)
    expect(libc, `${name}: add "libc": ["glibc"] in package-lock.json by hand`).toEqual(['glibc']);
});

test('every package of the lock file has an integrity', () => {
  // npm ci checks a package only against the integrity that the lock file has.
  const without = Object.entries(lock.packages)
    .filter(([name, { integrity }]) => name !== '' && integrity === undefined)
    .map(([name]) => name);
  const remedy = 'delete the lock file, and let npm install --package-lock-only write a new one';
  expect(without, remedy).toEqual([]);
});
