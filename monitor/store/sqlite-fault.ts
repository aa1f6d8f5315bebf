/**
 * SQLite's primary result code (5 busy, 11 corrupt, 13 full …) and its message about a failure. Its wording is fixed,
 * so it contains no stored values. Undefined if it is not an error of SQLite.
 */
export function sqliteFault(error: unknown) {
  if (!(error instanceof Error) || !('errcode' in error) || !('errstr' in error)) return undefined;
  return { code: Number(error.errcode) & 0xff, text: String(error.errstr) };
}
