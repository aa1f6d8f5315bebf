import { count } from '../../contract/words.ts';
import { clausesWith, headline, whyNotJudged } from '../status/status.ts';
import type { MonitorView, TargetView } from '../status/view.ts';
import { findSign, html, type Markup, mark, type Sign, signs, table } from './page/markup.ts';
import { picture } from './page/picture.ts';
import { formatVerified, pace, targetSections } from './page/target.ts';
import { clock, span } from './page/wording.ts';

/**
 * The page at `/`, for an on-call engineer with three seconds. It shows all details of a single target. Of several
 * targets, violated ones come first. It has no script; all styles are in `/style.css`.
 */
export function page(view: MonitorView): Markup {
  const [only, another] = view.targets;
  if (only === undefined || another !== undefined)
    return shell(view, summary(view.targets), overview(view));
  return shell(view, formatTitle(only), targetSections(only, view.now));
}

/** The page at `/targets/NAME`: everything about that target. */
export function targetPage(view: MonitorView, target: TargetView): Markup {
  const content = html`<nav aria-label="Targets"><a href="/">All targets</a></nav>
${targetSections(target, view.now)}`;
  return shell(view, formatTitle(target), content, targetPath(target.status.target));
}

const formatTitle = ({ status: { target, state }, maintenance }: TargetView): string =>
  `${maintenance === undefined ? headline[state] : 'In maintenance'} · ${target}`;

function shell(view: MonitorView, title: string, content: Markup, path = '/'): Markup {
  const { now, version, startedAt, missedTicks, draining, reloadProblem, own } = view;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
${draining && html`<p class="note">The monitor is shutting down: no new runs.</p>`}
${reloadProblem && html`<p class="note">The last reload of the targets failed: <code>${reloadProblem}</code>. The monitor goes on with the earlier targets.</p>`}
${!own.isStateWritable && html`<p class="note">The state file cannot be written: a restart now forgets what is new.</p>`}
${content}
<p class="asof">As of ${clock(now)}. Watching since ${clock(startedAt)}: ${count(missedTicks, 'round')} missed.</p>
</main>
<footer><p><a href="${path}?refresh=0">Stop reloading each minute</a> <a href="/metrics">Metrics</a>
<a href="/status.json">Status as JSON</a> <span>Version ${version}</span></p></footer>
</body>
</html>`;
}

/** How many targets have a picture, so that a page of a thousand is small. */
const maxPictures = 60;

const order = Object.keys(signs) as Sign[];

const targetPath = (name: string): string => `/targets/${encodeURIComponent(name)}`;

/** How many targets have which sign, the most important first. */
const countSigns = (targets: readonly TargetView[]): (readonly [sign: Sign, count: number])[] =>
  order
    .map((sign) => [sign, targets.filter((target) => findSign(target) === sign).length] as const)
    .filter(([, count]) => count > 0);

/** All targets in one line: `2 of 50 violated`. */
function summary(targets: readonly TargetView[]): string {
  const [[sign, count] = ['waiting', 0] as const] = countSigns(targets);
  if (count === 0) return 'No target is watched';
  if (sign === 'holds' && count === targets.length) return `All ${count} hold`;
  return `${count} of ${targets.length} ${signs[sign][0]}`;
}

/** One row per target, the violated ones first. */
function overview({ targets, now }: MonitorView): Markup {
  const [[sign] = ['waiting'] as const, ...others] = countSigns(targets);
  const rows = targets.toSorted(byImportance).map((target, index) => {
    const { target: name, since, endpoints } = target.status;
    const halfHours = Object.values(endpoints).flatMap((endpoint) => endpoint.halfHours);
    const labels = Object.values(target.labels ?? {}).join(' ');
    return [
      html`${mark(findSign(target))}<a href="${targetPath(name)}">${name}</a> <small>${labels}</small>`,
      describeState(target),
      span(since, now),
      index < maxPictures ? picture(halfHours, now) : '',
    ];
  });
  return html`<header class="${sign}">
<h1>${mark(sign)}<span>${summary(targets)}</span></h1>
<p class="lead">${others.map(([sign, count]) => `${count} ${signs[sign][0]}`).join(', ')}</p>
</header>
${rows.length > 0 && table('targets', ['Target', 'State', 'For', 'Last 48 hours'], rows)}`;
}

/** The latest problem comes first; targets without one are sorted by name. */
function byImportance(a: TargetView, b: TargetView): number {
  const sign = findSign(a);
  const bySign = order.indexOf(sign) - order.indexOf(findSign(b));
  const isLoud = ['violated', 'unreachable', 'partly'].includes(sign);
  const bySince = isLoud ? b.status.since - a.status.since : 0;
  const byName = a.status.target.localeCompare(b.status.target, 'en', { numeric: true });
  return bySign || bySince || byName;
}

/** What is wrong with a target; if nothing is, how much is verified. */
function describeState(target: TargetView): Markup {
  const { status, maintenance, stretchedToSeconds } = target;
  const [first, ...more] = clausesWith(status, 'violated');
  if (maintenance) return html`in maintenance until ${clock(maintenance.until)}`;
  if (first)
    return html`<b>${first.id}</b> ${first.text}${more.length > 0 && html`; also <b>${more.map(({ id }) => id).join(', ')}</b>`}`;
  const stretched = stretchedToSeconds === undefined ? '' : `; ${pace(target)}`;
  return html`${whyNotJudged(status) ?? `${formatVerified(status)}${stretched}`}`;
}
