import type { TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup, mark } from './markup.ts';
import { span } from './wording.ts';

type Clause = TargetStatus['clauses'][number];

/** Every clause at a glance, by area; its sentence when unfolded. */
export function clauses({ clauses: all, state }: TargetStatus, now: Date): Markup {
  const areas = Map.groupBy(all, ({ id }) => id.replace(/-\d+$/, ''));
  return html`<section aria-labelledby="clauses"><h2 id="clauses">Clauses</h2>
<div class="board">${[...areas.values()].map((area) => html`<ul>${area.map(chip)}</ul>`)}</div>
${folding('in-words', 'In the words of the contract', html`<ul class="clauses">${all.map((clause) => row(clause, now))}</ul>`, state === 'unverified')}</section>`;
}

/** The id of a clause. Its sentence is the tooltip, and is in the list below. */
const chip = ({ id, text, verdict }: Clause): Markup =>
  html`<li class="${verdict}" title="${text}">${mark(verdict)}${id}<span class="unseen"> ${verdict}</span></li>`;

const row = ({ id, text, verdict, since, reason }: Clause, now: Date): Markup =>
  html`<li class="${verdict}"><span class="id">${mark(verdict)}${id}</span>
<span>${text}${reason === undefined ? '' : html` <small class="reason">${reason}</small>`}</span>
<span class="verdict">${verdict} <small>${span(since, now)}</small></span></li>`;
