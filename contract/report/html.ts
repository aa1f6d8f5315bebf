import { html, type Markup, raw, signs } from './markup.ts';
import { defects, unverified, violations } from './page-findings.ts';
import { matrixSection } from './page-matrix.ts';
import { headline, levelOf, noiseIn, nothingJudged, type Report, tally } from './report.ts';
import { styleOf } from './style.ts';
import { brief, count } from './words.ts';

const style = styleOf(new URL('./page.css', import.meta.url));

/**
 * `gate.html`: one page that needs no other file, no script and no network. Its Content-Security-Policy forbids
 * scripts and network access. The most important comes first: the verdict, then the violations, then each clause by
 * endpoint.
 */
export async function gateHtml(report: Report): Promise<string> {
  const title = `${headline(report)}: ${report.target}`;
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${signs}
<main>
${top(report)}
${violations(report)}
${defects(report)}
${nothingJudged(report) ? '' : matrixSection(report)}
${nothingJudged(report) ? '' : unverified(report)}
${observed(report)}
${timings(report)}
</main>
${foot(report)}
</body>
</html>
`;
  return page.toString();
}

/** The colour of the head, and the sign beside the headline. */
const heads = {
  ok: ['holds', 'holds'],
  violated: ['violated', 'violated'],
  warning: ['unverified', 'prevented'],
  defect: ['unverified', 'prevented'],
} as const;

function top(report: Report): Markup {
  const { exit, target, unjudged, startedAt, tookSeconds } = report;
  const [kind, sign] = heads[levelOf(report)];
  return html`<header class="${kind}">
<p class="target">${target}</p>
<h1><svg class="mark ${sign}" aria-hidden="true"><use href="#${sign}"/></svg><span>${headline(report)}</span></h1>
${unjudged === undefined ? '' : html`<p class="card why">${exit === 2 ? '' : 'Partly not judged: '}${brief(unjudged, 1_000)}</p>`}
${nothingJudged(report) ? '' : numbers(report)}
<p class="since"><time datetime="${startedAt.toISOString()}">${instant(startedAt)}</time> · ${[count(report.requests, 'request'), seconds(tookSeconds), noiseIn(report)].filter((part) => part !== '').join(' · ')}</p>
</header>`;
}

function numbers(report: Report): Markup {
  const { holds, violated, unverified: unknown, prevented } = tally(report);
  const shares = [
    ['violated', violated, 'violated'],
    ['prevented', prevented, 'prevented'],
    ['unverified', unknown - prevented, 'not configured'],
    ['holds', holds, holds === 1 ? 'clause holds' : 'clauses hold'],
  ] as const;
  const seen = shares.filter(([, number]) => number > 0);
  return html`<div class="shares" aria-hidden="true">${seen.map(([kind, number]) => html`<i class="${kind}" style="flex-grow:${number}"></i>`)}</div>
<ul class="numbers">${seen.map(([kind, number, words]) => html`<li class="${kind}"><b>${number}</b> ${words}</li>`)}</ul>`;
}

function observed({ observations }: Report): Markup {
  if (observations.length === 0) return html``;
  const byId = [...Map.groupBy(observations, ({ id }) => id)];
  return html`<section>
<h2 id="observed">What was observed</h2>
<p>The contract does not specify these facts: any value is allowed. A change may still matter to you.</p>
<div class="scroll" role="region" aria-labelledby="observed" tabindex="0">
<table class="facts">
<thead><tr><th scope="col">Open</th><th scope="col">Fact</th><th scope="col">Here</th></tr></thead>
${byId.map(
  ([id, facts]) =>
    html`<tbody>${facts.map(
      ({ fact, value }, index) => html`<tr>
${index === 0 ? html`<th scope="rowgroup" rowspan="${facts.length}">${id}</th>` : ''}
<td>${brief(fact, 300)}</td><td><code>${brief(value, 600)}</code></td></tr>`,
    )}</tbody>`,
)}
</table>
</div>
</section>`;
}

const slowest = 10;

function timings({ results }: Report): Markup {
  const probes = [...Map.groupBy(results, ({ probe }) => probe.name)]
    .map(([name, runs]) => ({
      name,
      runs: runs.length,
      took: runs.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
    }))
    .sort((one, other) => other.took - one.took);
  const longest = probes[0]?.took ?? 0;
  if (longest === 0) return html``;
  return html`<section>
<h2 id="timings">Timings</h2>
<p>${count(results.length, 'run')} of ${count(probes.length, 'probe')}, many at once${probes.length > slowest ? `; the ${slowest} longest` : ''}.</p>
<div class="scroll" role="region" aria-labelledby="timings" tabindex="0">
<table class="timings">
<thead><tr><th scope="col">Probe</th><th scope="col">Runs</th><th scope="col">Time</th></tr></thead>
<tbody>${probes.slice(0, slowest).map(
    ({ name, runs, took }) => html`<tr><th scope="row"><code>${name}</code></th><td>${runs}</td>
<td><span class="bar" aria-hidden="true"><i style="width:${((took / longest) * 100).toFixed(1)}%"></i></span>${seconds(took)}</td></tr>`,
  )}</tbody>
</table>
</div>
</section>`;
}

const foot = ({ again, endpoints }: Report): Markup => html`<footer>
<p>${count(endpoints.length, 'protected endpoint')}. Machine-readable copies are <code>gate.json</code> and <code>gate.xml</code> beside this page. Once more: <code>${again.replace(/ --$/, '')}</code></p>
</footer>`;

const seconds = (took: number): string =>
  took < 1 ? `${Math.round(took * 1000)} ms` : `${took.toFixed(took < 10 ? 1 : 0)} s`;

/** `1 March 2026, 12:00:00 UTC`, the same for every reader. */
const instant = (date: Date): string =>
  `${date.toLocaleString('en-GB', { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'medium' }).replace(' at ', ', ')} UTC`;
