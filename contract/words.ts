/** `1 clause`, `1,234 requests`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;

/** `285 requests, 0.45 s` */
export const cost = (requests: number, seconds: number): string =>
  `${count(requests, 'request')}, ${seconds.toFixed(seconds < 1 ? 2 : 1)} s`;

/** The text, cut to a readable length. */
export const brief = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** A document for programs. */
export const jsonText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
