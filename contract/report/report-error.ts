/**
 * A report could not be written: one line with its name and the reason. The verdict is still printed and is the
 * exit code; only an exit code of 0 becomes 3, because the evidence of success is missing.
 */
export class ReportError extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what} cannot be written: ${meaning(cause)}`, { cause });
    this.name = 'ReportError';
  }
}

/** Writes every report. Each one that cannot be written is reported in a line. @returns whether all were written */
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
