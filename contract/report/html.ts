import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import { brief } from '../words.ts';
import type { Evidence, Item, Mark, Report, Section } from './report.ts';
import { byReason, describeDefects, notVerified, shownEvidence, splitItem } from './report.ts';

export { html, raw };

/** A piece of a page, in which every text is escaped. */
type Markup = ReturnType<typeof html>;

/** Characters of a text. */
const maxLength = 2_000;

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
  const detailed = (failure: Item): Markup => withEvidence(failure, file);
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
${section('What was violated', failures.map(detailed))}
${section('Defects of this suite', describeDefects(report).map(detailed))}
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

const withReason = ({ mark, label, text }: Item): Markup =>
  card(mark, label, brief(text, maxLength));

function withEvidence(failure: Item, file: string): Markup {
  return card(
    failure.mark,
    ...splitItem(failure),
    html`${failure.diagnosis && html`<p><strong>${failure.diagnosis}</strong></p>`}
${shownEvidence(failure, maxLength, file).map(findingList)}
${failure.repeat && html`<p class="again"><span class="since">again</span> <code>${failure.repeat}</code></p>`}`,
  );
}

/** A first row without a label is the occasion. */
function findingList(rows: Evidence): Markup {
  const [first] = rows;
  const others = first?.[0] === '' ? rows.slice(1) : rows;
  return html`<div class="finding">
${first?.[0] === '' && html`<p class="when">${first[1]}</p>`}
<dl>${others.map(([label, text]) => html`<div class="${label}"><dt>${label}</dt><dd><code>${text}</code></dd></div>`)}</dl>
</div>`;
}

const list = ({ items }: Section): Markup => html`<ul class="items">
${items.map(
  ({ mark, label, text, note }) =>
    html`<li class="${mark}">${sign(mark)}<span class="id">${label}</span><span>${brief(text, 600)}${note && html` <span class="since">${note}</span>`}</span></li>`,
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
