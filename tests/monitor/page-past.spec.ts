import { expect, test } from '@playwright/test';
import type { TargetStatus } from '../../monitor/watch/status.ts';
import { latency } from '../../monitor/web/page/latency.ts';
import { targetPage } from '../../monitor/web/page.ts';
import { away, bad, good, states } from './page-states.ts';
import { latency as measured, now, start, statusAbout } from './statuses.ts';

const halfHour = 1_800_000;

const pageOf = async (target: TargetStatus): Promise<string> =>
  String(await targetPage(statusAbout([target]), target.name));

/** The chart of some half hours: `before` half hours ago, with p50 and p95 in milliseconds. */
async function drawn(...rows: readonly (readonly [before: number, p50: number, p95: number])[]) {
  const text = String(
    await latency(
      {
        ...good,
        latency: rows.map(([before, p50, p95]) => ({
          from: new Date(start - before * halfHour),
          requests: 7,
          p50Seconds: p50 / 1000,
          p95Seconds: p95 / 1000,
        })),
      },
      now,
    ),
  );
  // The first path is in the legend, so the last one is the chart's.
  const path = (name: string) =>
    [...text.matchAll(new RegExp(`<path class="${name}" d="([^"]*)"`, 'g'))].at(-1)?.[1];
  const labels = [...text.matchAll(/<text x="50"[^>]*>([^<]*)</g)].map(([, label]) => label);
  return { text, labels, p50: path('p50'), p95: path('p95') };
}

test('the durations above the table of probes are those of answered runs', async () => {
  const unanswered = away.probes;
  const [answered] = good.probes;
  expect(await pageOf(away)).not.toContain('took at most');
  const mixed = { ...away, probes: [...unanswered.slice(1), ...(answered ? [answered] : [])] };
  expect(await pageOf(mixed)).toContain('Half of the last answered runs took at most <b>');
});

test('each half hour is a step, and half hours that follow one another are joined', async () => {
  const { p50, p95, labels } = await drawn([2, 40, 80], [1, 60, 80], [0, 50, 100]);
  expect(labels).toEqual(['0', '20 ms', '40 ms', '60 ms', '80 ms', '100 ms']);
  expect(p50).toBe('M96.88 99.05L97.92 99.05L97.92 68.57L98.96 68.57L98.96 83.81L100 83.81');
  expect(p95).toBe('M96.88 38.1L97.92 38.1L97.92 38.1L98.96 38.1L98.96 7.62L100 7.62');
});

test('the lines have a gap where nothing was measured', async () => {
  const { p50, text } = await drawn([5, 1, 2], [3, 1, 2]);
  expect(p50?.match(/M/g)).toHaveLength(2);
  expect(p50).toMatch(/^M93\.75 [\d.]+L94\.79 [\d.]+M95\.83 [\d.]+L96\.88 [\d.]+$/);
  expect(text).toContain('nothing was measured in 94 of 96 half hours');
});

for (const [largest, expected] of [
  [0.4, ['0', '0.1 ms', '0.2 ms', '0.3 ms', '0.4 ms']],
  [1, ['0', '0.2 ms', '0.4 ms', '0.6 ms', '0.8 ms', '1 ms']],
  [7, ['0', '2 ms', '4 ms', '6 ms']],
  [260, ['0', '100 ms', '200 ms']],
  [1_800, ['0', '500 ms', '1 s', '1.5 s']],
  [9_000, ['0', '2 s', '4 s', '6 s', '8 s']],
] as const)
  test(`the scale up to ${largest} ms has round numbers with a unit`, async () => {
    expect((await drawn([0, largest / 2, largest])).labels).toEqual(expected);
  });

test('a screen reader has the graph as a sentence and as a table, and each time in UTC', async () => {
  const html = await pageOf(good);
  expect(html).toContain(
    'aria-label="Latency of the last 48 hours: p50 between 12 ms and 56 ms, p95 between 31 ms and 263 ms; nothing was measured in 15 of 96 half hours"',
  );
  expect(html.match(/<th scope="row"><time/g)).toHaveLength(measured?.length ?? 0);
  expect(html).toContain('hours in UTC');
});

test('a target without a measurement or an event says so', async () => {
  const html = await pageOf({ ...good, latency: [], events: [] });
  expect(html).toContain('connecting and TLS: no measurement yet');
  expect(html).toContain('None yet.');
  expect(html).not.toContain('class="curves"');
});

test('an event is shown with what it was, its begin, its end and its duration', async () => {
  const html = await pageOf(bad);
  const rows = [...html.matchAll(/<tr><th scope="row"><b class="tag.*?<\/tr>/gs)].map(([row]) =>
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  expect(rows).toHaveLength(14);
  expect(rows.slice(0, 3)).toEqual([
    'violated BEARER-2 2027-03-01 00:12:00 UTC still open 3 min',
    'unreachable no answer within 10 s 2027-02-27 11:12:00 UTC 2027-02-27 11:19:00 UTC 7 min',
    'partly no answer within 10 s 2027-02-25 22:12:00 UTC 2027-02-25 23:01:00 UTC 49 min',
  ]);
  expect(html).toContain('<summary>4 earlier events</summary>');
});

test('each violation shows what to read and how to repeat it', async () => {
  const html = await pageOf({ ...bad, name: "it's" });
  for (const [id, alert] of [
    ['BEARER-2', 'contractmonitorunauthorizedadmitted'],
    ['ERROR-3', 'contractmonitorcontractbroken'],
  ])
    expect(html).toContain(
      `<p class="action">Runbook: <code>ops/runbook.md#${alert}</code><br>Repeat: <code>npm run probe -- ${id} --target &#39;it&#39;\\&#39;&#39;s&#39;</code></p>`,
    );
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test('a violation that only a canary finds has no command that would not find it', async () => {
  const clauses = bad.clauses.map((one) =>
    one.id === 'EXPIRY-2' ? { ...one, verdict: 'violated' as const } : one,
  );
  const html = await pageOf({ ...bad, clauses });
  expect(html).toContain('ops/runbook.md#contractmonitortokenlivestoolong</code></p>');
  expect(html).not.toContain('npm run probe -- EXPIRY-2');
});

test('an outage shows what to read and how to repeat it', async () => {
  const html = String(await targetPage(states.unreachable, 'under-test'));
  expect(html).toContain('ops/runbook.md#contractmonitorunreachable</code>');
  expect(html).toContain('<code>npm run probe -- --target under-test</code>');
});
