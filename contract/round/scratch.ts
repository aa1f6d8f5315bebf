import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../user-error.ts';

/** A folder for this process alone, and an address in it at which one server can listen. */
export interface Scratch {
  readonly folder: string;
  readonly address: string;
  remove(): void;
}

/** Creates such a folder; every orderly end of the process removes it. @throws UserError */
export function scratch(name: string): Scratch {
  const isWindows = process.platform === 'win32';
  // The path of a socket file may have little more than a hundred bytes.
  const parent = !isWindows && Buffer.byteLength(os.tmpdir()) > 80 ? '/tmp' : os.tmpdir();
  const folder = makeFolder(parent, `${name}-`);
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  const pipe = `\\\\.\\pipe\\${path.basename(folder)}`;
  return { folder, address: isWindows ? pipe : path.join(folder, 'socket'), remove };
}

/** A container with a read-only root may have no folder for temporary files. */
function makeFolder(parent: string, prefix: string): string {
  try {
    return mkdtempSync(path.join(parent, prefix));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UserError(
      `no temporary folder can be made in ${parent}${code}: set TMPDIR to a writable folder`,
    );
  }
}
