import type { TokenStatus } from '../../canary/canary-status.ts';
import type { CanaryCheckStatus } from '../../canary/check-log.ts';
import { html, type Markup } from './markup.ts';
import { age } from './wording.ts';

const end = 86_400;
const aMinute = 60;
const anHour = 3600;

/** A period of a token's life, and its position in the drawing (pixels from the top). */
interface Line {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly ticks: readonly (readonly [seconds: number, label: string])[];
}

/** The greatest age that is drawn: checks at 25 h run a little late. */
export const oldestDrawnSeconds = 25.5 * anHour;

const whole: Line = {
  from: 0,
  to: oldestDrawnSeconds,
  top: 44,
  ticks: [0, 6, 12, 18, 24].map((hours) => [hours * anHour, `${hours} h`]),
};

const around: Line = {
  from: end - 6 * aMinute,
  to: end + 6 * aMinute,
  top: 144,
  ticks: [-4, -2, 0, 2, 4].map((minutes) => [
    end + minutes * aMinute,
    minutes === 0 ? '24 h' : `${minutes < 0 ? '−' : '+'}${Math.abs(minutes)} min`,
  ]),
};

const thick = 12;
const height = 178;

/**
 * The life of a token on two lines: from its issue to 25 h, and the minutes around its end. Widths are in percent
 * of the page, so that the drawing scales and texts keep their size.
 */
export function lifetimeLines(token: TokenStatus): Markup {
  return html`<svg role="img" class="lines" width="100%" height="${height}" aria-label="${spoken(token)}">
<line class="zoom" x1="${place(whole, around.from)}" y1="${whole.top + thick}" x2="${place(around, around.from)}" y2="${around.top}"/>
<line class="zoom" x1="${place(whole, around.to)}" y1="${whole.top + thick}" x2="${place(around, around.to)}" y2="${around.top}"/>
${line(whole, token)}
${line(around, token)}</svg>`;
}

function spoken({ atLeastSeconds, atMostSeconds, toleranceSeconds }: TokenStatus): string {
  const bounds = [
    atLeastSeconds === undefined
      ? 'no token was seen alive'
      : `a token was seen alive at ${age(Math.floor(atLeastSeconds))}`,
    atMostSeconds === undefined
      ? 'none was seen dead'
      : `one was seen dead at ${age(Math.ceil(atMostSeconds))}`,
  ];
  return `Of 24 h, give or take ${toleranceSeconds} s: ${bounds.join(', and ')}`;
}

const line = (scale: Line, token: TokenStatus): Markup =>
  html`<g>${tolerance(scale, token)}
<rect class="unknown" x="1%" y="${scale.top}" width="98%" height="${thick}"/>
${seen(scale, token)}
${scale.ticks.map(
  ([seconds, label]) =>
    html`<line class="${seconds === end ? 'end' : 'tick'}" x1="${place(scale, seconds)}" x2="${place(scale, seconds)}" y1="${scale.top - (seconds === end ? 6 : 0)}" y2="${scale.top + thick + 4}"/>
<text class="${seconds === end ? 'end' : ''}" x="${place(scale, seconds)}" y="${scale.top + thick + 18}" text-anchor="${seconds === 0 ? 'start' : 'middle'}">${label}</text>`,
)}
${points(scale, token)}</g>`;

/** Where tokens were accepted and where refused; violations stand out. */
function seen(
  scale: Line,
  { atLeastSeconds, atMostSeconds, toleranceSeconds }: TokenStatus,
): Markup {
  const alive = atLeastSeconds ?? scale.from;
  const dead = atMostSeconds ?? Number.POSITIVE_INFINITY;
  return html`${stretch(scale, 'dead', dead, Number.POSITIVE_INFINITY)}
${stretch(scale, 'alive', 0, Math.min(alive, end + toleranceSeconds))}
${dead < end - toleranceSeconds ? stretch(scale, 'wrong', dead, end) : ''}
${alive > end + toleranceSeconds ? stretch(scale, 'wrong', end, alive) : ''}`;
}

function stretch(scale: Line, kind: string, from: number, to: number): Markup | '' {
  const left = within(scale, from);
  const right = within(scale, to);
  if (right <= left) return '';
  return html`<rect class="${kind}" x="${share(left)}" width="${share(right - left)}" y="${scale.top}" height="${thick}"/>`;
}

/** Drawn only on the second line: it would be too narrow to see on the line of the whole life. */
function tolerance(scale: Line, { toleranceSeconds }: TokenStatus): Markup | '' {
  if (scale !== around) return '';
  const left = within(scale, end - toleranceSeconds);
  const right = within(scale, end + toleranceSeconds);
  return html`<rect class="tolerance" x="${share(left)}" width="${share(right - left)}" y="${scale.top - 36}" height="${thick + 40}"/>`;
}

/** Points at about the same position are stacked, up to this number. Each is on the line that shows it best. */
const highest = 4;

function points(scale: Line, { checks }: TokenStatus): Markup[] {
  const stacked = new Map<number, number>();
  return checks
    .filter((check) => lineOf(check) === scale)
    .map((check) => {
      const at = within(
        scale,
        (check.leastSeconds + (check.mostSeconds ?? check.leastSeconds)) / 2,
      );
      const below = stacked.get(Math.round(at)) ?? 0;
      stacked.set(Math.round(at), Math.min(highest - 1, below + 1));
      return point(check, at, scale, scale.top - 10 - below * 8);
    });
}

const lineOf = ({ leastSeconds }: CanaryCheckStatus): Line | undefined =>
  [around, whole].find(({ from, to }) => leastSeconds >= from && leastSeconds <= to);

function point(check: CanaryCheckStatus, at: number, scale: Line, y: number): Markup {
  const { leastSeconds, mostSeconds, verdict, admitted } = check;
  const range = html`<line class="range" x1="${place(scale, leastSeconds)}" x2="${place(scale, mostSeconds ?? Number.POSITIVE_INFINITY)}" y1="${y}" y2="${y}"/>`;
  if (verdict !== 'ok' && verdict !== 'undecided')
    return html`${range}<svg x="${share(at)}" y="${y}" class="failed"><path d="M0-4.5l4.5 4.5-4.5 4.5-4.5-4.5z"/></svg>`;
  const kind = `${admitted ? 'alive' : 'dead'}${verdict === 'undecided' ? ' undecided' : ''}`;
  return html`${range}<circle class="${kind}" cx="${share(at)}" cy="${y}" r="3.5"/>`;
}

/** In percent of the width, with a margin of one percent on both sides. Points outside are drawn at the edge. */
const within = ({ from, to }: Line, seconds: number): number =>
  1 + 98 * Math.min(1, Math.max(0, (seconds - from) / (to - from)));

const share = (percent: number): string => `${Number(percent.toFixed(2))}%`;

const place = (scale: Line, seconds: number): string => share(within(scale, seconds));
