import { html, kindOf, type Markup, ornament, sign, words } from './markup.ts';
import { type Cell, type MatrixRow, matrix } from './matrix.ts';
import type { Report } from './report.ts';
import { brief, count } from './words.ts';

const prefix = '/public-api/v1';

export function matrixSection(report: Report): Markup {
  const rows = matrix(report);
  if (rows.length === 0) return html``;
  const { endpoints } = report;
  const areas = [...Map.groupBy(rows, ({ clause }) => clause.clause.id.replace(/-.*/, ''))];
  return html`<section>
<h2 id="clauses">Clauses and endpoints</h2>
<div class="scroll" role="region" aria-labelledby="clauses" tabindex="0">
<table class="matrix">
<thead><tr><th scope="col">Clause</th>${endpoints.map(endpointHead)}</tr></thead>
${areas.map(([area, ofArea]) => areaBody(area, ofArea, endpoints))}
</table>
</div>
<ul class="legend">
<li>${ornament('holds')} holds</li>
<li>${ornament('violated')} violated, with the number of findings</li>
<li>${ornament('unverified')} not verified: a setting is missing</li>
<li>${ornament('prevented')} not verified: prevented</li>
</ul>
</section>`;
}

function endpointHead(endpoint: string): Markup {
  const [method = '', path = ''] = endpoint.split(' ');
  const below = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  return html`<th scope="col" title="${endpoint}"><span class="method">${method}</span> <code>${brief(below, 60)}</code></th>`;
}

const names: Readonly<Record<string, string>> = {
  TOKEN: 'Getting a token',
  BEARER: 'Using it',
  ERROR: 'Being refused',
  EXPIRY: 'Twenty-four hours',
};

function areaBody(area: string, rows: readonly MatrixRow[], endpoints: readonly string[]): Markup {
  return html`<tbody>
<tr class="area"><th scope="rowgroup" colspan="${endpoints.length + 1}">${names[area] ?? area}</th></tr>
${rows.map((row) => matrixRow(row, endpoints))}
</tbody>`;
}

function matrixRow(row: MatrixRow, endpoints: readonly string[]): Markup {
  const { clause, verdict } = row.clause;
  const id = verdict === 'violated' ? html`<a href="#${clause.id}">${clause.id}</a>` : clause.id;
  return html`<tr class="${verdict}">
<th scope="row"><div class="clause"><span class="id">${id}</span> <span>${clause.text}${verdict === 'unverified' && 'cells' in row ? html`<br>${whyLink}` : ''}</span></div></th>
${'whole' in row ? wholeCell(row.whole, endpoints.length) : row.cells.map(cell)}
</tr>`;
}

const whyLink = html`<a class="since" href="#unverified-clauses">${words.unverified}</a>`;

function wholeCell(whole: Cell, columns: number): Markup {
  const note = columns > 1 ? html`<span class="since">as a whole</span>` : '';
  return html`<td class="${whole.verdict} whole" colspan="${columns}">${mark(whole)} ${whole.verdict === 'unverified' ? whyLink : note}</td>`;
}

const cell = (one: Cell): Markup => html`<td class="${one.verdict}">${mark(one)}</td>`;

/** The number of findings is beside the sign of a violated clause. */
const mark = ({ verdict, cause, findings }: Cell): Markup =>
  verdict === 'violated'
    ? html`<span class="pill" aria-label="${words.violated}, ${count(findings, 'finding')}" role="img">${ornament(verdict)}${findings.toLocaleString('en-GB')}</span>`
    : sign(kindOf({ verdict, cause }));
