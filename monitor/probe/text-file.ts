import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DeliveryError } from './delivery-error.ts';

/**
 * Writes a file that others may read. A concurrent reader sees the old or the new one, never half of it, and
 * node_exporter, which reads `*.prom`, does not see the file beside it that becomes the new one.
 * @throws Undelivered
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  // A link leads where it led before.
  const at = await realpath(file).catch(() => file);
  const there = await stat(at).catch(() => undefined);
  if (there !== undefined && !there.isFile())
    throw new DeliveryError(`--metrics ${file} is not a regular file: name one, or - for stdout`);
  const fresh = path.join(path.dirname(at), `.${path.basename(at)}.${randomUUID()}`);
  try {
    const handle = await open(fresh, 'wx', 0o644);
    try {
      await handle.writeFile(text);
      // The umask of the caller must not hide it from node_exporter, which is another user.
      await handle.chmod(0o644);
    } finally {
      await handle.close();
    }
    await rename(fresh, at);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new DeliveryError(`--metrics ${file} could not be written (${code})`);
  }
}
