import type { RunStatus } from '../../round/run.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { clauseAction } from './action.ts';
import { html, type Markup, tag } from './markup.ts';
import { clock, count, span, words } from './wording.ts';

/** The last failures. Equal ones are shown once, with their number. */
export function failures(target: TargetStatus, now: Date): Markup | '' {
  const { failures: all } = target;
  if (all.length === 0) return '';
  const alike = Map.groupBy(all, sameness);
  return html`<section aria-labelledby="failures"><h2 id="failures">Last failures</h2>
<ul class="failures">${[...alike.values()].map((runs) => message(runs, now, target))}</ul></section>`;
}

/** The key of equal failures. Without the provider's answers all probes fail alike, so it then ignores the probe. */
const sameness = ({ probe, endpoint, ending, reason, detail, findings }: RunStatus): string =>
  JSON.stringify([
    ending === 'unreachable' || probe,
    endpoint,
    ending,
    reason,
    detail,
    ...findings
      .slice(0, 1)
      .map(({ clause, when, asked, expected, received, seen }) => [
        clause,
        when,
        asked,
        expected,
        received,
        seen,
      ]),
  ]);

function message(runs: readonly RunStatus[], now: Date, target: TargetStatus): Markup | '' {
  const [latest] = runs;
  const earliest = runs.at(-1);
  if (latest === undefined || earliest === undefined) return '';
  const { probe, endpoint, ending, reason, detail, findings, startedAt } = latest;
  const others = new Set(runs.map((run) => run.probe)).size - 1;
  return html`<li>${tag(ending, reason ?? ending)} ${words(probe)}${others === 0 ? '' : `, and ${count(others, 'other probe')}`}
<small class="where">${endpoint}, ${clock(startedAt)}, ${span(startedAt, now)} ago${
    runs.length === 1 ? '' : html`, ${runs.length} times since ${clock(earliest.startedAt)}`
  }</small>
${detail === undefined ? '' : html`<p>${detail}</p>`}
${findings.slice(0, 1).map(
  ({ clause, expected, received }) =>
    html`<p>${clause}: expected ${expected}, received ${received}</p>
${clauseAction(target, clause)}`,
)}</li>`;
}
