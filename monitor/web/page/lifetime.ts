import type { TokenStatus } from '../../canary/keeper.ts';
import { canaryStates } from '../../canary/verdict.ts';
import type { TargetView } from '../../status/view.ts';
import { foldedTable, html, type Markup, section, tag } from './markup.ts';
import { age, clock } from './wording.ts';

/** A token's end, in seconds, and how much is drawn before and after it. */
const end = 86_400;
const drawnSeconds = 360;

/** What canaries show about the lifetime of tokens: the bounds in numbers, around 24 hours, and each check. */
export function lifetime({ token, status: { checks } }: TargetView): Markup | '' {
  if (token === undefined) return '';
  const rows = checks.map(({ at, leastSeconds, mostSeconds = Infinity, admitted, verdict }) => [
    clock(at),
    `${age(leastSeconds)} to ${mostSeconds === Infinity ? 'any age' : age(Math.ceil(mostSeconds))}`,
    admitted ? 'admitted' : 'refused',
    html`<span class="${verdict}">${verdict.replace('_', ' ')}</span>`,
  ]);
  const content = html`${token.off && html`<p class="note">${tag('off', 'no canaries')} ${token.off}</p>`}
${figures(token)}${lifetimeDrawing(token)}
${foldedTable('checks', 'check', ['Time', 'Age of the token', 'Answer', 'Verdict'], rows)}`;
  return section('lifetime', 'How long tokens live', content);
}

/** Rounded so that each bound still holds: the lower one down, the upper one up. */
function figures({ atLeastSeconds, atMostSeconds, toleranceSeconds, canaries }: TokenStatus) {
  const isLate = (atLeastSeconds ?? 0) > end + toleranceSeconds;
  const isEarly = (atMostSeconds ?? Infinity) < end - toleranceSeconds;
  const counts = canaryStates.filter((state) => canaries[state] > 0);
  const rows = [
    ['Still admitted at the age of', atLeastSeconds && age(atLeastSeconds), isLate],
    ['Refused at the age of', atMostSeconds && age(Math.ceil(atMostSeconds)), isEarly],
    ['The contract says', `24 h ± ${toleranceSeconds} s`, false],
    ['Canaries', counts.map((state) => `${canaries[state]} ${state}`).join(', ') || 'none', false],
  ] as const;
  return html`<dl class="figures">${rows.map(
    ([name, value = 'not seen yet', isWrong]) =>
      html`<div><dt>${name}</dt><dd>${value} ${isWrong ? tag('violated') : ''}</dd></div>`,
  )}</dl>`;
}

/** The minutes around 24 hours. Widths are in percent of the page, so that texts keep their size. */
function lifetimeDrawing({
  atLeastSeconds: alive = 0,
  atMostSeconds: dead = Infinity,
  toleranceSeconds,
}: TokenStatus): Markup {
  const early = end - toleranceSeconds;
  const late = end + toleranceSeconds;
  return html`<svg class="life" aria-hidden="true" width="100%" height="64">
${bar('unknown', 0, Infinity)}${bar('dead', dead, Infinity)}${bar('alive', 0, Math.min(alive, late))}
${alive > late && bar('wrong', end, alive)}${dead < early && bar('wrong', dead, end)}${bar('tolerance', early, late)}
${['−4 min', '−2 min', '24 h', '+2 min', '+4 min'].map((label, index) => {
  const x = `${share(end + (index - 2) * 120)}%`;
  return html`<line x1="${x}" x2="${x}" y1="24" y2="42"/><text x="${x}" y="58" text-anchor="middle">${label}</text>`;
})}
</svg>
<p class="legend" aria-hidden="true"><b class="alive">seen alive</b> <b class="dead">seen dead</b> <b class="wrong">against the contract</b></p>`;
}

const bar = (kind: string, from: number, to: number): Markup =>
  html`<rect class="${kind}" x="${share(from)}%" width="${(share(to) - share(from)).toFixed(2)}%" y="26" height="12"/>`;

/** Where an age is drawn: percent of the width; ages outside are at the edge. */
const share = (seconds: number): number =>
  Number((50 + 50 * Math.max(-1, Math.min(1, (seconds - end) / drawnSeconds))).toFixed(2));
