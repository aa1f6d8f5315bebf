import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** The size limits of files by content, in bytes. All trusted certificates of a system have 0.2 MiB. */
export const largest = {
  credential: 64 * kibibyte,
  certificates: mebibyte,
  payloadSchema: mebibyte,
  targets: 4 * mebibyte,
};

/** A file is not read. The message is the reason, in words that follow the file's name. */
export class FileRefused extends Error {}

/**
 * The bytes of a regular file. Pipes and devices are refused: reading a pipe would wait for its writer, and a device
 * such as /dev/zero never ends. The reported size of a file is not trusted: files in /proc report 0.
 * @param most the largest accepted size in bytes
 * @throws FileRefused
 * @throws an error of the file system
 */
export function readRegularFile(file: string, most: number): Buffer {
  // Without O_NONBLOCK, opening a pipe waits for a writer. Windows has neither this flag nor pipes as files.
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
