import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { installation } from '../../tools/setup/main.ts';
import { fromRoot } from '../process.ts';

/** Writes these commands into a folder for PATH. */
function folderOf(commands: Readonly<Record<string, string>>): string {
  const folder = test.info().outputPath('bin');
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(commands))
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}

/** Runs `npm run setup` on a machine that has only these commands. */
function setup(commands: Readonly<Record<string, string>>) {
  const env = { PATH: folderOf(commands) };
  return spawnSync(process.execPath, [fromRoot('tools/setup/main.ts')], { env, encoding: 'utf8' });
}

test('a machine without apt-get gets a list of what to install, and setup fails', () => {
  const ruby = 'case "$*" in *sinatra*jwt*puma*|*bundler*) exit 1;; esac';
  const { status, stdout, stderr } = setup({ openssl: 'exit 0', promtool: 'exit 1', ruby });
  expect(stdout).toMatch(/^openssl +installed$/m);
  expect(stdout).toMatch(/^promtool +missing \(Debian: prometheus\) Prometheus' tool/m);
  expect(stdout).toContain(' missing (Debian: ruby ruby-sinatra ruby-jwt puma) ');
  expect(stderr).toContain('The packages were not installed: that takes apt-get, and root or sudo');
  expect(stdout).toMatch(/^pact-broker +missing /m);
  expect(status).toBe(1);
});

/** Commands of a machine on which `bundle` gives the broker's gems. */
function machine() {
  const [packages, gems, calls] = ['packages', 'gems', 'calls'].map((name) =>
    test.info().outputPath(name),
  );
  return {
    'apt-get': 'exit 1',
    sudo: 'shift; "$@"',
    sh: `echo "$2" > '${packages}'`,
    ruby: `case "$*" in *bundler/setup*) [ -e '${gems}' ];; *) exit 1;; esac`,
    bundle: `echo "$* $BUNDLE_PATH" >> '${calls}'\n: > '${gems}'`,
  };
}

test('gems are installed into this project, after the packages that they need', () => {
  const { stdout } = setup(machine());
  expect(stdout).toContain('Installing the gems of the broker, which takes about a minute …');
  expect(stdout).toMatch(/^pact-broker +installed$/m);
  expect(readFileSync(test.info().outputPath('packages'), 'utf8')).toContain(' ruby-dev ');
  expect(readFileSync(test.info().outputPath('calls'), 'utf8')).toMatch(
    /^install --jobs 4 --quiet \/.*\/\.broker\/gems\n$/,
  );
});

/** Runs the installation with an apt-get that records its arguments and the result of the policy for services. */
function install(policy: string, aptGet: string): { status: number | null; calls: string[] } {
  const calls = test.info().outputPath('calls');
  const note = `echo "$*, policy: $('${policy}'; echo $?)" >> '${calls}'`;
  const folder = folderOf({ 'apt-get': `${note}\n${aptGet}` });
  const { status } = spawnSync('/bin/sh', ['-c', installation(['ruby', 'puma'], policy)], {
    env: { PATH: `${folder}:/usr/bin:/bin` },
    stdio: 'ignore',
  });
  return { status, calls: readFileSync(calls, 'utf8').trim().split('\n') };
}

test('packages are installed by one call while services may not start, also when it fails', () => {
  const policy = test.info().outputPath('policy');
  const { status, calls } = install(policy, 'case "$*" in *install*) exit 100;; esac');
  expect(calls).toEqual([
    expect.stringMatching(/ update -q, policy: 101$/),
    expect.stringMatching(/ install .*--no-install-recommends ruby puma, policy: 101$/),
  ]);
  expect(status).toBe(100);
  expect(existsSync(policy)).toBe(false);
});

test("a machine's own policy is kept, and without package lists no package is installed", () => {
  const policy = test.info().outputPath('policy');
  writeFileSync(policy, 'own');
  const { status, calls } = install(policy, 'exit 100');
  expect(status).toBe(100);
  expect(calls).toHaveLength(1);
  expect(readFileSync(policy, 'utf8')).toBe('own');
});
