import type { TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup } from './markup.ts';
import { clock, count, span } from './wording.ts';

const mostChanges = 12;

/** The changes of observed facts, the latest first. All facts are folded below them. */
export function changes({ observations }: TargetStatus, now: Date): Markup | '' {
  if (observations.length === 0) return '';
  const latest = observations
    .filter(({ before }) => before !== undefined)
    .sort((one, other) => other.since.getTime() - one.since.getTime())
    .slice(0, mostChanges);
  return html`<section aria-labelledby="changes"><h2 id="changes">What changed</h2>
${latest.length === 0 ? html`<p class="since">No observed fact has changed.</p>` : ''}
<ul class="changes">${latest.map(
    ({ id, fact, value, before, since }) =>
      html`<li><span class="when">${span(since, now)} ago <small>${clock(since)}</small></span>
<span><span class="id">${id}</span> ${fact} from <q>${before}</q> to <q>${value}</q></span></li>`,
  )}</ul>
${facts(observations)}</section>`;
}

const facts = (all: TargetStatus['observations']): Markup =>
  folding(
    'facts',
    `Observed facts that the contract does not specify: ${count(all.length, 'fact')}`,
    html`<p class="since">Observed, never judged; changes are reported.</p>
<dl class="facts">${all.map(
      ({ id, fact, value }) =>
        html`<div><dt><span class="id">${id}</span> <span>${fact}</span></dt><dd>${value}</dd></div>`,
    )}</dl>`,
  );
