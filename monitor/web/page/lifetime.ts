import type { TokenStatus } from '../../canary/canary-status.ts';
import type { CanaryCheckStatus } from '../../canary/check-log.ts';
import { type CanaryVerdict, canaryStates } from '../../canary/verdict.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { lifetimeLines, oldestDrawnSeconds } from './lifetime-lines.ts';
import { folding, html, type Markup, tag } from './markup.ts';
import { age, clock, count, period } from './wording.ts';

/** A token's end, in seconds. */
const end = 86_400;

/** What canaries show about the lifetime of tokens: in numbers, as a drawing, and check by check. */
export function lifetime({ token }: TargetStatus): Markup | '' {
  if (token === undefined) return '';
  const { off, checks } = token;
  return html`<section aria-labelledby="lifetime"><h2 id="lifetime">How long tokens live</h2>
${off === undefined ? '' : html`<p class="note">${tag('off', 'no canaries')} ${off}</p>`}
${known(token) ? html`${figures(token)}${drawing(token)}` : off === undefined ? html`<p class="since">No canary has been checked yet. ${canaries(token)}.</p>` : ''}
${checks.length === 0 ? '' : list(checks)}</section>`;
}

const known = ({ atLeastSeconds, atMostSeconds, checks }: TokenStatus): boolean =>
  atLeastSeconds !== undefined || atMostSeconds !== undefined || checks.length > 0;

/** Rounded so that each bound still holds: the lower one down, the upper one up. */
function figures(token: TokenStatus): Markup {
  const { atLeastSeconds, atMostSeconds, toleranceSeconds } = token;
  const late = atLeastSeconds !== undefined && atLeastSeconds > end + toleranceSeconds;
  const early = atMostSeconds !== undefined && atMostSeconds < end - toleranceSeconds;
  const rows = [
    [
      'Still admitted at the age of',
      atLeastSeconds === undefined ? 'not seen yet' : age(Math.floor(atLeastSeconds)),
      late ? tag('broken', 'too late') : '',
    ],
    [
      'Refused at the age of',
      atMostSeconds === undefined ? 'not seen yet' : age(Math.ceil(atMostSeconds)),
      early ? tag('broken', 'too early') : '',
    ],
    ['The contract says', `24 h ± ${toleranceSeconds} s`, ''],
    ['Canaries', canaries(token), ''],
  ] as const;
  return html`<dl class="figures">${rows.map(
    ([name, value, wrong]) => html`<div><dt>${name}</dt><dd>${value} ${wrong}</dd></div>`,
  )}</dl>`;
}

const canaries = ({ canaries: counts }: TokenStatus): string =>
  canaryStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${state === 'expired' ? 'expired in time' : state}`)
    .join(', ') || 'None is watched';

function drawing(token: TokenStatus): Markup {
  const beyond = token.checks.filter(({ leastSeconds }) => leastSeconds > oldestDrawnSeconds);
  const alive = beyond.filter(({ admitted }) => admitted).length;
  const oldest = Math.max(0, ...beyond.map(({ leastSeconds }) => leastSeconds));
  return html`<figure class="lifetime">${lifetimeLines(token)}
<figcaption class="legend"><span><svg class="key" aria-hidden="true" viewBox="0 0 10 10"><rect class="alive" width="10" height="10"/></svg>seen alive</span>
<span><svg class="key" aria-hidden="true" viewBox="0 0 10 10"><rect class="dead" x=".5" y=".5" width="9" height="9"/></svg>seen dead</span>
<span><svg class="key" aria-hidden="true" viewBox="0 0 10 10"><circle class="alive" cx="5" cy="5" r="4"/></svg>admitted</span>
<span><svg class="key" aria-hidden="true" viewBox="0 0 10 10"><circle class="dead" cx="5" cy="5" r="4"/></svg>refused</span>
<span><svg class="key" aria-hidden="true" viewBox="0 0 10 10"><path class="failed" d="M5 0l5 5-5 5-5-5z"/></svg>breaks the contract</span>
${beyond.length === 0 ? '' : html`<span>Not drawn: ${count(beyond.length, 'check')} of older tokens, up to ${period(oldest)}, ${alive === 0 ? 'all refused' : `${alive} admitted`}.</span>`}</figcaption></figure>`;
}

const verdicts = {
  ok: 'as expected',
  late_accept: 'admitted too late',
  early_reject: 'refused too early',
  wrong_answer: 'wrong answer',
  undecided: 'says nothing',
} as const satisfies Record<CanaryVerdict, string>;

const list = (checks: readonly CanaryCheckStatus[]): Markup =>
  folding(
    'checks',
    `The last ${count(checks.length, 'check')}`,
    html`<ul class="checks">${checks.map(
      ({ at, leastSeconds, mostSeconds, admitted, verdict }) =>
        html`<li>${clock(at)} <span>${between(leastSeconds, mostSeconds)} old</span>
<span>${admitted ? 'admitted' : 'refused'}</span> <span class="verdict ${verdict}">${verdicts[verdict]}</span></li>`,
    )}</ul>`,
  );

const between = (least: number, most: number | undefined): string =>
  most === undefined
    ? `at least ${age(Math.floor(least))}`
    : `between ${age(Math.floor(least))} and ${age(Math.ceil(most))}`;
