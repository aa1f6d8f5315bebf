import { codeOf } from '../../settings/files.ts';
import { FileRefused, readRegularFile } from '../../settings/regular-file.ts';

/**
 * The text of a UTF-8 file.
 * @param most the largest accepted size in bytes
 * @throws Error whose message follows the file's name, in one line
 */
export function fileText(file: string, most: number): string {
  const bytes = bytesOf(file, most);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('is not UTF-8');
  }
}

function bytesOf(file: string, most: number): Buffer {
  try {
    return readRegularFile(file, most);
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    const code = codeOf(error);
    throw new Error(code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`);
  }
}
