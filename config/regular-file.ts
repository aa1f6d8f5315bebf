import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

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
 * The text of a regular file. Pipes and devices are refused: reading a pipe would wait for its writer, and a device
 * such as /dev/zero never ends. The reported size is not trusted: files in /proc report 0.
 * @param most the largest accepted size in bytes
 * @throws FileRefused
 */
export function readText(file: string, most: number): string {
  const bytes = readBytes(file, most);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileRefused('is not UTF-8');
  }
}

function readBytes(file: string, most: number): Buffer {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer. Windows has neither this flag nor pipes as files.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const about = fstatSync(descriptor);
    if (!about.isFile()) throw new FileRefused('is not a regular file');
    const bytes = about.size > most ? undefined : readFileSync(descriptor);
    if (bytes !== undefined && bytes.length <= most) return bytes;
    throw new FileRefused(`is larger than ${sizeText(most)}`);
  } catch (error) {
    throw error instanceof FileRefused
      ? error
      : new FileRefused(`cannot be read (${codeOf(error)})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The code of a file system error, such as ENOENT. The error's message would quote the path. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';

const sizeText = (bytes: number): string =>
  bytes < mebibyte ? `${bytes / kibibyte} KiB` : `${bytes / mebibyte} MiB`;
