import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Phases } from '../contract/answer.ts';
import { headline } from './standing.ts';
import type { ProbeStatus, RunStatus, Status, TargetStatus } from './status.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** How many runs a strip shows. */
const stripCells = 30;

/** How many findings of a clause are told in full. */
const mostFindings = 3;

/** The page: for somebody on call, who has three seconds. Works without scripts; all styles are in `/style.css`. */
export function page(status: Status): Html {
  const { targets, now, startedAt, version, runs, draining } = status;
  const title = targets.map(({ name, state }) => `${headline[state]} · ${name}`).join(' | ');
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
${draining ? html`<p class="note">The monitor is being stopped: no run begins any more.</p>` : ''}
${targets.map((target) => targetSections(target, now))}
</main>
<footer>
<p>As of ${clock(now)}. Watching since ${clock(startedAt)}: ${runs.run} ${plural(runs.run, 'run')},
${runs.missed} missed, ${runs.skipped} skipped.</p>
<p><a href="/?refresh=30">Keep this page current</a> <a href="/metrics">Metrics</a>
<a href="/status.json">Status as JSON</a> <span>Version ${version}</span></p>
</footer>
</body>
</html>`;
}

/** The icon of the tab: red, amber or green, so that a tab among many tells. */
export function icon({ targets }: Status): Html {
  const states = targets.map(({ state }) => state);
  const colour = states.includes('broken')
    ? '#c4312a'
    : states.every((state) => state === 'holds')
      ? '#22875a'
      : '#b7791f';
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${colour}"/></svg>`;
}

function targetSections(target: TargetStatus, now: Date): Html {
  return html`<article aria-label="${target.name}">
${head(target, now)}
${broken(target, now)}
${clauses(target, now)}
${probes(target, now)}
${observations(target, now)}
${failures(target, now)}
</article>`;
}

function head(
  { name, address, state, since, unreachable, clauses, probes }: TargetStatus,
  now: Date,
): Html {
  const holding = clauses.filter(({ verdict }) => verdict === 'holds').length;
  const violated = clauses.filter(({ verdict }) => verdict === 'violated').length;
  const open = clauses.length - holding - violated;
  const ran = probes.filter(({ last }) => last !== undefined).length;
  const defects = probes.filter(({ last }) => last?.ending === 'defect').length;
  return html`<header class="${state}">
<p class="target"><strong>${name}</strong> <span>${address}</span></p>
<h1>${mark(state)}${headline[state]}</h1>
<p class="lead">${
    state === 'waiting'
      ? `${ran} of ${probes.length} probes have run`
      : html`For ${span(since, now)}, since ${clock(since)}`
  }. ${violated > 0 ? `${violated} ${plural(violated, 'clause')} violated, ` : ''}${holding} ${plural(holding, 'clause')}
${holding === 1 ? 'holds' : 'hold'}${open > 0 ? `, ${open} unverified` : ''}.</p>
${unreachable === undefined ? '' : html`<p class="note"><b class="tag unreachable">${unreachable.reason}</b> ${unreachable.detail}</p>`}
${defects === 0 ? '' : html`<p class="note"><b class="tag defect">defect</b> ${defects} ${plural(defects, 'probe')} failed by a mistake of the monitor's own, which says nothing of the provider: see its log.</p>`}
</header>`;
}

function broken({ clauses }: TargetStatus, now: Date): Html | '' {
  const violated = clauses.filter(({ verdict }) => verdict === 'violated');
  if (violated.length === 0) return '';
  return html`<section aria-label="Broken clauses">${violated.map(
    ({ id, text, since, findings }) => html`<div class="breach">
<h2><b>${id}</b> ${text}</h2>
<p class="since">Violated for ${span(since, now)}, since ${clock(since)}</p>
${findings.slice(0, mostFindings).map(findingList)}
${findings.length > mostFindings ? html`<p class="since">and ${findings.length - mostFindings} more of this clause</p>` : ''}
</div>`,
  )}</section>`;
}

function findingList({
  probe,
  when,
  asked,
  expected,
  received,
}: RunStatus['findings'][number]): Html {
  const rows = { probe: words(probe), when, asked, expected, received };
  return html`<dl>${Object.entries(rows).map(
    ([name, value]) => html`<div class="${name}"><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** Those that production cannot verify are folded away: they are no news. */
function clauses({ clauses: all, state }: TargetStatus, now: Date): Html {
  const open = all.filter(({ verdict }) => verdict === 'unverified');
  const verified = all.filter(({ verdict }) => verdict !== 'unverified');
  const unfolded = state === 'unreachable' || state === 'unverified';
  return html`<section><h2>Clauses</h2>
<ul class="clauses">${verified.map((clause) => clauseRow(clause, now))}</ul>
${
  open.length === 0
    ? ''
    : html`<details ${unfolded ? 'open' : ''}><summary>${open.length} unverified</summary>
<ul class="clauses">${open.map((clause) => clauseRow(clause, now))}</ul></details>`
}</section>`;
}

function clauseRow(
  { id, text, verdict, since, reason }: TargetStatus['clauses'][number],
  now: Date,
): Html {
  return html`<li class="${verdict}"><span class="id">${mark(verdict)}${id}</span>
<span>${text}${reason === undefined ? '' : html` <small>${reason}</small>`}</span>
<span class="verdict">${verdict} <small>${span(since, now)}</small></span></li>`;
}

function probes({ probes: all }: TargetStatus, now: Date): Html {
  const longest = Math.max(0.001, ...all.map(({ last }) => total(last?.phases)));
  return html`<section><h2>Probes</h2>
<p class="legend">Phases of the last run: ${phaseNames.map((name) => html`<span><i class="${name}"></i>${name}</span>`)}</p>
<table><thead><tr><th scope="col">Probe</th><th scope="col">Last runs</th>
<th scope="col">Phases</th><th scope="col">Took</th><th scope="col">Ran</th></tr></thead>
<tbody>${all.map((probe) => probeRow(probe, longest, now))}</tbody></table></section>`;
}

function probeRow(
  { name, clauses: about, everySeconds, last, runs }: ProbeStatus,
  longest: number,
  now: Date,
): Html {
  return html`<tr><th scope="row">${words(name)} <small>${about.join(' ')}, every ${period(everySeconds)}</small></th>
<td class="strip">${strip(runs)}</td>
<td class="phases">${last?.phases === undefined ? '' : bar(last.phases, longest)}</td>
<td class="took">${last === undefined ? '' : `${(last.durationSeconds * 1000).toFixed(last.durationSeconds < 0.01 ? 1 : 0)} ms`}</td>
<td class="ran">${last === undefined ? 'not yet' : html`${last.ending === 'kept' ? '' : html`<b class="tag ${last.ending}">${last.reason}</b> `}${span(last.startedAt, now)} ago`}</td></tr>`;
}

/** The last runs. Height tells the same as colour: kept is low, broken high, unreachable hollow. */
function strip(runs: ProbeStatus['runs']): Html {
  const shown = runs.slice(-stripCells);
  const kept = shown.filter(({ ending }) => ending === 'kept').length;
  return html`<svg role="img" width="150" height="20" viewBox="0 0 150 20"
aria-label="${`${kept} of the last ${shown.length} runs were kept`}">${shown.map(
    ({ ending }, index) => {
      const height = ending === 'kept' ? 10 : 19;
      const left = (stripCells - shown.length + index) * 5 + 0.5;
      return html`<rect class="${ending}" x="${left}" y="${19.5 - height}" width="3" height="${height}"></rect>`;
    },
  )}</svg>`;
}

const phaseNames = [
  'resolve',
  'connect',
  'tls',
  'processing',
  'transfer',
] as const satisfies (keyof Phases)[];

function bar(phases: Phases, longest: number): Html {
  const told = phaseNames
    .map((name) => `${name} ${(phases[name] * 1000).toFixed(1)} ms`)
    .join(', ');
  let left = 0;
  return html`<svg role="img" width="150" height="10" viewBox="0 0 150 10" aria-label="${told}"><title>${told}</title>${phaseNames.map(
    (name) => {
      const width = (phases[name] / longest) * 150;
      left += width;
      return html`<rect class="${name}" x="${(left - width).toFixed(2)}" y="0" width="${width.toFixed(2)}" height="10"></rect>`;
    },
  )}</svg>`;
}

const total = (phases: Phases | undefined): number =>
  phases === undefined ? 0 : phaseNames.reduce((sum, name) => sum + phases[name], 0);

function observations({ observations: all }: TargetStatus, now: Date): Html | '' {
  if (all.length === 0) return '';
  return html`<section><h2>What the contract leaves open</h2>
<p class="since">Observed, never judged; a change is told.</p>
<dl class="facts">${all.map(
    ({
      id,
      fact,
      value,
      before,
      since,
    }) => html`<div><dt><span class="id">${id}</span> <span>${fact}</span></dt>
<dd>${value}${before === undefined ? '' : html` <small class="changed">before ${clock(since)}, ${span(since, now)} ago: ${before}</small>`}</dd></div>`,
  )}</dl></section>`;
}

function failures({ failures: all }: TargetStatus, now: Date): Html | '' {
  if (all.length === 0) return '';
  return html`<section><h2>Last failures</h2><ul class="failures">${all.map(
    (run) => html`<li><b class="tag ${run.ending}">${run.reason}</b> ${words(run.probe)}
<small>${run.endpoint}, ${clock(run.startedAt)}, ${span(run.startedAt, now)} ago</small>
${run.detail === undefined ? '' : html`<p>${run.detail}</p>`}
${run.findings.slice(0, 1).map(({ clause, expected, received }) => html`<p>${clause}: expected ${expected}, received ${received}</p>`)}</li>`,
  )}</ul></section>`;
}

const marks = {
  holds: 'M3 8.5l3.2 3.2L13 5',
  broken: 'M4 4l8 8M12 4l-8 8',
  violated: 'M4 4l8 8M12 4l-8 8',
  unreachable: 'M8 3v6.5M8 12.2v.6',
  unverified: 'M4 8h8',
  waiting: 'M4 8h.5M7.75 8h.5M11.5 8h.5',
};

const mark = (state: keyof typeof marks): Html =>
  html`<svg class="mark ${state}" aria-hidden="true" viewBox="0 0 16 16"><path d="${marks[state]}"></path></svg>`;

const words = (name: string): string => name.replaceAll('-', ' ');
const plural = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** `2026-03-01 12:04:05 UTC`: whoever is on call compares it with logs. */
function clock(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** How long from one instant to another, in its largest unit. */
const span = (from: Date, to: Date): string => period((to.getTime() - from.getTime()) / 1000);

function period(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.floor(whole / 60)} min`;
  return whole < 172_800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86_400)} d`;
}
