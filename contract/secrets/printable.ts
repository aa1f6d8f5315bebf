/** A text without control characters, with which a provider would write on the reader's terminal or break XML. */
export const printable = (text: string): string => text.replace(/[^\P{C}]/gu, '\ufffd');

/** A stack keeps its line breaks, but no other control characters: an error may quote the provider. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** A line in which signs of the same shape and width replace those that a CI reads as a command, also behind blanks. */
export const harmless = (line: string): string =>
  line.replace(/^(\s*)::/, '$1\u2236:').replace(/##(?=[\w-]*\[)/g, '#\u266f');
