import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
