import { headline } from '../target/contract-status.ts';
import type { Status, TargetStatus } from '../watch/status.ts';
import { breaches } from './page/breaches.ts';
import { changes } from './page/changes.ts';
import { clauses } from './page/clauses.ts';
import { events } from './page/events.ts';
import { failures } from './page/failures.ts';
import { head } from './page/head.ts';
import { lifetime } from './page/lifetime.ts';
import { html, type Markup } from './page/markup.ts';
import { overview, overviewHeadline } from './page/overview.ts';
import { past } from './page/past.ts';
import { speed } from './page/speed.ts';
import { targetPath } from './page/target-rows.ts';
import { clock, count } from './page/wording.ts';

/** The status of a monitor that may reload its targets. */
export interface ShownStatus extends Status {
  /** Why the last reload of the targets failed: the first line, without secrets. */
  readonly reloadProblem?: string;
}

/**
 * The page at `/`, for an on-call engineer with three seconds. It shows all details of a single target. Of several
 * targets, violated ones come first. It has no script; all styles are in `/style.css`.
 */
export function page(status: ShownStatus): Markup {
  const [only, another] = status.targets;
  if (only === undefined || another !== undefined)
    return shell(status, overviewHeadline(status), overview(status));
  return shell(status, titleOf(only), targetSections(only, status));
}

/**
 * The page at `/targets/NAME`: everything about that target.
 * @param count the number of targets, if the status does not contain all of them
 * @returns undefined when no target has this name
 */
export function targetPage(
  status: ShownStatus,
  name: string,
  count = status.targets.length,
): Markup | undefined {
  const target = status.targets.find((one) => one.name === name);
  if (target === undefined) return undefined;
  const others =
    count === 1 ? '' : html`<nav aria-label="Targets"><a href="/">All ${count} targets</a></nav>`;
  return shell(
    status,
    titleOf(target),
    html`${others}${targetSections(target, status)}`,
    targetPath(target),
  );
}

/**
 * Everything about one target, in the order of an on-call engineer's questions. Does the contract hold now? What
 * was violated, and since when? How fast is the target? How long do tokens live? What was violated before? What
 * changed? How was it before? What failed last?
 */
const targetSections = (target: TargetStatus, { now }: Pick<Status, 'now'>): Markup =>
  html`<article aria-label="${target.name}">
${head(target, now)}
${breaches(target, now)}
${clauses(target, now)}
${speed(target, now)}
${lifetime(target)}
${events(target)}
${changes(target, now)}
${past(target, now)}
${failures(target, now)}
</article>`;

const titleOf = ({ name, state, maintenance }: TargetStatus): string =>
  `${maintenance === undefined ? headline[state] : 'In maintenance'} · ${name}`;

function shell(status: ShownStatus, title: string, content: Markup, path = '/'): Markup {
  const { now, version, draining, reloadProblem } = status;
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
${draining ? html`<p class="note">The monitor is shutting down: no new runs.</p>` : ''}
${reloadProblem === undefined ? '' : html`<p class="note">The last reload of the targets failed: <code>${reloadProblem}</code>. The monitor goes on with the earlier targets.</p>`}
${content}
<p class="asof">As of ${clock(now)}. ${account(status)}</p>
</main>
<footer>
<p><a href="${path}?refresh=0">Stop reloading each minute</a> <a href="/metrics">Metrics</a>
<a href="/status.json">Status as JSON</a> <span>Version ${version}</span></p>
</footer>
</body>
</html>`;
}

/** Since when it watches, and what it missed in that time. */
const account = ({ startedAt, missedTicks }: Pick<Status, 'startedAt' | 'missedTicks'>): Markup =>
  html`Watching since ${clock(startedAt)}: ${count(missedTicks, 'round')} missed.`;
