/** SQLite's message about a failure. Its wording is fixed, so it contains no stored values. */
export interface SqliteFault {
  /** The primary result code: 5 busy, 11 corrupt, 13 full … */
  readonly code: number;
  readonly text: string;
}

/** Undefined if it is not an error of SQLite. */
export function sqliteFault(error: unknown): SqliteFault | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || !('errstr' in error)) return undefined;
  return { code: Number(error.errcode) & 0xff, text: String(error.errstr) };
}
