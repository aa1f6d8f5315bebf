import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../command.ts';

/** Creates a folder for this process alone, which every orderly end of it removes. @throws UserError */
export function scratch(name: string) {
  const folder = makeFolder(name);
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return { folder, remove };
}

/** A container with a read-only root may have no folder for temporary files. */
function makeFolder(name: string): string {
  try {
    return mkdtempSync(path.join(os.tmpdir(), `${name}-`));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UserError(
      `no temporary folder can be made in ${os.tmpdir()}${code}: set TMPDIR to a writable folder`,
    );
  }
}
