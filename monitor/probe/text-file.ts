import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DeliveryError } from './delivery-error.ts';

/**
 * Writes a file that others may read. A concurrent reader sees either the old or the new file, never a part.
 * node_exporter, which reads `*.prom`, does not see the temporary file beside it.
 * @throws DeliveryError
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  // Through a symbolic link, the file that it points to is replaced.
  const at = await realpath(file).catch(() => file);
  const there = await stat(at).catch(() => undefined);
  if (there !== undefined && !there.isFile())
    throw new DeliveryError(`--metrics ${file} is not a regular file: name one, or - for stdout`);
  const fresh = path.join(path.dirname(at), `.${path.basename(at)}.${randomUUID()}`);
  try {
    const handle = await open(fresh, 'wx', 0o644);
    try {
      await handle.writeFile(text);
      // The caller's umask must not hide it from node_exporter, which runs as another user.
      await handle.chmod(0o644);
    } finally {
      await handle.close();
    }
    await rename(fresh, at);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const why = code === 'ENOENT' ? 'its folder does not exist' : code;
    throw new DeliveryError(`--metrics ${file} could not be written (${why})`);
  }
}
