import type { Status, TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup, mark, type Sign, type Signed, signOf } from './markup.ts';
import { targetPath, targetRows } from './target-rows.ts';
import { clock, span } from './wording.ts';

/**
 * How many targets have a row of their own. Beyond that, targets without a problem are only named, so that a
 * thousand can be shown.
 */
const mostRows = 60;

const nouns: Readonly<Record<Sign, string>> = {
  broken: 'broken',
  unreachable: 'unreachable',
  partly: 'judged in part',
  unverified: 'unverified',
  waiting: 'in the first round',
  maintenance: 'in maintenance',
  holds: 'hold',
};

/** By importance; targets in maintenance do not count. */
const signs = [
  'broken',
  'unreachable',
  'partly',
  'unverified',
  'waiting',
  'holds',
  'maintenance',
] as const satisfies Sign[];

/** The sign of all targets together. Targets in maintenance count only when all are in maintenance. */
function overall({ targets }: { readonly targets: readonly Signed[] }): Sign {
  const seen = new Set(targets.map(signOf));
  return signs.find((sign) => seen.has(sign)) ?? 'waiting';
}

/** A number of targets and their state: `2 broken`, `1 holds`. */
const stated = (number: number, sign: Sign, of = ''): string =>
  `${number}${of} ${sign === 'holds' && number === 1 ? 'holds' : nouns[sign]}`;

/** All targets in one line: `2 of 50 broken`. */
export function overviewHeadline({ targets }: { readonly targets: readonly Signed[] }): string {
  if (targets.length === 0) return 'No target is watched';
  const worst = overall({ targets });
  const number = targets.filter((target) => signOf(target) === worst).length;
  return worst === 'holds' && number === targets.length
    ? `All ${number} hold`
    : stated(number, worst, ` of ${targets.length}`);
}

/** One row per target, the violated ones first. */
export function overview(status: Status): Markup {
  const { targets, now } = status;
  const sorted = targets.toSorted(inOrder);
  const rest = sorted.slice(mostRows);
  const sign = overall({ targets });
  return html`<header class="${sign}">
<h1>${mark(sign)}<span>${overviewHeadline({ targets })}</span></h1>
<p class="lead">${census(targets, sign)}${lastChange(targets, now)}</p>
</header>
${targets.length === 0 ? '' : targetRows(sorted.slice(0, mostRows), now)}
${rest.length === 0 ? '' : folded(rest)}`;
}

/** Targets without anything to report come last. */
const order = signs.toSorted((one, other) => Number(one === 'holds') - Number(other === 'holds'));

/** The latest violation comes first; targets without a problem are sorted by name. */
function inOrder(one: TargetStatus, other: TargetStatus): number {
  const sign = signOf(one);
  const another = signOf(other);
  if (sign !== another) return order.indexOf(sign) - order.indexOf(another);
  const bySince = other.since.getTime() - one.since.getTime();
  const isLoud = ['broken', 'unreachable', 'partly'].includes(sign);
  return (isLoud ? bySince : 0) || names.compare(one.name, other.name);
}

const names = new Intl.Collator('en', { numeric: true });

/** `1 unreachable, 46 hold. `, without the part that the headline already contains. */
function census(targets: readonly Signed[], headline?: Sign): string {
  const bySign = Map.groupBy(targets, signOf);
  const counts = order
    .filter((sign) => sign !== headline && bySign.has(sign))
    .map((sign) => stated(bySign.get(sign)?.length ?? 0, sign));
  return counts.length === 0 ? '' : `${counts.join(', ')}. `;
}

function lastChange(targets: readonly TargetStatus[], now: Date): Markup | '' {
  const [latest] = targets.toSorted((one, other) => other.since.getTime() - one.since.getTime());
  return latest === undefined
    ? ''
    : html`The last change was ${span(latest.since, now)} ago, at ${clock(latest.since)}: ${latest.name}.`;
}

const folded = (rest: readonly TargetStatus[]): Markup =>
  folding(
    'more',
    `${rest.length} more: ${census(rest).replace(/\. $/, '')}`,
    html`<ul class="names">${rest.map(
      (target) =>
        html`<li>${mark(signOf(target))}<a href="${targetPath(target)}">${target.name}</a></li>`,
    )}</ul>`,
  );
