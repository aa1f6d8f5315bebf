import type { ClauseVerdict } from '../round/verdict.ts';
import { commandFor, leftOut, type RepeatContext, shownFindings } from './failure.ts';
import { html, kindOf, type Markup, ornament, words } from './markup.ts';
import type { Report } from './report.ts';
import type { Row } from './rows.ts';
import { brief, count } from './words.ts';

const extent = { folds: 40, length: 2_000 };
const shownAtFirst = 3;

export function violations(report: Report): Markup {
  const broken = report.clauses.filter(({ verdict }) => verdict === 'violated');
  if (broken.length === 0) return html``;
  return html`<section aria-labelledby="violated-clauses">
<h2 id="violated-clauses">What was violated</h2>
${broken.map((verdict) => violation(verdict, report))}
</section>`;
}

function violation(verdict: ClauseVerdict, again: RepeatContext): Markup {
  const { id, text, source } = verdict.clause;
  const [groups, left] = shownFindings(verdict, extent);
  const hidden = groups.slice(shownAtFirst);
  const rest = leftOut(left);
  return html`<article class="card violated" id="${id}" aria-labelledby="${id}-text">
<h3 id="${id}-text">${ornament('violated')}<span><b>${id}</b> ${text}</span></h3>
<p class="since">${count(verdict.findings.length, 'finding')} · from “${source}”</p>
${groups.slice(0, shownAtFirst).map(finding)}
${hidden.length === 0 ? '' : html`<details><summary>${hidden.length} more that differ</summary>${hidden.map(finding)}</details>`}
${rest === '' ? '' : html`<p class="since">${rest}</p>`}
<p class="again"><span class="since">again</span> <code>${commandFor(verdict, again)}</code></p>
</article>`;
}

/** Rows without a label are the subject at the top, and the number of similar findings at the end. */
function finding(rows: readonly Row[]): Markup {
  const [first] = rows;
  const when = first?.[0] === '' ? first[1] : '';
  const labelled = rows.filter(([label]) => label !== '');
  const more = rows.at(-1)?.[0] === '' && rows.length > 1 ? (rows.at(-1)?.[1] ?? '') : '';
  return html`<div class="finding">
${when === '' ? '' : html`<p class="when">${when}</p>`}
<dl>${labelled.map(([label, text]) => html`<div class="${label}"><dt>${label}</dt><dd><code>${text}</code></dd></div>`)}</dl>
${more === '' ? '' : html`<p class="since">${more}</p>`}
</div>`;
}

/** Our own defects, with the stack for the developer. */
export function defects({ defects: all }: Report): Markup {
  if (all.length === 0) return html``;
  return html`<section aria-labelledby="defects">
<h2 id="defects">Defects of this suite</h2>
<p>They are not faults of the provider. Please report them with the text below.</p>
${all.slice(0, 10).map(
  ({ probe, endpoint, detail = '' }) => html`<article class="card defect">
<h3>${probe.name}</h3>
<p class="since">on ${endpoint}</p>
<pre tabindex="0">${brief(detail, 4_000)}</pre>
</article>`,
)}
${all.length > 10 ? html`<p class="since">and ${all.length - 10} more, all of them in gate.json</p>` : ''}
</section>`;
}

/** The unverified clauses, by reason. */
export function unverified({ clauses }: Report): Markup {
  const lacking = clauses.filter(({ verdict }) => verdict === 'unverified');
  if (lacking.length === 0) return html``;
  const byReason = [...Map.groupBy(lacking, ({ reason = '' }) => reason)];
  const prevented = byReason.filter(([, [first]]) => first?.cause === 'prevented');
  const unconfigured = byReason.filter((group) => !prevented.includes(group));
  return html`<section aria-labelledby="unverified-clauses">
<h2 id="unverified-clauses">What was not verified</h2>
${[...prevented, ...unconfigured].map(unverifiedFor)}
</section>`;
}

/** The clauses that one reason left unverified; a missing setting is not an alarm. */
function unverifiedFor([reason, verdicts]: [string, ClauseVerdict[]]): Markup {
  const kind = verdicts[0] === undefined ? 'unverified' : kindOf(verdicts[0]);
  return html`<article class="card ${kind}">
<h3 class="reason">${ornament(kind)}<span>${kind === 'prevented' ? html`<b>${words[kind]}</b> ` : ''}${brief(reason, extent.length)}</span></h3>
<ul>${verdicts.map(({ clause }) => html`<li class="clause"><span class="id">${clause.id}</span> ${clause.text}</li>`)}</ul>
</article>`;
}
