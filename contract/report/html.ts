import { html, raw } from 'hono/html';
import {
  type Extent,
  type Failure,
  type Item,
  type Level,
  leftOut,
  type Mark,
  type Report,
  type Row,
  type RunError,
  shownEvidence,
  unverifiedIn,
} from './report.ts';
import { styleOf } from './style.ts';
import { brief } from './words.ts';

/** A piece of a page, in which every text is escaped. */
type Markup = ReturnType<typeof html>;

const style = styleOf(new URL('./page.css', import.meta.url));

const extent: Extent = { evidence: 40, also: 50, length: 2_000 };
const shownAtFirst = 3;
const mostDefects = 10;

/**
 * One page that needs no other file, no script and no network: its Content-Security-Policy forbids both. The most
 * important comes first: the verdict, the violations, what was not verified, and then each clause.
 */
export async function pageHtml(report: Report): Promise<string> {
  const {
    closing: [verdict],
    target,
    file,
  } = report;
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${verdict}: ${target}</title>
<style>${raw(style)}</style>
</head>
<body>
${signs}
<main>
${top(report)}
${sections(report)}
</main>
<footer><p>A machine-readable copy is <code>${file}</code> beside this page.</p></footer>
</body>
</html>
`;
  return page.toString();
}

/** The sign and the colour of the head. */
const heads = {
  ok: 'holds',
  violated: 'violated',
  warning: 'prevented',
  defect: 'prevented',
} as const satisfies Record<Level, Mark>;

function top({ level, target, closing: [verdict, ...facts], notes, startedAt }: Report): Markup {
  const others = [...facts, ...notes].filter((fact) => fact !== target);
  return html`<header>
<p class="target">${target}</p>
<h1>${ornament(heads[level])}<span>${verdict}</span></h1>
<p class="since"><time datetime="${startedAt.toISOString()}">${instant(startedAt)}</time> · ${others.join(' · ')}</p>
</header>`;
}

function sections(report: Report): Markup[] {
  const { failures, errors, observed, file } = report;
  const defects = errors.filter(({ type }) => type === 'defect').slice(0, mostDefects);
  const titled: readonly (readonly [title: string, parts: readonly Markup[]])[] = [
    ['What was violated', failures.map((failure) => violation(failure, file))],
    ['Defects of this suite', defects.map(defect)],
    ['What was not verified', unverifiedIn(report).map(open)],
    ...[...Map.groupBy(report.sections, ({ heading = 'Clauses' }) => heading)].map(
      ([heading, same]) => [heading, same.map(({ items }) => list(items))] as const,
    ),
    ['What was observed', observed.length === 0 ? [] : [list(observed)]],
  ];
  return titled
    .filter(([, parts]) => parts.length > 0)
    .map(([title, parts]) => html`<section>\n<h2>${title}</h2>\n${parts}\n</section>`);
}

function violation(failure: Failure, file: string): Markup {
  const { id, text, again } = failure;
  const shown = shownEvidence(failure, extent);
  const hidden = shown.slice(shownAtFirst);
  const rest = leftOut(failure, extent.evidence, file);
  return html`<article class="card violated" aria-labelledby="${id}">
<h3 id="${id}">${ornament('violated')}<span><b>${id}</b> ${text}</span></h3>
${shown.slice(0, shownAtFirst).map(finding)}
${hidden.length === 0 ? '' : html`<details><summary>${hidden.length} more that differ</summary>${hidden.map(finding)}</details>`}
${rest === '' ? '' : html`<p class="since">${rest}</p>`}
${again === undefined ? '' : html`<p class="again"><span class="since">again</span> <code>${again}</code></p>`}
</article>`;
}

/** A first row without a label is the occasion. The other places, at the end, are folded. */
function finding(rows: readonly Row[]): Markup {
  const [first] = rows;
  const at = rows.findIndex(([label]) => label === 'also');
  const labelled = rows
    .slice(0, at < 0 ? rows.length : at)
    .filter(([label]) => label.trim() !== '');
  const places = at < 0 ? [] : rows.slice(at);
  return html`<div class="finding">
${first?.[0] === '' ? html`<p class="when">${first[1]}</p>` : ''}
<dl>${labelled.map(([label, text]) => html`<div class="${label}"><dt>${label}</dt><dd><code>${text}</code></dd></div>`)}</dl>
${places.length === 0 ? '' : html`<details><summary>also in other places</summary><ul>${places.map(([, text]) => html`<li>${text}</li>`)}</ul></details>`}
</div>`;
}

/** A defect of ours, with the stack for the developer. */
const defect = ({ title, text }: RunError): Markup => html`<article class="card defect">
<h3>${title}</h3>
<p>It is not a fault of the provider. Please report it with this text.</p>
<pre tabindex="0">${brief(text, 4_000)}</pre>
</article>`;

const open = ([reason, items]: readonly [string, readonly Item[]]): Markup => {
  const mark = items.some((item) => item.mark === 'prevented') ? 'prevented' : 'unverified';
  const ids = items.map(({ label }) => label.trim()).join(', ');
  return html`<article class="card ${mark}">
<h3>${ornament(mark)}<span><b>${ids}</b> ${brief(reason, extent.length)}</span></h3>
</article>`;
};

const list = (items: readonly Item[]): Markup =>
  html`<ul class="items">${items.map(
    ({ mark, label, text }) =>
      html`<li class="${mark ?? ''}">${mark === undefined ? html`<span></span>` : sign(mark)}<span class="id">${label.trim()}</span><span>${brief(text, 600)}</span></li>`,
  )}</ul>`;

const words = {
  holds: 'holds',
  violated: 'violated',
  unverified: 'not verified',
  prevented: 'prevented',
} as const satisfies Record<Mark, string>;

/** The sign of a mark, with a text for screen readers. */
const sign = (mark: Mark): Markup =>
  html`<svg class="mark ${mark}" role="img" aria-label="${words[mark]}"><use href="#${mark}"/></svg>`;

/** The same sign beside text with the same meaning. */
const ornament = (mark: Mark): Markup =>
  html`<svg class="mark ${mark}" aria-hidden="true"><use href="#${mark}"/></svg>`;

/** The signs, drawn once; they differ in shape, not in colour alone. */
const signs: Markup = html`<svg class="symbols" aria-hidden="true">
<symbol id="holds" viewBox="0 0 16 16"><path d="m3 8.5 3.4 3.4L13 4.8"/></symbol>
<symbol id="violated" viewBox="0 0 16 16"><path d="m4 4 8 8M12 4l-8 8"/></symbol>
<symbol id="unverified" viewBox="0 0 16 16"><path d="M4 8h8"/></symbol>
<symbol id="prevented" viewBox="0 0 16 16"><path d="M8 3.5v5.4M8 12.3v.1"/></symbol>
</svg>`;

/** `1 March 2026, 12:00:00 UTC`, the same for every reader. */
const instant = (date: Date): string =>
  `${date.toLocaleString('en-GB', { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'medium' }).replace(' at ', ', ')} UTC`;
