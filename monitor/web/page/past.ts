import { type PublishedOutcome, publishedOutcomes } from '../../../contract/round/outcome.ts';
import type { TallyStatus } from '../../watch/past.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup } from './markup.ts';
import { hourStrip } from './strip.ts';
import { inWords, runsIn, summary, worst } from './tally.ts';
import { count, hourTime } from './wording.ts';

/** The outcomes of the runs of two days, by hour. */
export function past({ hours }: TargetStatus, now: Date): Markup | '' {
  if (hours === undefined) return '';
  return html`<section aria-labelledby="history"><h2 id="history">History</h2>
<p class="legend">${publishedOutcomes.map(
    (name) =>
      html`<span><svg class="key" aria-hidden="true" viewBox="0 0 10 10">${keys[name]}</svg>${name}</span>`,
  )}</p>
<figure><figcaption><b>48 hours</b> ${hours.length === 0 ? 'no run yet' : summary(hours)}</figcaption>
${hourStrip(hours, now)}
<p class="ends" aria-hidden="true"><span>48 h ago</span><span>24 h ago</span><span>now</span></p>
${failedHours(hours)}</figure></section>`;
}

const keys: Readonly<Record<PublishedOutcome, Markup>> = {
  kept: html`<rect class="kept" y="5" width="6" x="2" height="5"/>`,
  broken: html`<rect class="broken" width="6" x="2" height="10"/>`,
  unreachable: html`<rect class="unreachable" x="2.5" y=".5" width="5" height="9"/>`,
  defect: html`<rect class="defect" width="6" x="2" height="4"/>`,
};

/** The content of the highlighted cells, for screen readers. */
function failedHours(hours: readonly TallyStatus[]): Markup | '' {
  const cells = hours.filter((one) => runsIn(one) > 0 && worst(one) !== 'kept').reverse();
  if (cells.length === 0) return '';
  return folding(
    'failed-hours',
    `${count(cells.length, 'hour')} with failures`,
    html`<ul class="unclean">${cells.map((one) => html`<li><span>${hourTime(one.from)}</span> ${inWords(one)}</li>`)}</ul>`,
  );
}
