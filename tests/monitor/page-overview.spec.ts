import { expect, test } from '@playwright/test';
import type { Status, TargetStatus } from '../../monitor/watch/status.ts';
import { page, targetPage } from '../../monitor/web/page.ts';
import { away, bad, good, inMaintenance, states, waiting } from './page-states.ts';
import { statusAbout } from './statuses.ts';

const text = async (status: Status): Promise<string> => String(await page(status));

const titleOf = (html: string): string | undefined => /<title>(.*?)<\/title>/.exec(html)?.[1];

/** The links of the rows, in the order of the table. */
const rows = (html: string): (string | undefined)[] =>
  [...html.matchAll(/<th scope="row">.*?href="([^"]*)"/gs)].map((match) => match[1]);

const many = (...targets: readonly TargetStatus[]): Status =>
  statusAbout(targets.map((target, index) => ({ ...target, name: `t${index}` })));

for (const [title, status] of [
  ['2 of 50 broken', states.fifty],
  ['All 50 hold', states.fiftyWell],
  ['1 of 2 unreachable', many(good, away)],
  ['1 of 2 broken', many(bad, away)],
  ['1 of 2 holds', many(good, inMaintenance)],
  ['2 of 2 in maintenance', many(inMaintenance, inMaintenance)],
  ['2 of 2 in the first round', many(waiting, waiting)],
  ['No target is watched', statusAbout([])],
] as const)
  test(`several targets are summed up in one line: ${title}`, async () => {
    const html = await text(status);
    expect(titleOf(html)).toBe(title);
    expect(html).toContain(`<span>${title}</span></h1>`);
  });

test('a single healthy target beside a problem is counted in the singular', async () => {
  expect(await text(many(away, good))).toContain('<p class="lead">1 holds. The last change was');
});

test('the latest breach comes first, then the unreachable targets, and the healthy ones by name', async () => {
  const html = await text(states.fifty);
  expect(rows(html).slice(0, 6)).toEqual([
    '/targets/search-7.example.com',
    '/targets/payments-31.example.com',
    '/targets/mail-19.example.com',
    '/targets/stock-23.example.com',
    '/targets/mail-4.example.com',
    '/targets/mail-9.example.com',
  ]);
  expect(html).toContain('1 unreachable, 1 in maintenance, 46 hold. The last change was 2 min ago');
});

test('a row shows what is broken, the last two days, and how long tokens live', async () => {
  const [row] = /<tr class="broken">.*?<\/tr>/s.exec(await text(many(bad, good))) ?? [''];
  expect(row).toContain('<b>BEARER-2</b> Without the token');
  expect(row).toContain('also <b>ERROR-3</b>');
  expect(row).toContain('aria-label="Last 48 hours: 97.69 % of the runs passed"');
  expect(row).toContain('>3 min</time>');
  expect(row).toContain('23:59:44');
  expect(row).toContain('24:00:31');
});

test('fifty targets are a small page', async () => {
  expect(Buffer.byteLength(await text(states.fifty))).toBeLessThan(150_000);
});

test('healthy targets are folded away on a page of a thousand, and all are listed', async () => {
  const html = await text(states.thousand);
  expect(rows(html)).toHaveLength(60);
  expect(html).toContain('<summary>940 more: 940 hold</summary>');
  expect(new Set(html.match(/href="\/targets\/[^"]*"/g))).toHaveProperty('size', 1000);
  expect(Buffer.byteLength(html)).toBeLessThan(400_000);
});

test('each of several targets has a page that links back, and can stop reloading', async () => {
  const html = String(await targetPage(states.fifty, 'mail-19.example.com'));
  expect(titleOf(html)).toBe('The provider cannot be judged · mail-19.example.com');
  expect(html).toContain('<a href="/">All 50 targets</a>');
  expect(html).toContain('href="/targets/mail-19.example.com?refresh=0"');
});

test('the page of a single target has no link back, and an unknown target has no page', async () => {
  expect(String(await targetPage(states.holds, 'under-test'))).not.toContain('<nav');
  expect(targetPage(states.holds, 'another')).toBeUndefined();
});

test('a name with path characters is encoded in its link', async () => {
  const odd = { ...good, name: 'a/b c?d#e%"é' };
  const html = await text(statusAbout([odd, away]));
  expect(rows(html)).toContain('/targets/a%2Fb%20c%3Fd%23e%25%22%C3%A9');
});
