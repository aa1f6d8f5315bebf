import type { IncidentStatus } from '../../watch/past.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup, tag } from './markup.ts';
import { clock, count, period } from './wording.ts';

/** How many incidents are shown at first; the earlier ones are folded. */
const mostShown = 10;

/** Periods in which clauses were violated or there was no answer, the latest first. */
export function incidents({ incidents: all }: TargetStatus): Markup | '' {
  if (all === undefined) return '';
  const earlier = all.slice(mostShown);
  return html`<section aria-labelledby="incidents"><h2 id="incidents">Incidents</h2>
${all.length === 0 ? html`<p class="since">None in the last 90 days.</p>` : table(all.slice(0, mostShown))}
${earlier.length === 0 ? '' : folding('earlier-incidents', count(earlier.length, 'earlier incident'), table(earlier))}</section>`;
}

const table = (all: readonly IncidentStatus[]): Markup =>
  html`<table class="incidents"><thead><tr><th scope="col">What</th><th scope="col">Begin</th>
<th scope="col">End</th><th scope="col">Duration</th></tr></thead>
<tbody>${all.map(row)}</tbody></table>`;

const row = (incident: IncidentStatus): Markup => {
  const { from, until, durationSeconds } = incident;
  return html`<tr><th scope="row">${what(incident)}</th>
<td>${clock(from)}</td><td>${until === undefined ? 'still open' : clock(until)}</td>
<td>${period(durationSeconds)}</td></tr>`;
};

function what({ what: kind, clauses = [], reason }: IncidentStatus): Markup {
  if (kind === 'violated') return html`${tag('broken', 'violated')} ${clauses.join(', ')}`;
  if (kind === 'unreachable')
    return html`${tag('unreachable', reason ?? 'unreachable')} no answer that can be judged`;
  return reason === undefined
    ? html`${tag('unverified', 'unproven')} answers that prove nothing for some probes`
    : html`${tag('unreachable', reason)} no answer that can be judged for some probes`;
}
