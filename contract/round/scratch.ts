import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../user-error.ts';

const windows = process.platform === 'win32';

/** The path of a socket file may have little more than a hundred bytes. */
const longestFolder = 80;

/** A folder for this process alone, for socket files and temporary data. */
export interface Scratch {
  readonly folder: string;
  /** An address at which one server can listen: a socket file in the folder, or a pipe on Windows. */
  readonly address: string;
  remove(): void;
}

/** Creates such a folder; every orderly end of the process removes it. @throws UserError */
export function scratch(name: string): Scratch {
  const temporary = os.tmpdir();
  const tooLong = !windows && Buffer.byteLength(temporary) > longestFolder;
  const folder = made(path.join(tooLong ? '/tmp' : temporary, `${name}-`));
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  const address = windows ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'socket');
  return { folder, address, remove };
}

/** A container with a read-only root may have no folder for temporary files. */
function made(prefix: string): string {
  try {
    return mkdtempSync(prefix);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UserError(
      `no temporary folder can be made in ${path.dirname(prefix)}${code}: set TMPDIR to a writable folder`,
    );
  }
}
