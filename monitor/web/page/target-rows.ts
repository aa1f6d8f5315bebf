import type { TargetStatus } from '../../watch/status.ts';
import { html, type Markup, mark, signOf, tag } from './markup.ts';
import { hourStrip } from './strip.ts';
import { keptShare, sumOf } from './tally.ts';
import { count, shortAge, span } from './wording.ts';

export const targetPath = ({ name }: Pick<TargetStatus, 'name'>): string =>
  `/targets/${encodeURIComponent(name)}`;

/** One row per target: its name, its violations, its history, since when, and the lifetime of its tokens. */
export const targetRows = (targets: readonly TargetStatus[], now: Date): Markup =>
  html`<table class="targets"><thead><tr><th scope="col">Target</th><th scope="col">Problem</th>
<th scope="col">Last 48 hours</th><th scope="col">Passed</th><th scope="col">Since</th><th scope="col">Tokens live</th></tr></thead>
<tbody>${targets.map((target) => row(target, now))}</tbody></table>`;

function row(target: TargetStatus, now: Date): Markup {
  const { name, labels = {}, since, hours = [] } = target;
  const sign = signOf(target);
  return html`<tr class="${sign}"><th scope="row">${mark(sign)}<a href="${targetPath(target)}">${name}</a>${
    Object.keys(labels).length === 0 ? '' : html` <small>${Object.values(labels).join(' ')}</small>`
  }</th>
<td class="matter">${matter(target, now)}</td>
<td class="strip">${hours.length === 0 ? '' : hourStrip(hours, now)}</td>
<td class="kept">${hours.length === 0 ? '' : keptShare(sumOf(hours))}</td>
<td class="ran"><time datetime="${since.toISOString()}">${span(since, now)}</time></td>
<td class="life">${lives(target)}</td></tr>`;
}

/** The problems of a target; if there are none, a short neutral text. */
function matter(target: TargetStatus, now: Date): Markup | string {
  const { state, clauses, unreachable, maintenance, probes } = target;
  if (maintenance !== undefined)
    return html`${tag('maintenance', 'maintenance')} for ${span(now, maintenance.until)} more${maintenance.note === undefined ? '' : `: ${maintenance.note}`}`;
  const violated = clauses.filter(({ verdict }) => verdict === 'violated');
  const [first, ...others] = violated;
  if (first !== undefined)
    return html`<b>${first.id}</b> ${first.text}${others.length === 0 ? '' : html`; also <b>${others.map(({ id }) => id).join(', ')}</b>`}`;
  if (unreachable !== undefined)
    return html`${tag('unreachable', unreachable.reason)} ${unreachable.detail}`;
  if (state === 'waiting')
    return `${probes.filter(({ last }) => last !== undefined).length} of ${probes.length} probes have run`;
  const holding = clauses.filter(({ verdict }) => verdict === 'holds').length;
  return html`<small>${count(holding, 'clause')} ${holding === 1 ? 'holds' : 'hold'}</small>`;
}

/** Each bound is rounded so that it still holds. */
function lives({ token }: TargetStatus): Markup | '' {
  if (token === undefined) return '';
  const { atLeastSeconds, atMostSeconds } = token;
  if (atLeastSeconds === undefined && atMostSeconds === undefined) return '';
  const least = atLeastSeconds === undefined ? '?' : shortAge(Math.floor(atLeastSeconds));
  const most = atMostSeconds === undefined ? '?' : shortAge(Math.ceil(atMostSeconds));
  return html`<span class="unseen">between </span>${least}<span aria-hidden="true">–</span><span class="unseen"> and </span>${most}`;
}
