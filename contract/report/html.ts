import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import { brief } from '../words.ts';
import type { Extent, Item, Mark, Report, Row, Section } from './report.ts';
import { knownIn, shownRows, splitItem, unverifiedIn } from './report.ts';

export { html, raw };

/** A piece of a page, in which every text is escaped. */
type Markup = ReturnType<typeof html>;

const extent: Extent = { evidence: 10, also: 50, length: 2_000 };

/**
 * One page that needs no other file, no script and no network: its Content-Security-Policy forbids both. The most
 * important comes first: the verdict, the violations, what was not verified, and then each clause.
 */
export async function pageHtml(report: Report): Promise<string> {
  const { closing, mark, target, file, notes, startedAt, failures, errors, sections } = report;
  const [verdict, ...facts] = closing;
  const others = [...facts, ...notes].filter((fact) => fact !== target);
  const defects = errors.filter(({ label }) => label === 'defect');
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
${section(
  'What was violated',
  failures.map((failure) => violation(failure, file)),
)}
${section('Defects of this suite', defects.map(defect))}
${section('Known deviations', knownIn(sections).map(withReason))}
${section('What was not verified', unverifiedIn(sections).map(withReason))}
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
  html`<article class="card ${mark}" aria-labelledby="${title}">
<h3 id="${title}">${sign(mark)}<span><b>${title}</b> ${text}</span></h3>
${content}
</article>`;

const withReason = ({ mark, label, text }: Item): Markup =>
  card(mark, label, brief(text, extent.length));

const defect = ({ text, reason = '' }: Item): Markup =>
  card(
    'defect',
    text,
    '',
    html`<p>It is not a fault of the provider. Please report it with this text.</p>
<pre tabindex="0">${brief(reason, 4_000)}</pre>`,
  );

function violation(failure: Item, file: string): Markup {
  return card(
    'violated',
    ...splitItem(failure),
    html`${failure.diagnosis && html`<p><strong>${failure.diagnosis}</strong></p>`}
${shownRows(failure, extent, file).map(findingList)}
${failure.repeat && html`<p class="again"><span class="since">again</span> <code>${failure.repeat}</code></p>`}`,
  );
}

/** A first row without a label is the occasion. The other places are folded. */
function findingList(rows: readonly Row[]): Markup {
  const [first] = rows;
  const at = rows.findIndex(([label]) => label === 'also');
  const places = at < 0 ? [] : rows.slice(at);
  const labelled = rows.filter((row) => row[0] !== '' && !places.includes(row));
  return html`<div class="finding">
${first?.[0] === '' && html`<p class="when">${first[1]}</p>`}
<dl>${labelled.map(([label, text]) => html`<div class="${label}"><dt>${label}</dt><dd><code>${text}</code></dd></div>`)}</dl>
${places.length > 0 ? html`<details><summary>also in other places</summary><ul>${places.map(([, text]) => html`<li>${text}</li>`)}</ul></details>` : ''}
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
