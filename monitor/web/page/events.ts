import type { EventStatus } from '../../watch/events.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup, tag } from './markup.ts';
import { clock, count, period } from './wording.ts';

/** How many events are shown at first; the earlier ones are folded. */
const mostShown = 10;

/** When clauses were violated, and when there was no answer that can be judged, the latest first. */
export function events({ events: all }: TargetStatus): Markup | '' {
  if (all === undefined) return '';
  const earlier = all.slice(mostShown);
  return html`<section aria-labelledby="events"><h2 id="events">Events</h2>
${all.length === 0 ? html`<p class="since">None yet.</p>` : table(all.slice(0, mostShown))}
${earlier.length === 0 ? '' : folding('earlier-events', count(earlier.length, 'earlier event'), table(earlier))}</section>`;
}

const table = (all: readonly EventStatus[]): Markup =>
  html`<table class="events"><thead><tr><th scope="col">What</th><th scope="col">Begin</th>
<th scope="col">End</th><th scope="col">Duration</th></tr></thead>
<tbody>${all.map(row)}</tbody></table>`;

const row = (event: EventStatus): Markup =>
  html`<tr><th scope="row">${described(event)}</th>
<td>${clock(event.from)}</td><td>${event.until === undefined ? 'still open' : clock(event.until)}</td>
<td>${period(event.durationSeconds)}</td></tr>`;

function described({ what, clause, detail }: EventStatus): Markup {
  if (what === 'violated') return html`${tag('broken', what)} ${clause}`;
  const why = detail ?? 'no answer that can be judged';
  return html`${tag('unreachable', what)} ${why}`;
}
