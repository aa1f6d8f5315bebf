import { readFileSync } from 'node:fs';

/** The style sheet of a page: what all pages have in common, and the page's own. @param own the file of its own */
export const styleOf = (own: URL): string =>
  [new URL('./tokens.css', import.meta.url), own]
    .map((url) => readFileSync(url, 'utf8'))
    .join('\n');
