/** A text as one word of a POSIX shell's command, unchanged between its quotes. */
export const quotedWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
