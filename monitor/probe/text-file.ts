import { randomUUID } from 'node:crypto';
import { chmod, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DeliveryError } from './delivery-error.ts';

/**
 * Writes a file that others may read. A concurrent reader sees either the old or the new file, never a part.
 * node_exporter, which reads `*.prom`, does not see the temporary file beside it.
 * @throws DeliveryError
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  // Through a symbolic link, the file that it points to is replaced.
  const at = await realpath(file).catch(() => placeOf(file));
  const there = await stat(at).catch(() => undefined);
  if (there !== undefined && !there.isFile())
    throw new DeliveryError(`--metrics ${file} is not a regular file: name one, or - for stdout`);
  const fresh = path.join(path.dirname(at), `.${path.basename(at)}.${randomUUID()}`);
  try {
    await writeFile(fresh, text, { flag: 'wx', mode: 0o644 });
    // The caller's umask must not hide it from node_exporter, which runs as another user.
    await chmod(fresh, 0o644);
    await rename(fresh, at);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const why = code === 'ENOENT' ? 'its folder does not exist' : code;
    throw new DeliveryError(`--metrics ${file} could not be written (${why})`);
  }
}

/** The place of a file that does not exist yet: a symbolic link may point there. */
const placeOf = (file: string): Promise<string> =>
  readlink(file).then(
    (place) => path.resolve(path.dirname(file), place),
    () => file,
  );
