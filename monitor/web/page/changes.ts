import type { TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup, mark } from './markup.ts';
import { clock, count, span } from './wording.ts';

const mostChanges = 12;

/** The changes, the latest first. Changes of open facts are folded below them. */
export function changes(target: TargetStatus, now: Date): Markup | '' {
  const latest = [...verdictsIn(target), ...factsIn(target)]
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, mostChanges);
  const { observations } = target;
  if (latest.length === 0 && observations.length === 0) return '';
  return html`<section aria-labelledby="changes"><h2 id="changes">What changed</h2>
${latest.length === 0 ? html`<p class="since">No verdict and no observation has changed.</p>` : ''}
<ul class="changes">${latest.map(
    ({ at, what }) =>
      html`<li><span class="when">${span(at, now)} ago <small>${clock(at)}</small></span> <span>${what}</span></li>`,
  )}</ul>
${observations.length === 0 ? '' : facts(observations)}</section>`;
}

interface Change {
  readonly at: Date;
  readonly what: Markup;
}

const verdictsIn = ({ changes: all = [], clauses }: TargetStatus): Change[] =>
  all.map(({ at, clause, verdict, before }) => ({
    at,
    what: html`<span class="id">${clause}</span> from ${before} to <span class="${verdict}">${mark(verdict)}${verdict}</span> <small>${clauses.find(({ id }) => id === clause)?.text}</small>`,
  }));

const factsIn = ({ observations }: TargetStatus): Change[] =>
  observations
    .filter(({ before }) => before !== undefined)
    .map(({ id, fact, value, before, since }) => ({
      at: since,
      what: html`<span class="id">${id}</span> ${fact} from <q>${before}</q> to <q>${value}</q>`,
    }));

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
