/** A table. Bars in its cells are escaped. */
export const formatTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string => [formatRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(formatRow)].join('\n');

const formatRow = (cells: readonly string[]): string =>
  `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell.replaceAll('|', '\\|')} `)).join('|')}|`;

/** GitHub's anchor: lower case, hyphens for blanks, only the text of links, without other punctuation. */
export const createAnchor = (heading: string): string =>
  heading
    .trim()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** The named part of a document: what is between its markers. @throws when a marker is missing */
export function findPart(document: string, name: string): string {
  const pattern = new RegExp(`(?<=<!-- docs:${name} -->\n).*?(?=\n<!-- docs:end -->)`, 's');
  const [part] = pattern.exec(document) ?? [];
  if (part !== undefined) return part;
  throw new Error(`<!-- docs:${name} --> … <!-- docs:end --> is missing`);
}
