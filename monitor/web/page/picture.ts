import { count } from '../../../contract/words.ts';
import { type HalfHour, halfHourMs } from '../../status/speed.ts';
import { html, type Markup } from './markup.ts';
import { duration } from './wording.ts';

/** A cell is half an hour: one unit wide. Latency is drawn above, outcomes below. */
const cells = 96;
const latencyHeight = 16;
const height = 28;

/** How high the bar of an outcome is. The most significant one comes first: a failure outweighs many passed runs. */
const bars = { failed: 10, unreachable: 6, passed: 3 } as const;
const outcomes = ['failed', 'unreachable', 'passed'] as const satisfies (keyof typeof bars)[];

/** The last 48 hours of one endpoint, or of several: the worst outcome and the highest latency of each half hour. */
export function picture(all: readonly HalfHour[], now: number): Markup {
  const end = Math.floor(now / halfHourMs) + 1;
  const byCell = Map.groupBy(all, ({ from }) => cells - end + from / halfHourMs);
  const columns = Array.from({ length: cells }, (_, cell) => byCell.get(cell) ?? []);
  const top = Math.max(1e-9, ...columns.flat().map(({ p95Seconds = 0 }) => p95Seconds));
  const lines = (['p95', 'p50'] as const).map((quantile) => {
    const values = columns.map((same) =>
      Math.max(0, ...same.map((halfHour) => halfHour[`${quantile}Seconds`] ?? 0)),
    );
    return html`<path class="${quantile}" d="${steps(values, top)}"/>`;
  });
  return html`<svg role="img" class="picture" viewBox="0 0 ${cells} ${height}" preserveAspectRatio="none"><title>${inWords(columns.flat())}</title>
${strip(columns)}${lines}</svg>`;
}

/** A bar for each stretch of half hours with the same outcome: most pictures have only one. */
function strip(columns: readonly (readonly HalfHour[])[]): Markup[] {
  const kinds = columns.map((same) =>
    outcomes.find((name) => same.some((halfHour) => halfHour[name] > 0)),
  );
  return kinds.flatMap((kind, from) => {
    if (kind === undefined || kinds[from - 1] === kind) return [];
    const end = kinds.findIndex((next, cell) => cell > from && next !== kind);
    const width = (end < 0 ? cells : end) - from;
    return html`<rect class="${kind}" x="${from}" y="${height - bars[kind]}" width="${width}" height="${bars[kind]}"/>`;
  });
}

/** A step for each half hour, so that a single one is visible too, and a gap where nothing was measured. */
const steps = (values: readonly number[], top: number): string =>
  values
    .map((value, cell) => {
      const y = (latencyHeight - (value / top) * (latencyHeight - 1)).toFixed(1);
      if (value === 0) return '';
      return values[cell - 1] ? `V${y}h1` : `M${cell} ${y}h1`;
    })
    .join('');

function inWords(all: readonly HalfHour[]): string {
  const sums = outcomes.map((name) => all.reduce((sum, halfHour) => sum + halfHour[name], 0));
  const runs = sums.reduce((sum, number) => sum + number);
  const parts = outcomes.flatMap((name, index) => (sums[index] ? `${sums[index]} ${name}` : []));
  const p95s = all.flatMap(({ p95Seconds }) => p95Seconds ?? []);
  if (p95s.length > 0)
    parts.push(`p95 from ${duration(Math.min(...p95s))} to ${duration(Math.max(...p95s))}`);
  return `${count(runs, 'run')} in the last 48 hours${runs === 0 ? '' : `: ${parts.join(', ')}`}`;
}
