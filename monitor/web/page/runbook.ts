import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import { commonHead, html, type Markup } from './markup.ts';

/** Rendered at the first request: most monitors never get one. */
let rendered: Promise<Markup> | undefined;

/** The page at `/runbook`: ops/runbook.md, in which every alert is an anchor. */
export function runbookPage(): Promise<Markup> {
  rendered ??= pageOf(readFileSync(new URL('../../../ops/runbook.md', import.meta.url), 'utf8'));
  return rendered;
}

async function pageOf(markdown: string): Promise<Markup> {
  const content = raw(await contentOf(markdown));
  return html`<!doctype html>
<html lang="en">
<head>
${commonHead('Runbook', '/icon.svg')}
</head>
<body>
<nav aria-label="Pages"><a href="/">The monitor</a></nav>
<main class="runbook">
${content}
</main>
</body>
</html>`;
}

const alertName = /^ContractMonitor[A-Z]\w+$/;

/** The runbook is part of the project, so its text is trusted. Only its links differ from those in the repository. */
async function contentOf(markdown: string): Promise<string> {
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        const own = `<h${depth} id="${slugOf(text)}">${content}</h${depth}>\n`;
        return alertName.test(text) ? `<a id="${text}"></a>\n${own}` : own;
      },
      tablecell({ tokens, header, text }) {
        const name = header ? 'th' : 'td';
        const id = alertName.test(text) ? ` id="${text}"` : '';
        return `<${name}${id}>${this.parser.parseInline(tokens)}</${name}>\n`;
      },
      /** This server does not have the repository's files. */
      link({ tokens, href }) {
        const content = this.parser.parseInline(tokens);
        return /^(#|https?:)/.test(href) ? `<a href="${href}">${content}</a>` : content;
      },
    },
  });
  return marked.parse(markdown);
}

/** The anchor that GitHub gives a heading. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
