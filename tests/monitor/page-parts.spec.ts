import { expect, test } from '@playwright/test';
import type { HalfHour } from '../../monitor/status/speed.ts';
import type { MonitorView, TargetView } from '../../monitor/status/view.ts';
import { picture } from '../../monitor/web/page/picture.ts';
import { duration, period } from '../../monitor/web/page/wording.ts';
import { page } from '../../monitor/web/page.ts';
import { everyEndpointIsGuarded as refused } from '../../probes/bearer.ts';
import { away, bad, good, inMaintenance, named, states, waiting } from './page-states.ts';
import { broken } from './runs.ts';
import { monitorWith, now, start, statusAfter, tokenWith, viewWith } from './statuses.ts';

const toHtml = async (view: MonitorView): Promise<string> => String(await page(view));
/** The page as text, with each run of white space as one space. */
const toText = async (view: MonitorView): Promise<string> =>
  (await toHtml(view))
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ ([;:.])/g, '$1');

const clause = { ...bad.status.clauses['BEARER-2'], since: start };
const onlyCanaries = { ...good.status.clauses, 'EXPIRY-2': clause };
const moreStates = {
  ...states,
  quoted: monitorWith([named(bad, "it's")]),
  onlyCanaries: monitorWith([named(good, 'a', { clauses: onlyCanaries })]),
  trouble: {
    ...monitorWith([good], { draining: true, reloadProblem: 'a.yaml:2:3: <b>' }),
    own: { ...states.holds.own, isStateWritable: false },
  },
};

for (const [state, ...messages] of [
  [
    'waiting',
    'The first round is running 0 of 21 clauses verified so far',
    'Events None yet. What changed No observed',
  ],
  [
    'holds',
    'The contract holds · under-test',
    'The contract holds 11 of 21 clauses verified so far For 12 min, since 2027-03-01 00:03:00 UTC; checked every 60 s.',
    'Observed fact Now Before Since OPEN-1 status 201 200 2027-03-01 00:08:00 UTC',
    'Still admitted at the age of 23 h 59 min 44 s Refused at the age of 24 h 00 min 31 s The contract says 24 h ± 5 s Canaries 3 alive, 12 expired, 1 lost',
  ],
  [
    'violated',
    'The contract is violated 11 of 21 clauses verified so far',
    'Violated for 3 min, since 2027-03-01 00:12:00 UTC Runbook: ops/runbook.md#contractmonitorunauthorizedadmitted Repeat: npm run probe -- BEARER-2',
    'asked GET /public-api/v1/widgets POST /public-api/v1/reports expected 401 {&quot;success',
    'violated ERROR-3 2027-03-01 00:12:00 UTC still open 3 min violated BEARER-2',
    'unreachable no answer within 10 s 2027-02-25 22:00:00 UTC 2027-02-25 22:07:00 UTC 7 min',
  ],
  ['quoted', '-- BEARER-2 --target &#39;it&#39;\\&#39;&#39;s&#39;'],
  // A command would not find what only a canary finds.
  ['onlyCanaries', 'Runbook: ops/runbook.md#contractmonitortokenlivestoolong when'],
  ['maintenance', 'In maintenance · under-test', 'The provider cannot be judged 0 of 21 clauses'],
  [
    'unreachable',
    'timeout GET /public-api/v1/widgets: no complete answer in time (2000 ms) Runbook: ops/runbook.md#contractmonitorunreachable Repeat: npm run probe -- --target under-test',
  ],
  ['partly', 'The contract is judged only in part', ' reset '],
  ['credentials', 'The provider cannot be judged', ' credentials GET /public-api/v1/'],
  ['defect', 'because of a defect of the monitor, not of the provider'],
  ['maintenance', 'for 45 min more, until 2027-03-01 01:00:00 UTC: the database moves house'],
  [
    'thirty',
    'checked every 4 min, as the limit of requests allows.',
    'orders-1 passed 200 12 s ago 24 ms 72 ms 2,492 runs in the last 48 hours: 2 failed, 90 unreachable, 2400 passed, p95 from 72 ms to 300 ms',
  ],
  ['late', 'Still admitted at the age of 24 h 01 min 24 s violated'],
  ['early', 'age of 22 h 13 min 51 s violated', '23 h 59 min 31 s refused early reject'],
  ['hostile', 'no canaries &lt;script&gt;'],
  [
    'trouble',
    'no new runs. The last reload of the targets failed: a.yaml:2:3: &lt;b&gt;. The monitor',
    'The state file cannot be written',
  ],
] as const)
  for (const message of messages)
    test(`the page says, ${state}: ${message}`, async () => {
      expect(await toText(moreStates[state])).toContain(message);
    });

test('a finding has rows for what it has: how often, the body, its trace and a command', async () => {
  const { result, ...run } = broken(refused, 'BEARER-2');
  const seen = { seen: '3 of 4 requests', body: '{}', trace: 'a1', curl: 'curl -i' };
  const findings = result.findings.map((finding) => ({ ...finding, ...seen }));
  const status = statusAfter([{ ...run, result: { ...result, findings } }]);
  const rows = (await toHtml(monitorWith([viewWith(status)]))).matchAll(
    /<div class="\w+"><dt>(\w+)/g,
  );
  const names = 'when asked expected received body seen trace curl probe';
  expect([...rows].map(([, name]) => name).join(' ')).toBe(names);
});

for (const [atLeastSeconds, atMostSeconds, ...bars] of [
  [86_364, 86_436, 'dead 55 45', 'alive 0 45'],
  [86_472, undefined, 'dead 100 0', 'alive 0 50.69', 'wrong 50 10'],
  [3600, 86_328, 'dead 40 60', 'alive 0 0', 'wrong 40 10'],
] as const)
  test(`bounds of ${atLeastSeconds} and ${atMostSeconds} s are drawn around 24 hours`, async () => {
    const token = { ...tokenWith(86_400), atLeastSeconds, atMostSeconds };
    const html = await toHtml(monitorWith([{ ...good, token }]));
    const drawn = html.matchAll(/<rect class="(\w+)" x="([\d.]+)%" width="([\d.]+)%" y="26"/g);
    expect([...drawn].map(([, kind, x, width]) => `${kind} ${Number(x)} ${Number(width)}`)).toEqual(
      [...['unknown 0 100', ...bars, 'tolerance 49.31 1.38']],
    );
  });

test('each half hour is a step, with a gap where nothing was measured, above its worst outcome', async () => {
  const halfHour = (before: number, change: Partial<HalfHour>): HalfHour => ({
    ...{ from: start - before * 1_800_000, passed: 1, failed: 0, unreachable: 0 },
    ...change,
  });
  const quick = { p50Seconds: 0.05, p95Seconds: 0.1 };
  const measured = [100, 5, 4, 2].map((before) => halfHour(before, quick));
  const slow = halfHour(0, { p50Seconds: 0.1, p95Seconds: 0.2 });
  const failing = [halfHour(2, { failed: 1 }), halfHour(1, { unreachable: 1 })];
  const drawn = String(await picture([...measured, ...failing, slow], now));
  expect(drawn.match(/<rect.*?>/g)).toEqual([
    '<rect class="passed" x="90" y="25" width="2" height="3"/>',
    '<rect class="failed" x="93" y="18" width="1" height="10"/>',
    '<rect class="unreachable" x="94" y="22" width="1" height="6"/>',
    '<rect class="passed" x="95" y="25" width="1" height="3"/>',
  ]);
  expect(drawn).toContain('class="p95" d="M90 8.5h1V8.5h1M93 8.5h1M95 1.0h1"');
  expect(String(await picture([], now))).toContain('<title>0 runs in the last 48 hours</title>');
});

for (const [title, lead, ...targets] of [
  ['2 of 50 violated', '1 unreachable, 46 hold, 1 in maintenance', ...states.fifty.targets],
  ['All 2 hold', '', good, named(good, 'b')],
  ['1 of 2 unreachable', '1 hold', good, away],
  ['1 of 2 hold', '1 in maintenance', good, inMaintenance],
  ['2 of 2 in maintenance', '', inMaintenance, inMaintenance],
  ['2 of 2 in the first round', '', waiting, waiting],
  ['No target is watched', ''],
] as const satisfies [string, string, ...TargetView[]][])
  test(`several targets are summed up in one line: ${title}`, async () => {
    const html = await toHtml(monitorWith(targets));
    expect(html).toContain(`<title>${title}</title>`);
    expect(html).toContain(`<span>${title}</span></h1>\n<p class="lead">${lead}</p>`);
  });

test('the latest violation comes first, and a thousand targets are a page of moderate size', async () => {
  const html = await toHtml(states.thousand);
  const links = html.matchAll(/href="\/targets\/([^"]*)\.example\.com"/g);
  const names = [...links].map(([, name]) => name);
  expect(names.slice(0, 5)).toEqual(['search-7', 'payments-31', 'mail-19', 'mail-4', 'mail-9']);
  expect(names).toHaveLength(1000);
  expect(names.at(-1)).toBe('stock-23');
  expect(await toText(states.fifty)).toMatch(
    /search-7\S+ payments eu BEARER-2 .* also ERROR-3 3 min/,
  );
  expect(Buffer.byteLength(html)).toBeLessThan(600_000);
});

test('durations are in the unit that people read', () => {
  const durations = [0.0042, 0.42, 9.219, 44.132, undefined].map(duration);
  expect(durations).toEqual(['4.2 ms', '420 ms', '9219 ms', '44.1 s', '–']);
  expect([119, 7199, 7200, 172_799, 172_800].map(period).join()).toBe('119 s,119 min,2 h,47 h,2 d');
});
