import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { paths } from '../house/tree.ts';
import { foldersIn, type Machine, runJob } from './runner.ts';
import { workflow } from './stage.ts';

const { systems = {} } = workflow('check.yml').jobs;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of tests that run on every system. */
const tested = ['judge', 'schemas', 'simulation', 'time'].map((name) => `tests/${name}`);

/** Replacements for npm and npx that only find a missing script or a missing file in the steps of the workflow. */
const programs = {
  npm: `
case "$1" in
  run) node --print 'require("./package.json").scripts[process.argv[1]] ?? process.exit(1)' "$2";;
  exec) echo "$*";;
  pack) touch "$3/$(node --print 'const { name, version } = require("./package.json"); name + "-" + version').tgz";;
esac`,
  npx: `
for word; do case "$word" in --package=*) test -f "\${word#--package=}" || exit 9;; esac; done
echo "npx $*"`,
};

/** A simulated machine with a checkout of this project and its packages. */
function machine(): Machine {
  const folders = foldersIn(test.info().outputPath('machine'));
  for (const name of readdirSync(root).filter((one) => !/^(\.git|\.env|reports|state)$/.test(one)))
    symlinkSync(path.join(root, name), path.join(folders.workspace, name));
  for (const [name, script] of Object.entries(programs))
    writeFileSync(path.join(folders.temporary, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return {
    ...folders,
    env: { PATH: [folders.temporary, path.dirname(process.execPath), process.env.PATH].join(':') },
    actions: { 'actions/checkout': () => {}, 'actions/setup-node': () => {} },
  };
}

test('the steps of each system run the gate, the probe, tests of the judge and the package', async () => {
  const contexts = { matrix: { values: { node: '24' } } };
  const { standing, stdout, stderr } = await runJob(systems, contexts, machine());
  expect({ standing, stderr }).toEqual({ standing: 'success', stderr: '' });
  for (const program of ['gate/main.js', 'monitor/probe/main.ts'])
    expect(stdout).toMatch(new RegExp(`^node .* ${program}$`, 'm'));
  const [, folders = ''] = /^exec -- playwright test (.*)$/m.exec(stdout) ?? [];
  expect(folders.split(' ')).toEqual(tested);
  expect(stdout).toMatch(
    /\nnpx --yes --package=\.\/public-api-contract-\S+ public-api-contract gate\n/,
  );
});

test('the systems are Ubuntu, Alpine, macOS, Windows and arm64', () => {
  const { include } = Object(systems).strategy.matrix;
  const names = include.map(
    (one: { machine: string; container?: string }) => one.container ?? one.machine,
  );
  expect(names).toEqual([
    'ubuntu-24.04',
    'ubuntu-24.04-arm',
    'windows-2025',
    'macos-15',
    'node:24-alpine',
  ]);
});

test('the tests of all systems need no program of Debian', () => {
  for (const folder of tested) {
    const specs = paths.filter((file) => file.startsWith(`${folder}/`));
    expect(specs.length, folder).toBeGreaterThan(4);
    const needing = specs.filter((file) =>
      /\bneeds\(/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(needing).toEqual([]);
  }
});

test('Dependabot knows every lock file, and every folder with workflows or an action', () => {
  const { updates } = parse(readFileSync(path.join(root, '.github/dependabot.yml'), 'utf8'));
  const known = (ecosystem: string): string[] =>
    updates.find((one: Record<string, unknown>) => one['package-ecosystem'] === ecosystem)
      ?.directories;
  const folders = (file: RegExp): string[] => [
    ...new Set(paths.filter((one) => file.test(one)).map((one) => `/${path.posix.dirname(one)}`)),
  ];
  const rooted = (name: string): string => name.replace(/^\/(\.|\.github\/workflows)$/, '/');
  expect(known('npm').toSorted()).toEqual(
    folders(/(^|\/)package-lock\.json$/)
      .map(rooted)
      .sort(),
  );
  const actions = folders(/(^|\/)\.github\/workflows\/.*\.yml$|^action\.yml$/).map(rooted);
  expect(known('github-actions').toSorted()).toEqual([...new Set(actions)].sort());
});
