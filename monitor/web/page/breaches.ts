import { type Finding, findingRows } from '../../../contract/finding.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { clauseAction } from './action.ts';
import { html, type Markup, mark } from './markup.ts';
import { clock, span, words } from './wording.ts';

/** How many findings of a clause are shown in full. */
const mostFindings = 3;

/** The violations, in the contract's words, with what was expected and received. */
export function breaches(target: TargetStatus, now: Date): Markup | '' {
  const violated = target.clauses.filter(({ verdict }) => verdict === 'violated');
  if (violated.length === 0) return '';
  return html`<section aria-label="Broken clauses">${violated.map(
    ({ id, text, since, findings }) => html`<div class="card violated">
<h2>${mark('violated')}<span><b>${id}</b> ${text}</span></h2>
<p class="since">Violated for ${span(since, now)}, since ${clock(since)}</p>
${clauseAction(target, id)}
${list(findings)}
</div>`,
  )}</section>`;
}

function list(findings: readonly Finding[]): Markup {
  const alike = [...Map.groupBy(findings, sameness).values()];
  const shown = alike.slice(0, mostFindings);
  const more = findings.length - shown.flat().length;
  return html`${shown.map(message)}${more === 0 ? '' : html`<p class="since">and ${more} more of this clause</p>`}`;
}

/** Texts that readers copy, or that come from a machine, are shown in a monospaced font. */
const shown = (name: string, text: string): string | Markup =>
  /^(body|trace|curl)$/.test(name) ? html`<code>${text}</code>` : text;

/** The key of equal findings. It ignores endpoints, so that a breach on all of them is shown once. */
const sameness = ({ probe, when, expected, received, seen }: Finding): string =>
  JSON.stringify([probe, when, expected, received, seen]);

function message(alike: readonly Finding[]): Markup | '' {
  const [first] = alike;
  if (first === undefined) return '';
  const { when, probe } = first;
  const lines = Map.groupBy(alike, ({ asked }) => asked);
  const requests = [...lines].map(
    ([line, { length }]) => html`<div>${line}${length === 1 ? '' : `, ${length} times`}</div>`,
  );
  const rows = [
    ['when', when] as const,
    ...findingRows.flatMap((name) =>
      first[name] === undefined
        ? []
        : [[name, name === 'asked' ? requests : shown(name, first[name])] as const],
    ),
    ['probe', words(probe)] as const,
  ];
  return html`<dl class="finding">${rows.map(
    ([name, value]) => html`<div class="${name}"><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}
