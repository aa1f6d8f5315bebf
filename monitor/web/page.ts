import { headline } from '../status/status.ts';
import type { MonitorView, TargetView } from '../status/view.ts';
import { html, type Markup } from './page/markup.ts';
import { overview, summary, targetPath } from './page/overview.ts';
import { targetSections } from './page/target.ts';
import { clock, count } from './page/wording.ts';

/**
 * The page at `/`, for an on-call engineer with three seconds. It shows all details of a single target. Of several
 * targets, violated ones come first. It has no script; all styles are in `/style.css`.
 */
export function page(view: MonitorView): Markup {
  const [only, another] = view.targets;
  if (only === undefined || another !== undefined)
    return shell(view, summary(view.targets), overview(view));
  return shell(view, titleOf(only), targetSections(only, view.now));
}

/** The page at `/targets/NAME`: everything about that target. */
export function targetPage(view: MonitorView, target: TargetView): Markup {
  const content = html`<nav aria-label="Targets"><a href="/">All targets</a></nav>
${targetSections(target, view.now)}`;
  return shell(view, titleOf(target), content, targetPath(target.status.target));
}

const titleOf = ({ status: { target, state }, maintenance }: TargetView): string =>
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
