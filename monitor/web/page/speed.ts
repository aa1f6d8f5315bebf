import { type Phases, phaseNames } from '../../../contract/http/answer.ts';
import type { ProbeStatus, TargetStatus } from '../../watch/status.ts';
import { latency } from './latency.ts';
import { folding, html, type Markup, tag } from './markup.ts';
import { runStrip } from './strip.ts';
import { count, period, shortDuration, span, words } from './wording.ts';

/** How many probes are shown at once; the others are folded. */
const mostProbes = 10;

/** How fast the provider answers: its latency, and the phases of each probe's last run, on one scale. */
export function speed(target: TargetStatus, now: Date): Markup {
  const { probes: all } = target;
  const longest = Math.max(0.001, ...all.map(({ last }) => total(last?.phases)));
  const sorted = all.toSorted(inOrder);
  const rest = sorted.slice(mostProbes);
  return html`<section aria-labelledby="speed"><h2 id="speed">How fast it is</h2>
${latency(target, now)}
${typical(all)}<p class="legend">Phases of the last run: ${phaseNames.map(
    (name) => html`<span><i class="${name}"></i>${name}</span>`,
  )}</p>
${table(sorted.slice(0, mostProbes), longest, now)}
${rest.length === 0 ? '' : folding('more-probes', count(rest.length, 'more probe'), table(rest, longest, now))}</section>`;
}

/** Failures come first, then the most frequent probes. The order is the same in every view. */
const inOrder = (one: ProbeStatus, other: ProbeStatus): number =>
  Number(failing(other)) - Number(failing(one)) || one.everySeconds - other.everySeconds;

const failing = ({ last }: ProbeStatus): boolean => last !== undefined && last.ending !== 'kept';

/** Only of answered runs: one without an answer measures the network, or the time limit. */
function typical(all: readonly ProbeStatus[]): Markup | '' {
  const took = all
    .flatMap(({ last }) => (last?.phases === undefined ? [] : [last.durationSeconds]))
    .sort((one, other) => one - other);
  const middle = took[took.length >> 1];
  const longest = took.at(-1);
  return middle === undefined || longest === undefined
    ? ''
    : html`<p class="legend">Half of the last answered runs took at most <b>${shortDuration(middle)}</b>, the longest <b>${shortDuration(longest)}</b>.</p>`;
}

const table = (probes: readonly ProbeStatus[], longest: number, now: Date): Markup =>
  html`<table class="probes"><thead><tr><th scope="col">Probe</th><th scope="col">Last runs</th>
<th scope="col">Phases</th><th scope="col">Took</th><th scope="col">Ran</th></tr></thead>
<tbody>${probes.map((probe) => row(probe, longest, now))}</tbody></table>`;

const row = (
  { name, clauses, everySeconds, last, runs }: ProbeStatus,
  longest: number,
  now: Date,
): Markup =>
  html`<tr><th scope="row">${words(name)} <small>${clauses.join(' ')}, every ${period(everySeconds)}</small></th>
<td class="strip">${runStrip(runs)}</td>
<td class="phases">${last?.phases === undefined ? '' : bar(last.phases, longest)}</td>
<td class="took">${last === undefined ? '' : shortDuration(last.durationSeconds)}</td>
<td class="ran">${
    last === undefined
      ? 'not yet'
      : html`${last.ending === 'kept' ? '' : html`${tag(last.ending, last.reason ?? last.ending)} `}${span(last.startedAt, now)} ago`
  }</td></tr>`;

const width = 150;

function bar(phases: Phases, longest: number): Markup {
  const label = phaseNames
    .map((name) => `${name} ${(phases[name] * 1000).toFixed(1)} ms`)
    .join(', ');
  let left = 0;
  return html`<svg role="img" width="${width}" height="10" viewBox="0 0 ${width} 10" aria-label="${label}"><title>${label}</title>${phaseNames
    .filter((name) => phases[name] > 0)
    .map((name) => {
      const wide = (phases[name] / longest) * width;
      left += wide;
      return html`<rect class="${name}" x="${(left - wide).toFixed(1)}" width="${wide.toFixed(1)}" height="10"/>`;
    })}</svg>`;
}

const total = (phases: Phases | undefined): number =>
  phases === undefined ? 0 : phaseNames.reduce((sum, name) => sum + phases[name], 0);
