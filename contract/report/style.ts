import { readFileSync } from 'node:fs';

/** The style sheet of a page: the part that all pages share, and the page's own. @param own the page's own file */
export const styleOf = (own: URL): string =>
  [new URL('./tokens.css', import.meta.url), own]
    .map((url) => readFileSync(url, 'utf8'))
    .join('\n');
