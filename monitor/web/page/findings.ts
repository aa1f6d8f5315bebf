import { type Finding, findingRows } from '../../../contract/finding.ts';
import { quotedWord } from '../../../contract/http/curl.ts';
import { alertNameOf, runbookEntry } from '../../alertmanager.ts';
import { proofs } from '../../canary/evidence.ts';
import { clausesWith } from '../../status/status.ts';
import type { TargetView } from '../../status/view.ts';
import { html, type Markup } from './markup.ts';
import { mark } from './signs.ts';
import { clock, span } from './wording.ts';

/** How many findings of a clause are shown in full. */
const mostFindings = 3;

/**
 * The next steps: what to read, and how to repeat it.
 * @param probes the argument of `npm run probe`; absent where only canaries find it, which takes a day
 */
export const nextSteps = (target: string, alert: string, probes?: string): Markup =>
  html`<p class="next">Runbook: <code>${runbookEntry(alert)}</code>${
    probes !== undefined &&
    html`<br>Repeat: <code>npm run probe -- ${probes}--target ${quotedWord(target)}</code>`
  }</p>`;

/** The violated clauses in the contract's words, with what was expected and received. */
export function findings({ status }: TargetView, now: number): Markup | '' {
  const cards = clausesWith(status, 'violated').map(({ id, text }) => {
    const { since, findings: all } = status.clauses[id];
    const alike = [...Map.groupBy(all, sameness).values()].slice(0, mostFindings);
    const others = all.length - alike.flat().length;
    return html`<div class="card violated">
<h2>${mark('violated')}<span><b>${id}</b> ${text}</span></h2>
<p class="since">Violated for ${span(since, now)}, since ${clock(since)}</p>
${nextSteps(status.target, alertNameOf(id), id in proofs ? undefined : `${id} `)}
${alike.map(finding)}${others > 0 && html`<p class="since">and ${others} more of this clause</p>`}
</div>`;
  });
  return cards.length === 0 ? '' : html`<section aria-label="Violated clauses">${cards}</section>`;
}

/** The key of equal findings. It ignores endpoints, so that a finding on all of them is shown once. */
const sameness = ({ probe, when, expected, received, seen }: Finding): string =>
  JSON.stringify([probe, when, expected, received, seen]);

function finding(alike: readonly Finding[]): Markup {
  const [first] = alike;
  const requests = [...new Set(alike.map(({ asked }) => asked))];
  const shown = { ...first, asked: requests.map((request) => html`<div>${request}</div>`) };
  const rows = (['when', ...findingRows, 'probe'] as const).map((name) => {
    const value = name === 'probe' ? first?.probe.replaceAll('-', ' ') : shown[name];
    const text = /^(body|trace|curl)$/.test(name) ? html`<code>${value}</code>` : value;
    return value && html`<div class="${name}"><dt>${name}</dt><dd>${text}</dd></div>`;
  });
  return html`<dl class="finding">${rows}</dl>`;
}
