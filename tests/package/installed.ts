import { spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npmEnvironment } from '../npm-environment.ts';
import { type Environment, fromRoot, type Ran, type Running, startProgram } from '../process.ts';
import { test as base } from '../test.ts';

/** The package of this project, installed by npx in a folder without anything else. */
export interface Installed {
  /** The paths in the tarball. */
  readonly packed: readonly string[];
  /** The folder of packages in which it was installed. */
  readonly modules: string;
  /** The result of `npx --package=TARBALL public-api-contract gate` in an empty folder, and that folder. */
  readonly npx: Ran & { readonly cwd: string };
  /** Starts one of its commands in a folder, found the way npx finds it. */
  start(cwd: string, line: readonly string[], env?: Environment): Running;
}

/** A PATH as on a machine that has no other packages than these. */
const pathTo = (bin: string): string =>
  [bin, ...(process.env.PATH ?? '').split(path.delimiter)]
    .filter((folder) => folder === bin || !folder.includes('node_modules'))
    .join(path.delimiter);

function npm(command: 'npm' | 'npx', args: readonly string[], cwd: string): Ran {
  const { status, stdout, stderr } = spawnSync(command, ['--loglevel=error', ...args], {
    cwd,
    encoding: 'utf8',
    timeout: 400_000,
    env: { PATH: pathTo(path.dirname(process.execPath)), ...npmEnvironment },
  });
  return { exit: status, stdout, stderr };
}

/** The folders in which npx caches what it installs, by the path of the tarball. */
function foldersOfNpx(tarball: string): string[] {
  const kept = path.join(npm('npm', ['config', 'get', 'cache'], '.').stdout.trim(), '_npx');
  return globSync('*/package.json', { cwd: kept })
    .map((file) => path.join(kept, file))
    .filter((file) => readFileSync(file, 'utf8').includes(path.basename(path.dirname(tarball))))
    .map((file) => path.dirname(file));
}

/** Tests of the packed package, which is packed and installed once. */
export const test = base.extend<object, { installed: Installed }>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'packed-'));
      const cwd = path.join(folder, 'empty');
      const packing = ['pack', '--json'];
      mkdirSync(cwd);
      const [{ filename, files }]: [{ filename: string; files: { path: string }[] }] = JSON.parse(
        npm('npm', [...packing, '--pack-destination', folder], fromRoot('.')).stdout,
      );
      const tarball = path.join(folder, filename);
      try {
        const command = ['--yes', `--package=${tarball}`, 'public-api-contract', 'gate'];
        const npx = npm('npx', command, cwd);
        const [place = ''] = foldersOfNpx(tarball);
        const modules = path.join(place, 'node_modules');
        const bin = path.join(modules, '.bin');
        // Only pact-verify needs it, and its hundred packages take as long to install as all others.
        const pact = '@pact-foundation';
        symlinkSync(fromRoot(`node_modules/${pact}`), path.join(modules, pact));
        await use({
          packed: files.map((file) => file.path),
          modules,
          npx: { ...npx, cwd },
          start: (where, [command = '', ...args], env = {}) =>
            startProgram(where, path.join(bin, command), args, { PATH: pathTo(bin), ...env }),
        });
      } finally {
        for (const place of [...foldersOfNpx(tarball), folder]) rmSync(place, { recursive: true });
      }
    },
    { scope: 'worker', timeout: 500_000 },
  ],
});

/** A folder of the test's own with these files. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = test.info().outputPath('folder');
  for (const [name, text] of Object.entries({ '.keep': '', ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}
