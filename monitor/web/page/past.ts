import { type PublishedOutcome, publishedOutcomes } from '../../../contract/round/outcome.ts';
import type { TallyStatus } from '../../watch/past.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup } from './markup.ts';
import { hourStrip } from './strip.ts';
import { inWords, runsIn, summary, worst } from './tally.ts';
import { count, day, hourTime } from './wording.ts';
import { yearGrid } from './year.ts';

const anHour = 3_600_000;
const aDay = 24 * anHour;

/** The outcomes of the runs: two days by hour, and a year by day. */
export function past({ hours, days }: TargetStatus, now: Date): Markup | '' {
  if (hours === undefined && days === undefined) return '';
  return html`<section aria-labelledby="history"><h2 id="history">History</h2>
<p class="legend">${publishedOutcomes.map(
    (name) =>
      html`<span><svg class="key" aria-hidden="true" viewBox="0 0 10 10">${keys[name]}</svg>${name}</span>`,
  )}</p>
${hours === undefined ? '' : lastHours(since(hours, now, 48 * anHour), now)}
${days === undefined ? '' : lastYear(since(days, now, 371 * aDay), now)}</section>`;
}

const keys: Readonly<Record<PublishedOutcome, Markup>> = {
  kept: html`<rect class="kept" y="5" width="6" x="2" height="5"/>`,
  broken: html`<rect class="broken" width="6" x="2" height="10"/>`,
  unreachable: html`<rect class="unreachable" x="2.5" y=".5" width="5" height="9"/>`,
  defect: html`<rect class="defect" width="6" x="2" height="4"/>`,
};

const since = (all: readonly TallyStatus[], now: Date, ms: number): readonly TallyStatus[] =>
  all.filter(({ from }) => from.getTime() > now.getTime() - ms);

const lastHours = (hours: readonly TallyStatus[], now: Date): Markup =>
  html`<figure><figcaption><b>48 hours</b> ${totals(hours)}</figcaption>
${hourStrip(hours, now)}
<p class="ends" aria-hidden="true"><span>48 h ago</span><span>24 h ago</span><span>now</span></p>
${unclean('hour', hours, hourTime)}</figure>`;

const lastYear = (days: readonly TallyStatus[], now: Date): Markup =>
  html`<figure><figcaption><b>One year</b> ${totals(days)}</figcaption>
${yearGrid(days, now)}
${unclean('day', days, day)}</figure>`;

const totals = (all: readonly TallyStatus[]): string =>
  all.length === 0 ? 'no run yet' : summary(all);

/** The content of the highlighted cells, for screen readers. */
function unclean(
  noun: 'hour' | 'day',
  all: readonly TallyStatus[],
  name: (at: Date) => Markup | string,
): Markup | '' {
  const cells = all.filter((one) => runsIn(one) > 0 && worst(one) !== 'kept').reverse();
  if (cells.length === 0) return '';
  return folding(
    `unclean-${noun}`,
    `${count(cells.length, noun)} with failures`,
    html`<ul class="unclean">${cells.map((one) => html`<li><span>${name(one.from)}</span> ${inWords(one)}</li>`)}</ul>`,
  );
}
