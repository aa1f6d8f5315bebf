import { mustHold } from '../../../contract/clauses.ts';
import { type Finding, findingRows } from '../../../contract/finding.ts';
import { quotedWord } from '../../../contract/http/curl.ts';
import { count } from '../../../contract/words.ts';
import { alertNameFor, runbookEntry, unreachableAlert } from '../../alertmanager.ts';
import { proofs } from '../../canary/evidence.ts';
import { clausesWith, headline, type Status } from '../../status/status.ts';
import type { TargetView } from '../../status/view.ts';
import { lifetime } from './lifetime.ts';
import { findSign, foldedTable, html, type Markup, mark, section, table, tag } from './markup.ts';
import { picture } from './picture.ts';
import { clock, duration, period, span } from './wording.ts';

const maxEvents = 10;

/** Everything about one target, in the order of an on-call engineer's questions. */
export const targetSections = (target: TargetView, now: number): Markup =>
  html`<article aria-label="${target.status.target}">
${[head, findings, endpoints, lifetime, events, changes, clauses].map((part) => part(target, now))}
</article>`;

/** `14 of 21 clauses verified so far`. */
export const formatVerified = (status: Status): string =>
  `${mustHold.length - clausesWith(status, 'unverified').length} of ${mustHold.length} clauses verified so far`;

/** `checked every 4 min, as the limit of requests allows`, if it is checked less often than configured. */
export const pace = ({ periodSeconds, stretchedToSeconds }: TargetView): string =>
  `checked every ${period(stretchedToSeconds ?? periodSeconds)}${stretchedToSeconds === undefined ? '' : ', as the limit of requests allows'}`;

function head(target: TargetView, now: number): Markup {
  const { target: name, address, state, since } = target.status;
  const labels = Object.entries(target.labels ?? {}).map(([label, value]) => `${label} ${value}`);
  return html`<header class="${findSign(target)}">
<p class="target"><strong>${name}</strong> <span>${address}</span> <span class="labels">${labels.join(', ')}</span></p>
<h1>${mark(findSign(target))}<span>${headline[state]} <small><a href="#clauses">${formatVerified(target.status)}</a></small></span></h1>
<p class="lead">For ${span(since, now)}, since ${clock(since)}; ${pace(target)}.</p>
${notes(target, now)}
</header>`;
}

function notes({ status, maintenance }: TargetView, now: number): Markup {
  const { silence, unproven, places } = status;
  const results = Object.values(places).map(({ endpoint, result }) => ({ endpoint, ...result }));
  const defects = results.filter(({ outcome }) => outcome === 'defect').length;
  const mismatches = results.filter(({ reason }) => reason === 'payload');
  const until = maintenance?.until ?? now;
  const note = (kind: string, word: string, text: unknown): Markup =>
    html`<p class="note">${tag(kind, word)} ${text}</p>`;
  return html`${maintenance && note('maintenance', 'maintenance', html`Findings do not count for ${span(now, until)} more, until ${clock(until)}${maintenance.note && `: ${maintenance.note}`}`)}
${silence && html`${note('unreachable', silence.reason, silence.detail)}${nextSteps(status.target, unreachableAlert, '')}`}
${unproven && note('unverified', 'unproven', unproven)}
${mismatches.map(({ endpoint, detail }) => note('failed', 'payload', `${endpoint}: ${detail}`))}
${defects > 0 ? note('defect', 'defect', `${count(defects, 'probe')} failed because of a defect of the monitor, not of the provider: see its log.`) : ''}`;
}

/** The control of each endpoint: how it was answered last, how fast in the latest half hour, and the last 48 hours. */
function endpoints({ status, endpoints: all }: TargetView, now: number): Markup {
  const rows = all.map(({ name }) => {
    const { last, halfHours = [] } = status.endpoints[name] ?? {};
    const latest = halfHours.findLast(({ p50Seconds }) => p50Seconds !== undefined);
    const ended =
      last &&
      html`${tag(last.outcome)} ${last.status || ''} <small>${span(last.at, now)} ago</small>`;
    const [p50, p95] = [duration(latest?.p50Seconds), duration(latest?.p95Seconds)];
    return [name, ended ?? 'not run yet', p50, p95, picture(halfHours, now)];
  });
  const legend = html`<p class="since">Requests with a valid token, from the first byte sent to the last byte received: <b class="p50">p50</b> and <b class="p95">p95</b> of the latest half hour. Below them the outcomes: low is passed, high is failed.</p>`;
  const headings = ['Endpoint', 'Last run', 'p50', 'p95', 'Last 48 hours'];
  const content = html`${legend}${table('endpoints', headings, rows)}`;
  return section('endpoints', 'How fast each endpoint is', content);
}

/** When clauses were violated, and when there was no answer that can be judged, the latest first. */
function events({ status }: TargetView, now: number): Markup {
  const rows = status.events.map(({ what, clause, detail, from, until }) => [
    html`${tag(what)} ${clause ?? detail ?? 'no answer that can be judged'}`,
    clock(from),
    until === undefined ? 'still open' : clock(until),
    span(from, until ?? now),
  ]);
  const headings = ['What', 'Begin', 'End', 'Duration'];
  const latest = html`${table('events', headings, rows.slice(0, maxEvents))}
${foldedTable('events', 'earlier event', headings, rows.slice(maxEvents))}`;
  return section('events', 'Events', rows.length === 0 ? 'None yet.' : latest);
}

/** The changes of observed facts, the latest first. All facts are folded below them. */
function changes({ status: { facts } }: TargetView): Markup {
  const headings = ['Observed fact', 'Now', 'Before', 'Since'];
  const rows = (selected: Status['facts']) =>
    selected.map(({ id, fact, value, before = '–', since }) => [
      `${id} ${fact}`,
      value,
      before,
      clock(since),
    ]);
  const changed = facts.filter(({ before }) => before !== undefined);
  const latest = rows(changed.toSorted((a, b) => b.since - a.since));
  const content = html`${latest.length === 0 ? 'No observed fact has changed.' : table('facts', headings, latest)}
${foldedTable('facts', 'observed fact', headings, rows(facts))}`;
  return section('changes', 'What changed', content);
}

/** Every clause, in the words of the contract. */
function clauses({ status }: TargetView, now: number): Markup {
  const rows = mustHold.map(({ id, text }) => {
    const { verdict, since, reason = '' } = status.clauses[id];
    return [id, tag(verdict), span(since, now), html`${text} <small>${reason}</small>`];
  });
  const headings = ['Clause', 'Verdict', 'For', 'Requirement'];
  return section('clauses', 'Clauses', table('clauses', headings, rows));
}

/** How many findings of a clause are shown in full. */
const maxFindings = 3;

/** What to read, and how to repeat it. @param probes of `npm run probe`; absent where only canaries find it */
const nextSteps = (target: string, alert: string, probes?: string): Markup =>
  html`<p class="next">Runbook: <code>${runbookEntry(alert)}</code>${
    probes !== undefined &&
    html`<br>Repeat: <code>npm run probe -- ${probes}--target ${quotedWord(target)}</code>`
  }</p>`;

/** The violated clauses in the contract's words, with what was expected and received. */
function findings({ status }: TargetView, now: number): Markup | '' {
  const cards = clausesWith(status, 'violated').map(({ id, text }) => {
    const { since, findings: all } = status.clauses[id];
    const alike = [...Map.groupBy(all, findingKey).values()].slice(0, maxFindings);
    const others = all.length - alike.flat().length;
    return html`<div class="card violated">
<h2>${mark('violated')}<span><b>${id}</b> ${text}</span></h2>
<p class="since">Violated for ${span(since, now)}, since ${clock(since)}</p>
${nextSteps(status.target, alertNameFor(id), id in proofs ? undefined : `${id} `)}
${alike.map(findingCard)}${others > 0 && html`<p class="since">and ${others} more of this clause</p>`}
</div>`;
  });
  return cards.length === 0 ? '' : html`<section aria-label="Violated clauses">${cards}</section>`;
}

/** The key of equal findings. It ignores endpoints, so that a finding on all of them is shown once. */
const findingKey = ({ probe, when, expected, received, seen }: Finding): string =>
  JSON.stringify([probe, when, expected, received, seen]);

function findingCard(alike: readonly Finding[]): Markup {
  const [first] = alike;
  const requests = [...new Set(alike.map(({ asked }) => asked))];
  const row = { ...first, asked: requests.map((request) => html`<div>${request}</div>`) };
  const rows = (['when', ...findingRows, 'probe'] as const).map((name) => {
    const value = name === 'probe' ? first?.probe.replaceAll('-', ' ') : row[name];
    const text = /^(body|trace|curl)$/.test(name) ? html`<code>${value}</code>` : value;
    return value && html`<div class="${name}"><dt>${name}</dt><dd>${text}</dd></div>`;
  });
  return html`<dl class="finding">${rows}</dl>`;
}
