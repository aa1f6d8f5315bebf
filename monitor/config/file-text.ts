import { readFileSync, statSync } from 'node:fs';
import { codeOf } from '../../settings/files.ts';

const mostMebibytes = 4;

/** The text of a small UTF-8 file. @throws Error whose message goes on after the file's name, in one line */
export function fileText(file: string): string {
  const bytes = bytesOf(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('is not UTF-8');
  }
}

function bytesOf(file: string): Buffer {
  try {
    const about = statSync(file);
    if (about.isFile() && about.size <= mostMebibytes * 2 ** 20) return readFileSync(file);
    throw new Error(about.isFile() ? `is larger than ${mostMebibytes} MiB` : 'is no file');
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof Error && !('code' in error)) throw error;
    throw new Error(code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`);
  }
}
