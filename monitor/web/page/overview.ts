import { clausesWith, whyNotJudged } from '../../status/status.ts';
import type { MonitorView, TargetView } from '../../status/view.ts';
import { html, type Markup, table } from './markup.ts';
import { picture } from './picture.ts';
import { mark, type Sign, signOf, signs } from './signs.ts';
import { pace, verified } from './target.ts';
import { clock, span } from './wording.ts';

/** How many targets have a picture, so that a page of a thousand is small. */
const mostPictures = 60;

const order = Object.keys(signs) as Sign[];

export const targetPath = (name: string): string => `/targets/${encodeURIComponent(name)}`;

/** How many targets have which sign, the most important first. */
const census = (targets: readonly TargetView[]): (readonly [sign: Sign, count: number])[] =>
  order
    .map((sign) => [sign, targets.filter((target) => signOf(target) === sign).length] as const)
    .filter(([, count]) => count > 0);

/** All targets in one line: `2 of 50 violated`. */
export function summary(targets: readonly TargetView[]): string {
  const [[sign, count] = ['waiting', 0] as const] = census(targets);
  if (count === 0) return 'No target is watched';
  if (sign === 'holds' && count === targets.length) return `All ${count} hold`;
  return `${count} of ${targets.length} ${signs[sign][0]}`;
}

/** One row per target, the violated ones first. */
export function overview({ targets, now }: MonitorView): Markup {
  const [[sign] = ['waiting'] as const, ...others] = census(targets);
  const rows = targets.toSorted(byImportance).map((target, index) => {
    const { target: name, since, endpoints } = target.status;
    const halfHours = Object.values(endpoints).flatMap((endpoint) => endpoint.halfHours);
    const labels = Object.values(target.labels ?? {}).join(' ');
    return [
      html`${mark(signOf(target))}<a href="${targetPath(name)}">${name}</a> <small>${labels}</small>`,
      matter(target),
      span(since, now),
      index < mostPictures ? picture(halfHours, now) : '',
    ];
  });
  return html`<header class="${sign}">
<h1>${mark(sign)}<span>${summary(targets)}</span></h1>
<p class="lead">${others.map(([other, count]) => `${count} ${signs[other][0]}`).join(', ')}</p>
</header>
${rows.length > 0 && table('targets', ['Target', 'State', 'For', 'Last 48 hours'], rows)}`;
}

/** The latest problem comes first; targets without one are sorted by name. */
function byImportance(one: TargetView, other: TargetView): number {
  const sign = signOf(one);
  const bySign = order.indexOf(sign) - order.indexOf(signOf(other));
  const isLoud = ['violated', 'unreachable', 'partly'].includes(sign);
  const bySince = isLoud ? other.status.since - one.status.since : 0;
  const byName = one.status.target.localeCompare(other.status.target, 'en', { numeric: true });
  return bySign || bySince || byName;
}

/** What is wrong with a target; if nothing is, how much is verified. */
function matter(target: TargetView): Markup {
  const { status, maintenance, stretchedToSeconds } = target;
  const [first, ...more] = clausesWith(status, 'violated');
  if (maintenance) return html`in maintenance until ${clock(maintenance.until)}`;
  if (first)
    return html`<b>${first.id}</b> ${first.text}${more.length > 0 && html`; also <b>${more.map(({ id }) => id).join(', ')}</b>`}`;
  const stretched = stretchedToSeconds === undefined ? '' : `; ${pace(target)}`;
  return html`${whyNotJudged(status) ?? `${verified(status)}${stretched}`}`;
}
