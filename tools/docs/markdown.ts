/** A table. Bars in its cells are escaped. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [rowOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(rowOf)].join('\n');

const rowOf = (cells: readonly string[]): string =>
  `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell.replaceAll('|', '\\|')} `)).join('|')}|`;

/** GitHub's anchors of the headings in a document, except in code blocks; a repeated one gets a number. */
export function anchorsOf(document: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutCode(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading);
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}

/** GitHub's anchor: lower case, hyphens for blanks, only the text of links, without other punctuation. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

export const withoutCode = (document: string): string => document.replaceAll(/^```.*?^```/gms, '');

const markerOf = (name: string): string => `<!-- docs:${name} -->\n`;
const endMarker = '\n<!-- docs:end -->';

/** The beginning and the end of the named part of a document. @throws when a marker is missing */
function boundsOf(document: string, name: string): readonly [start: number, end: number] {
  const start = document.indexOf(markerOf(name));
  const end = document.indexOf(endMarker, start);
  if (start < 0 || end < 0) throw new Error(`<!-- docs:${name} --> … <!-- docs:end --> is missing`);
  return [start + markerOf(name).length, end];
}

/** The named part of a document: what is between its markers. @throws when a marker is missing */
export const partOf = (document: string, name: string): string =>
  document.slice(...boundsOf(document, name));

/** The document with another text in its named part. @throws when a marker is missing */
export function withPart(document: string, name: string, text: string): string {
  const [start, end] = boundsOf(document, name);
  return document.slice(0, start) + text + document.slice(end);
}
