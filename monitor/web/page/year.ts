import type { TallyStatus } from '../../watch/past.ts';
import { html, type Markup } from './markup.ts';
import { inWords, runsIn, worst } from './tally.ts';
import { day } from './wording.ts';

const aDay = 86_400_000;
const weeks = 53;
const pitch = 10;
const size = 8;

/** A day of the year, and its position in the grid. */
interface Place {
  readonly at: number;
  readonly column: number;
  readonly row: number;
  readonly tally?: TallyStatus;
}

/**
 * The last year, one cell per day and one column per week, with Monday on top (UTC). `kept` is pale, `broken`
 * crossed out, `unreachable` hollow, a defect a dot, and a day without a run almost invisible.
 */
export function yearGrid(days: readonly TallyStatus[], now: Date): Markup {
  const places = placesOf(days, now);
  const known = places.filter(({ tally }) => tally !== undefined);
  const kept = known.filter(({ tally }) => tally !== undefined && worst(tally) === 'kept');
  return html`<svg class="months" width="100%" height="14" aria-hidden="true">${months(places)}</svg>
<svg class="year" role="img" viewBox="0 0 ${weeks * pitch - 2} ${7 * pitch - 2}" aria-label="${`Last year: on ${kept.length} of the ${known.length} days with runs all of them passed`}">
<path class="blank" d="${squares(places.filter(({ tally }) => tally === undefined))}"/>
<path class="kept" d="${squares(kept)}"/>${known.map(failed)}</svg>`;
}

function placesOf(days: readonly TallyStatus[], now: Date): Place[] {
  const known = new Map(
    days.filter((one) => runsIn(one) > 0).map((one) => [dayOf(one.from.getTime()), one]),
  );
  const today = dayOf(now.getTime());
  const firstMonday = today - weekday(today) - (weeks - 1) * 7;
  return Array.from({ length: today - firstMonday + 1 }, (_, index) => {
    const tally = known.get(firstMonday + index);
    const at = (firstMonday + index) * aDay;
    const place = { at, column: Math.floor(index / 7), row: index % 7 };
    return tally === undefined ? place : { ...place, tally };
  });
}

const dayOf = (ms: number): number => Math.floor(ms / aDay);

/** 0 is Monday; day 0 of 1970 was a Thursday. */
const weekday = (dayNumber: number): number => (dayNumber + 3) % 7;

const squares = (places: readonly Place[]): string =>
  places
    .map(({ column, row }) => `M${column * pitch} ${row * pitch}h${size}v${size}h-${size}z`)
    .join('');

function failed({ column, row, tally }: Place): Markup | '' {
  if (tally === undefined || worst(tally) === 'kept') return '';
  const x = column * pitch;
  const y = row * pitch;
  const ending = worst(tally);
  const title = html`<title>${day(tally.from)}: ${inWords(tally)}</title>`;
  if (ending === 'broken')
    return html`<g class="broken"><rect x="${x}" y="${y}" width="8" height="8">${title}</rect><path class="cross" d="M${x + 2.5} ${y + 2.5}l3 3m0-3l-3 3"/></g>`;
  return ending === 'unreachable'
    ? html`<rect class="unreachable" x="${x + 1}" y="${y + 1}" width="6" height="6">${title}</rect>`
    : html`<circle class="defect" cx="${x + 4}" cy="${y + 4}" r="2.5">${title}</circle>`;
}

/** A month's name is above the first week that begins in it, except at the right edge, where it does not fit. */
const months = (places: readonly Place[]): Markup[] =>
  places
    .filter(
      ({ row, column, at }) => row === 0 && column < weeks - 2 && new Date(at).getUTCDate() <= 7,
    )
    .map(
      ({ at, column }) =>
        html`<text x="${((column / weeks) * 100).toFixed(1)}%" y="10">${new Date(at).toLocaleString('en', { month: 'short', timeZone: 'UTC' })}</text>`,
    );
