import type { TallyStatus } from '../../watch/past.ts';
import type { ProbeStatus } from '../../watch/status.ts';
import { html, type Markup } from './markup.ts';
import { inWords, keptShare, runsIn, sumOf, worst } from './tally.ts';
import { hour } from './wording.ts';

const runCells = 30;

const hourCells = 48;
const anHour = 3_600_000;

/** The width of a cell with its gap, and its height when all runs failed. */
const pitch = 5;
const full = 20;

/**
 * The last runs. The shape has the same meaning as the colour: `kept` is low, `broken` high, `unreachable` hollow,
 * and a defect hangs from above.
 */
export function runStrip(runs: ProbeStatus['runs']): Markup {
  const shown = runs.slice(-runCells);
  const kept = shown.filter(({ ending }) => ending === 'kept').length;
  const leftOf = (index: number): number => (runCells - shown.length + index) * pitch;
  const width = runCells * pitch;
  return html`<svg role="img" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}" aria-label="${`${kept} of the last ${shown.length} runs passed`}">${keptBars(
    shown.flatMap(({ ending }, index) => (ending === 'kept' ? [[leftOf(index), 10]] : [])),
  )}${shown.map(({ ending }, index) => (ending === 'kept' ? '' : failed(ending, leftOf(index), full)))}</svg>`;
}

/** The last 48 hours, one cell per hour. Failures hang from above; their length is their share of the hour's runs. */
export function hourStrip(hours: readonly TallyStatus[], now: Date): Markup {
  const last = Math.floor(now.getTime() / anHour);
  const shown = hours.flatMap((one) => {
    const index = hourCells - 1 - (last - Math.floor(one.from.getTime() / anHour));
    return index < 0 || index >= hourCells || runsIn(one) === 0 ? [] : [{ ...one, index }];
  });
  const seen = new Set(shown.map(({ index }) => index));
  const unseen = Array.from({ length: hourCells }, (_, index) => index).filter((i) => !seen.has(i));
  const width = hourCells * pitch;
  return html`<svg role="img" class="hours" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}" preserveAspectRatio="none" aria-label="${spoken(shown)}">${
    unseen.length === 0
      ? ''
      : html`<path class="none" d="${unseen.map((index) => `M${index * pitch + 2} 19v1`).join('')}"/>`
  }${keptBars(shown.flatMap((one) => (one.kept > 0 ? [[one.index * pitch, lengthOf(one)]] : [])))}${shown.map(
    (one) => {
      const ending = worst(one);
      if (ending === 'kept') return '';
      const message = `${hour(one.from)}: ${inWords(one)}`;
      return failed(ending, one.index * pitch, failedLength(one), message);
    },
  )}</svg>`;
}

const spoken = (shown: readonly TallyStatus[]): string =>
  shown.length === 0
    ? 'No run in the last 48 hours'
    : `Last 48 hours: ${keptShare(sumOf(shown))} of the runs passed`;

/** The length of failures, with a minimum so that they are not overlooked. */
const failedLength = (tally: TallyStatus): number =>
  worst(tally) === 'kept'
    ? 0
    : Math.max(6, Math.round((tally[worst(tally)] / runsIn(tally)) * full));

const lengthOf = (tally: TallyStatus): number => Math.min(10, full - failedLength(tally));

/** One path for all bars: most cells are `kept`, and a page with fifty strips must be small. */
const keptBars = (bars: readonly (readonly number[])[]): Markup | '' =>
  bars.length === 0
    ? ''
    : html`<path class="kept" d="${bars.map(([left = 0, length = 0]) => `M${left + 2} ${full}v-${length}`).join('')}"/>`;

function failed(ending: string, left: number, length: number, message?: string): Markup {
  const title = message === undefined ? '' : html`<title>${message}</title>`;
  if (ending === 'unreachable')
    return html`<rect class="${ending}" x="${left + 0.5}" y=".5" width="3" height="${length - 1}">${title}</rect>`;
  const height = ending === 'defect' ? Math.min(6, length) : length;
  return html`<rect class="${ending}" x="${left}" width="4" height="${height}">${title}</rect>`;
}
