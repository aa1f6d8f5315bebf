import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import { Marked } from 'marked';
import { html, type Markup } from './markup.ts';

/** The page at `/runbook`: ops/runbook.md, so that an alert can link to the section that is named like it. */
export function runbookPage(): Markup {
  const text = readFileSync(new URL('../../../ops/runbook.md', import.meta.url), 'utf8');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Runbook</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main class="runbook">
<nav><a href="/">Status page</a></nav>
${raw(markdown.parse(text, { async: false }))}
</main>
</body>
</html>`;
}

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const id = text.toLowerCase().replaceAll(' ', '-');
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // A file beside the runbook is not served.
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return /^(#|https?:)/.test(href) ? `<a href="${href}">${text}</a>` : text;
    },
  },
});
