/**
 * A report could not be written: one line that says which and why. The verdict stands, on the terminal and as an exit
 * code; only a round that would exit 0 must exit 3, because the evidence of its green is missing.
 */
export class ReportError extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what} cannot be written: ${meaning(cause)}`, { cause });
    this.name = 'ReportError';
  }
}

/** Writes every report. What cannot be written is told, a line each. @returns whether all were */
export async function allWritten(writes: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  let written = true;
  for (const write of writes)
    try {
      await write();
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      process.stderr.write(`${error.message}\n`);
      written = false;
    }
  return written;
}

const meanings: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many open files',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a file is in the place of the folder',
  EISDIR: 'a folder stands there',
};

function meaning(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return Object.hasOwn(meanings, code) ? `${meanings[code]} (${code})` : code || cause.message;
}
