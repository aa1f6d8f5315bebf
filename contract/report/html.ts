import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import type { Item, Mark, Report, Row, Section } from './report.ts';
import { byReason, notVerified, splitItem } from './report.ts';

export { html, raw };

/** A piece of a page, in which every text is escaped. */
type Markup = ReturnType<typeof html>;

/**
 * One page that needs no other file, no script and no network: its Content-Security-Policy forbids both. The most
 * important comes first: the verdict, the violations, what was not verified, and then each clause.
 */
export async function pageHtml(report: Report): Promise<string> {
  const { closing, mark, target, file, notes, startedAt, failures, sections } = report;
  const [verdict, ...facts] = closing;
  const others = [...facts, ...notes].filter((fact) => fact !== target);
  const listed = sections.filter(({ items }) => items.length > 0);
  const lists = Map.groupBy(listed, ({ heading = 'Clauses' }) => heading);
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${verdict}: ${target}</title>
<style>${raw(readStyles(new URL('./page.css', import.meta.url)))}</style>
</head>
<body>
${raw(readFileSync(new URL('./signs.svg', import.meta.url), 'utf8'))}<main>
<header>
<p class="target">${target}</p>
<h1>${sign(mark)}<span>${verdict}</span></h1>
<p class="since"><time datetime="${startedAt.toISOString()}">${startedAt.toUTCString()}</time> · ${others.join(' · ')}</p>
</header>
${section('What failed', failures.map(withEvidence))}
${section('Known deviations', byReason(sections, 'known').map(withReason))}
${section('What was not verified', byReason(sections, ...notVerified).map(withReason))}
${[...lists].map(([heading, same]) => section(heading, same.map(list)))}
</main>
<footer><p>A machine-readable copy is <code>${file}</code> beside this page.</p></footer>
</body>
</html>
`;
  return page.toString();
}

function section(title: string, content: readonly Markup[]): Markup | string {
  return content.length === 0 ? '' : html`<section>\n<h2>${title}</h2>\n${content}\n</section>`;
}

const card = (mark: Mark | undefined, title: string, text: string, content: unknown = ''): Markup =>
  html`<article class="card ${mark}" aria-label="${title} ${text}">
<h3>${sign(mark)}<span><b>${title}</b> ${text}</span></h3>
${content}
</article>`;

const withReason = ({ mark, label, text }: Item): Markup => card(mark, label, text);

const withEvidence = (failure: Item): Markup =>
  card(failure.mark, ...splitItem(failure), failure.evidence?.map(findingList));

function findingList(rows: readonly Row[]): Markup {
  const words = rows.filter(([label]) => label === '');
  const fields = rows.filter(([label]) => label !== '');
  return html`<div class="finding">
${words.map(([, text]) => html`<p class="when">${text}</p>`)}
<dl>${fields.map(([label, text]) => html`<div class="${label}"><dt>${label}</dt><dd><code>${text}</code></dd></div>`)}</dl>
</div>`;
}

const list = ({ items }: Section): Markup => html`<ul class="items">
${items.map(
  ({ mark, label, text, note }) =>
    html`<li class="${mark}">${sign(mark)}<span class="id">${label}</span><span>${text}${note && html` <span class="since">${note}</span>`}</span></li>`,
)}
</ul>`;

/** The sign of a mark, with a name for screen readers. */
function sign(mark?: Mark): Markup {
  if (mark === undefined) return html`<span></span>`;
  const name = mark === 'unverified' ? 'not verified' : mark;
  return html`<svg class="mark ${mark}" role="img" aria-label="${name}"><use href="#${mark}"/></svg>`;
}

/** The style sheet of a page: the part that all pages share, and the page's own. @param pageFile the page's own file */
export const readStyles = (pageFile: URL): string =>
  [new URL('./tokens.css', import.meta.url), pageFile]
    .map((url) => readFileSync(url, 'utf8'))
    .join('\n');
