/*
 * Quotes texts for a POSIX shell. The result is ASCII without control characters, on one line. So a text that comes
 * from a provider cannot end a quotation, or write on the reader's terminal.
 */

/** A part of a text: literal characters, one byte each, or an expansion of the shell, such as `$TOKEN`. */
export type Piece = string | { readonly expansion: string };

/** Control characters, and the bytes of characters beyond ASCII. */
const odd = /([^\x20-\x7e]+)/;

/** Whether a text can stand in a command as it is. */
export const isPlain = (text: string): boolean => !odd.test(text);

/** One word of a command. A shell drops NUL, and line feeds at the end of the output of `printf`. */
export function shellWord(pieces: readonly Piece[]): string {
  const parts = pieces.flatMap((piece) => (typeof piece === 'string' ? printed(piece) : [piece]));
  const texts = parts.filter((part) => typeof part === 'string');
  if (texts.length === parts.length) return quotedWord(texts.join(''));
  // These characters have a meaning between double quotes.
  if (!/["$`\\!]/.test(texts.join('')))
    return `"${parts.map((part) => (typeof part === 'string' ? part : part.expansion)).join('')}"`;
  return parts
    .map((part) => (typeof part === 'string' ? quotedWord(part) : `"${part.expansion}"`))
    .join('');
}

/** A text as one word of a command, unchanged between its quotes. */
export const quotedWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A text, in which `printf` prints the control characters and the bytes beyond ASCII. */
const printed = (text: string): Piece[] =>
  text
    .split(odd)
    .filter((part) => part !== '')
    .map((part) => (isPlain(part) ? part : { expansion: `$(printf '${octal(part)}')` }));

const octal = (text: string): string =>
  Array.from(text, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');

/** A command that prints exactly these bytes. */
export function printfOf(pieces: readonly Piece[]): string {
  const format = pieces
    .map((piece) =>
      typeof piece === 'string'
        ? piece.replace(/[^\x20-\x7e]|['\\]/g, octal).replaceAll('%', '%%')
        : '%s',
    )
    .join('')
    // `printf` would read a leading hyphen as an option.
    .replace(/^-/, octal);
  const values = pieces.filter((piece) => typeof piece !== 'string');
  return ['printf', `'${format}'`, ...values.map((value) => shellWord([value]))].join(' ');
}
