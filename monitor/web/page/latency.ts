import type { LatencyStatus } from '../../watch/past.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup } from './markup.ts';
import { clock, count, shortDuration } from './wording.ts';

const anHour = 3_600_000;
const shown = 48 * anHour;
const step = anHour / 2;

/** The height of the plot in pixels; its width is that of the page. */
const height = 160;

/** Converts an instant to percent of the width, and a latency to pixels from the top. */
interface Scale {
  x(at: number): number;
  y(seconds: number): number;
}

/** How long requests took in the last 48 hours: as a drawing, in one sentence, and per half hour. */
export function latency({ latency: all }: TargetStatus, now: Date): Markup | '' {
  if (all === undefined) return '';
  const caption = html`<b>48 hours</b> Latency of the requests with a valid token, without DNS lookup, connecting and TLS`;
  if (all.length === 0)
    return html`<figure><figcaption>${caption}: no measurement yet</figcaption></figure>`;
  return html`<figure class="latency"><figcaption>${caption}
<span class="legend"><span><svg class="key" aria-hidden="true" viewBox="0 0 10 10"><path class="p50" d="M0 5h10"/></svg>p50: half took no longer</span>
<span><svg class="key" aria-hidden="true" viewBox="0 0 10 10"><path class="p95" d="M0 5h10"/></svg>p95: 95 % took no longer</span></span></figcaption>
${drawing(all, now)}
${folding('latency-table', `${count(all.length, 'half hour')} in figures`, table(all))}</figure>`;
}

function drawing(all: readonly LatencyStatus[], now: Date): Markup {
  const to = endOf(now);
  const largest = Math.max(...all.map(({ p95Seconds }) => p95Seconds));
  const marks = marksUpTo(largest);
  const top = Math.max(largest, marks.at(-1) ?? 0) * 1.05;
  const scale: Scale = {
    x: (at) => (1 - (to - at) / shown) * 100,
    y: (seconds) => (1 - seconds / top) * height,
  };
  const places = stretches(all);
  return html`<div class="plot"><svg class="scale" aria-hidden="true" width="56" height="${height}">${marks.map(
    (seconds) =>
      html`<text x="50" y="${scale.y(seconds) + 4}" text-anchor="end">${axisLabel(seconds)}</text>`,
  )}</svg>
<svg role="img" class="curves" width="100%" height="${height}" viewBox="0 0 100 ${height}" preserveAspectRatio="none" aria-label="${spoken(all, now)}">
<path class="grid" d="${marks.map((seconds) => `M0 ${fixed(scale.y(seconds))}H100`).join('')}"/>
${places.map((place) => html`<path class="band" d="${band(place, scale)}"/>`)}
<path class="p95" d="${places.map((place) => line(place, 'p95Seconds', scale)).join('')}"/>
<path class="p50" d="${places.map((place) => line(place, 'p50Seconds', scale)).join('')}"/></svg>
<svg class="times" aria-hidden="true" width="100%" height="34">${timesUpTo(to).map(
    (at) =>
      html`<text x="${fixed(scale.x(at))}%" y="14" text-anchor="middle">${timeLabel(at)}</text>`,
  )}<text x="100%" y="30" text-anchor="end">hours in UTC</text></svg></div>`;
}

/** The end of the current half hour. */
const endOf = (now: Date): number => (Math.floor(now.getTime() / step) + 1) * step;

/** Groups half hours that follow one another; between two groups there was no measurement. */
function stretches(all: readonly LatencyStatus[]): LatencyStatus[][] {
  const found: LatencyStatus[][] = [];
  for (const one of all) {
    const last = found.at(-1)?.at(-1);
    if (last !== undefined && one.from.getTime() - last.from.getTime() === step)
      found.at(-1)?.push(one);
    else found.push([one]);
  }
  return found;
}

type Quantile = 'p50Seconds' | 'p95Seconds';

/** Draws a step for each half hour, so that a single half hour is visible too. */
const steps = (place: readonly LatencyStatus[], quantile: Quantile, { x, y }: Scale): string[] =>
  place.flatMap((one) => {
    const at = one.from.getTime();
    const level = fixed(y(one[quantile]));
    return [`${fixed(x(at))} ${level}`, `${fixed(x(at + step))} ${level}`];
  });

const line = (place: readonly LatencyStatus[], quantile: Quantile, scale: Scale): string =>
  `M${steps(place, quantile, scale).join('L')}`;

const band = (place: readonly LatencyStatus[], scale: Scale): string =>
  `M${[...steps(place, 'p95Seconds', scale), ...steps(place, 'p50Seconds', scale).reverse()].join('L')}z`;

const fixed = (value: number): number => Number(value.toFixed(2));

/** Three to six round numbers from 0 up to the largest value that is drawn. */
function marksUpTo(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(largest));
  const between =
    [0.2, 0.5, 1, 2].map((factor) => factor * power).find((one) => largest / one <= 5) ?? power;
  const count = Math.floor(largest / between + 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => index * between);
}

const axisLabel = (seconds: number): string => {
  if (seconds === 0) return '0';
  const [value, unit] = seconds < 1 ? [seconds * 1000, 'ms'] : [seconds, 's'];
  return `${Number(value.toPrecision(2))} ${unit}`;
};

/** Every twelfth hour of the day (UTC), except near the edges, where its label would not fit. */
const timesUpTo = (to: number): number[] =>
  [0, 1, 2, 3, 4]
    .map((index) => (Math.floor(to / (12 * anHour)) - index) * 12 * anHour)
    .filter((at) => at - (to - shown) > 2 * anHour && to - at > 2 * anHour);

function timeLabel(at: number): string {
  const text = new Date(at).toISOString();
  return text.slice(11, 13) === '00' ? text.slice(0, 10) : text.slice(11, 16);
}

/** Describes the drawing in one sentence. */
function spoken(all: readonly LatencyStatus[], now: Date): string {
  const range = (quantile: Quantile): string => {
    const values = all.map((one) => one[quantile]);
    return `between ${shortDuration(Math.min(...values))} and ${shortDuration(Math.max(...values))}`;
  };
  const since = endOf(now) - shown;
  const missing = shown / step - all.filter(({ from }) => from.getTime() >= since).length;
  return (
    `Latency of the last 48 hours: p50 ${range('p50Seconds')}, p95 ${range('p95Seconds')}` +
    (missing > 0 ? `; nothing was measured in ${missing} of 96 half hours` : '')
  );
}

const table = (all: readonly LatencyStatus[]): Markup =>
  html`<table class="latencies"><thead><tr><th scope="col">From</th><th scope="col">p50</th><th scope="col">p95</th>
<th scope="col">Requests</th></tr></thead>
<tbody>${all
    .toReversed()
    .map(
      ({ from, p50Seconds, p95Seconds, requests }) =>
        html`<tr><th scope="row">${clock(from)}</th><td>${shortDuration(p50Seconds)}</td><td>${shortDuration(p95Seconds)}</td><td>${requests}</td></tr>`,
    )}</tbody></table>`;
