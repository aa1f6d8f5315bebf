import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** The largest files that are read, in bytes, by content. The certificates that a system trusts have 0.2 MiB. */
export const largest = {
  credential: 64 * kibibyte,
  certificates: mebibyte,
  payloadSchema: mebibyte,
  targets: 4 * mebibyte,
};

/** A file that is not read, with the reason: words that follow its name. */
export class FileRefused extends Error {}

/**
 * The bytes of a regular file. A pipe would wait for its writer, and a device such as /dev/zero never ends, so
 * neither is read. The reported size of a file is not trusted: files in /proc report none.
 * @param most the largest accepted size in bytes
 * @throws FileRefused
 * @throws an error of the file system
 */
export function readRegularFile(file: string, most: number): Buffer {
  // Without O_NONBLOCK opening a pipe waits for a writer. Windows has no such flag, nor pipes among its files.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const about = fstatSync(descriptor);
    if (!about.isFile()) throw new FileRefused('is not a regular file');
    if (about.size <= most) {
      const bytes = readUpTo(descriptor, most + 1);
      if (bytes.length <= most) return bytes;
    }
    throw new FileRefused(`is larger than ${sizeText(most)}`);
  } finally {
    closeSync(descriptor);
  }
}

function readUpTo(descriptor: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < most) {
    const chunk = Buffer.alloc(Math.min(64 * kibibyte, most - total));
    const count = readSync(descriptor, chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return Buffer.concat(chunks);
}

const sizeText = (bytes: number): string =>
  bytes < mebibyte ? `${bytes / kibibyte} KiB` : `${bytes / mebibyte} MiB`;
