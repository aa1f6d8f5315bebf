import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersIn, type Machine } from '../workflows/runner.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A folder that a test may change, removed when it goes out of scope. */
export interface Checkout extends AsyncDisposable {
  readonly folder: string;
}

/** A copy of some files and folders of a folder, with the packages of this project. */
export async function checkoutOf(from: string, names: readonly string[]): Promise<Checkout> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'checkout-'));
  for (const name of names)
    await cp(path.join(from, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Links this project into a folder, without what its runs leave behind. */
export function linkProject(folder: string): void {
  for (const name of readdirSync(root).filter((one) => !/^(\.git|\.env|reports|state)$/.test(one)))
    symlinkSync(path.join(root, name), path.join(folder, name));
}

/** A simulated machine of GitHub for a push. A link to the installed packages replaces `npm ci`. */
export function machineIn(folder: string, sha: string, branch = 'main'): Omit<Machine, 'actions'> {
  const folders = foldersIn(folder);
  const { temporary } = folders;
  const installed = `ln -sfn '${path.join(root, 'node_modules')}' node_modules`;
  const real = 'PATH="${PATH#*:}" exec npm "$@"';
  writeFileSync(
    path.join(temporary, 'npm'),
    `#!/bin/sh\nif [ "$1" = ci ]; then ${installed}; else ${real}; fi\n`,
    { mode: 0o755 },
  );
  return {
    ...folders,
    env: {
      PATH: [temporary, path.join(root, 'node_modules/.bin'), process.env.PATH].join(':'),
      HOME: temporary,
      RUNNER_TEMP: temporary,
      GITHUB_ACTIONS: 'true',
      GITHUB_SHA: sha,
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF_NAME: branch,
      npm_config_update_notifier: 'false',
    },
  };
}
