import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { installation } from '../../tools/setup/packages.ts';
import { find, programs } from '../../tools/setup/programs.ts';

const main = fileURLToPath(new URL('../../tools/setup/main.ts', import.meta.url));

/** Runs `npm run setup` on a machine that has only these commands. */
function setup(commands: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    env: { PATH: folderOf(commands) },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Writes these commands into a folder for PATH. */
function folderOf(commands: Readonly<Record<string, string>>): string {
  const folder = test.info().outputPath('bin');
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

test('a machine without apt-get gets a list of what to install, and setup fails', () => {
  const { status, stdout, stderr } = setup({ openssl: 'exit 0' });
  expect(stdout).toMatch(/^openssl +\/.*\/bin\/openssl$/m);
  expect(stdout).toMatch(/^promtool +missing: prometheus$/m);
  expect(stderr).toContain('No package was installed: this system has no apt-get');
  expect(stderr).toContain('(Debian: ruby ruby-sinatra ruby-jwt puma)');
  expect(stderr).toMatch(/^Missing: .*promtool.*ruby.*\.$/m);
  expect(stderr).not.toMatch(/^Missing: .*openssl/m);
  expect(status).toBe(1);
});

test('each program has one line, without colours outside a terminal', () => {
  const { stdout } = setup({});
  expect(stdout.trim().split('\n')).toHaveLength(programs.length);
  expect(stdout).not.toContain('\u001b');
});

test('a program that does not run is missing', () => {
  expect(setup({ promtool: 'exit 1' }).stdout).toMatch(/^promtool +missing/m);
  expect(setup({ promtool: 'exit 0' }).stdout).toMatch(/promtool +\/.*promtool/);
});

test('a Ruby without the libraries is missing', () => {
  const ruby = 'case "$*" in *sinatra*jwt*puma*) exit 1;; *) exit 0;; esac';
  expect(setup({ ruby }).stdout).toMatch(/^ruby +missing/m);
});

/** A Ruby that can compile, and that finds the broker's gems after `bundle` has succeeded. */
function rubyWithBundle(bundle: string) {
  const [gems, calls] = ['gems', 'calls'].map((name) => test.info().outputPath(name));
  return {
    ruby: `case "$*" in *bundler/setup*) [ -e '${gems}' ];; *mkmf*) exit 0;; *) exit 1;; esac`,
    bundle: `echo "$* $BUNDLE_PATH" >> '${calls}'\n${bundle}\n: > '${gems}'`,
  };
}

test('gems are installed into this project, also by a user who may not install packages', () => {
  const { stdout, stderr } = setup(rubyWithBundle(''));
  expect(stdout).toMatch(/^pact-broker +missing: ruby .*ruby-dev/m);
  expect(stdout).toMatch(/^pact-broker +installing its gems, which takes about a minute …$/m);
  expect(stdout).toMatch(/^pact-broker +\/.*\/\.broker$/m);
  expect(readFileSync(test.info().outputPath('calls'), 'utf8')).toMatch(
    /^install --jobs 4 --quiet \/.*\/\.broker\/gems\n$/,
  );
  expect(stderr).toMatch(/^Missing: .*\bpromtool\b.*\.$/m);
  expect(stderr).not.toMatch(/^Missing: .*pact-broker/m);
});

/** Commands with which packages can be installed; `sh` runs this instead of the installation script. */
const aptGet = (sh: string) => ({ 'apt-get': 'exit 1', sudo: 'shift; "$@"', sh });

/** A shell's wait for a file. */
const awaits = (file?: string) =>
  `i=0; while [ ! -e '${file}' ]; do i=$((i+1)); [ $i -lt 500 ] || exit 7; /bin/sleep 0.02; done`;

test('gems and packages are installed at the same time', () => {
  const [begun, packages] = ['begun', 'packages'].map((name) => test.info().outputPath(name));
  const { stdout } = setup({
    ...rubyWithBundle(`: > '${begun}'\n${awaits(packages)}`),
    ...aptGet(`${awaits(begun)}\n: > '${packages}'`),
  });
  expect(stdout).toMatch(/^pact-broker +\/.*\/\.broker$/m);
});

test('gems are installed beside the packages that they do not need', () => {
  const [own, begun, packages] = ['own', 'begun', 'packages'].map((name) =>
    test.info().outputPath(name),
  );
  const { ruby, bundle } = rubyWithBundle(`: > '${begun}'\n${awaits(packages)}`);
  const { stdout } = setup({
    ruby: `[ -e '${own}' ] || exit 1\n${ruby}`,
    bundle,
    ...aptGet(`if [ -e '${own}' ]; then ${awaits(begun)}; : > '${packages}'; fi; : > '${own}'`),
  });
  expect(stdout).toMatch(/^pact-broker +\/.*\/\.broker$/m);
});

test('gems are installed after the packages that they need', () => {
  const packages = test.info().outputPath('packages');
  const { ruby, bundle } = rubyWithBundle('');
  const { stdout } = setup({
    ruby: `[ -e '${packages}' ] || exit 1\n${ruby}`,
    bundle,
    ...aptGet(`: > '${packages}'`),
  });
  expect(stdout).toMatch(/^pact-broker +\/.*\/\.broker$/m);
});

test("gems that cannot be installed are missing, with Bundler's message", () => {
  const { status, stderr } = setup(rubyWithBundle('echo "no network"; exit 5'));
  expect(stderr).toContain('bundle install failed:\nno network\n');
  expect(stderr).toMatch(/^Missing: .*pact-broker/m);
  expect(status).toBe(1);
});

test('gems are not installed where they cannot be compiled', () => {
  const { stdout, stderr } = setup({ ruby: 'exit 1', bundle: 'exit 0' });
  expect(stdout).not.toContain('installing');
  expect(stderr).toMatch(/^ {2}pact-broker +\(Debian: .*ruby-dev.*gcc.*\)/m);
});

test('packages of a program that lacks only its gems are not installed again', () => {
  const script = test.info().outputPath('script');
  // The test reads the installation script, and does not run it.
  setup({ ...rubyWithBundle(''), ...aptGet(`echo "$2" > '${script}'`) });
  expect(readFileSync(script, 'utf8')).toContain(' ruby-sinatra ');
  expect(readFileSync(script, 'utf8')).not.toContain(' ruby-dev ');
});

test('--help explains each program, and installs nothing', () => {
  const { status, stdout } = setup({}, '--help');
  expect(status).toBe(0);
  for (const { name, why } of programs)
    expect(stdout.replace(/ +/g, ' ')).toContain(`\n ${name} ${why}\n`);
});

test('an unknown argument of setup is refused', () => {
  const { status, stderr } = setup({}, '--dry-run');
  expect(stderr).toContain(
    'npm run setup does not know "--dry-run": npm run setup -- --help explains it',
  );
  expect(status).toBe(2);
});

test('a path may hold a wildcard', () => {
  const folder = folderOf({ program: 'exit 0' });
  const program = { name: 'one', why: '', packages: [] };
  expect(find({ ...program, at: path.join(folder, 'pro*') })).toBe(path.join(folder, 'program'));
  expect(find({ ...program, at: path.join(folder, 'none*') })).toBeUndefined();
});

/** Runs the installation with an apt-get that records its arguments and the result of the policy for services. */
function install(policy: string, aptGet: string): { status: number | null; calls: string } {
  const calls = test.info().outputPath('calls');
  const note = `echo "$*, policy: $('${policy}'; echo $?)" >> '${calls}'`;
  const folder = folderOf({ 'apt-get': `${note}\n${aptGet}` });
  const { status } = spawnSync('/bin/sh', ['-c', installation(['ruby', 'puma'], policy)], {
    env: { PATH: `${folder}:/usr/bin:/bin` },
    stdio: 'ignore',
  });
  return { status, calls: readFileSync(calls, 'utf8') };
}

test('packages are installed by one call, while services may not start', () => {
  const policy = test.info().outputPath('policy');
  const { status, calls } = install(policy, 'exit 0');
  expect(calls.trim().split('\n')).toEqual([
    expect.stringMatching(/ update -q, policy: 101$/),
    expect.stringMatching(/ install .*--no-install-recommends ruby puma, policy: 101$/),
  ]);
  expect(status).toBe(0);
  expect(existsSync(policy)).toBe(false);
});

test('services may start again after a failed installation, which fails', () => {
  const policy = test.info().outputPath('policy');
  const { status } = install(policy, 'case "$*" in *install*) exit 100;; esac');
  expect(status).toBe(100);
  expect(existsSync(policy)).toBe(false);
});

test('no package is installed when the package lists could not be read', () => {
  const { status, calls } = install(test.info().outputPath('policy'), 'exit 100');
  expect(calls).not.toContain('install');
  expect(status).toBe(100);
});

test("a machine's own policy is kept", () => {
  const policy = test.info().outputPath('policy');
  writeFileSync(policy, 'own');
  install(policy, 'exit 0');
  expect(readFileSync(policy, 'utf8')).toBe('own');
});
