import { expect, type Page } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { gateHtml } from '../../contract/report/html.ts';
import { reportOf } from '../../contract/report/report.ts';
import type { Round } from '../../contract/round/round.ts';
import { objections } from '../monitor/browser.ts';
import { needs } from '../programs.ts';
import { test } from './chromium.ts';
import * as rounds from './rounds.ts';

needs('chromium');

/** Shows the page of a round like a local file: without a server, and all its requests are aborted. */
async function show(page: Page, round: Round, context = rounds.context): Promise<string[]> {
  const requests: string[] = [];
  await page.route('**', (route) => {
    requests.push(route.request().url());
    return route.abort();
  });
  await page.setContent(await gateHtml(reportOf(round, context)));
  return requests;
}

for (const [name, colorScheme] of [
  ['violated', 'light'],
  ['violated', 'dark'],
  ['without a clock', 'light'],
  ['prevented', 'light'],
  ['prevented', 'dark'],
  ['partly unjudged', 'dark'],
  ['unjudged', 'light'],
  ['defective', 'light'],
  ['hostile', 'light'],
] as const)
  test(`a round that is ${name} is accessible in the ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await show(page, rounds.all[name]);
    expect(await objections(page)).toEqual([]);
  });

test('the page is self-contained', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  expect(await show(page, rounds.violated)).toEqual([]);
  expect(complaints).toEqual([]);
  await expect(page.locator('script, link, img, iframe')).toHaveCount(0);
});

test('the headline is the verdict, and is the title too', async ({ page }) => {
  await show(page, rounds.violated);
  const headline = 'The contract is violated in 2 clauses';
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(headline);
  await expect(page).toHaveTitle(`${headline}: https://api.example.test/v2`);
  await expect(page.locator('h1 use')).toHaveAttribute('href', '#violated');
  const held = `${mustHold.length - 2} clauses hold`;
  await expect(page.locator('.numbers li')).toHaveText(['2 violated', held]);
  await expect(page.getByText('1 March 2026, 12:00:00 UTC · 1,234 requests · 1.2 s')).toBeVisible();
});

test('the matrix is a table with clauses as rows and endpoints as columns', async ({ page }) => {
  await show(page, rounds.violated);
  const table = page.getByRole('region', { name: 'Clauses and endpoints' }).getByRole('table');
  const columns = ['Clause', 'GET /widgets', 'POST /orders'];
  await expect(table.getByRole('columnheader')).toHaveText(columns);
  const row = table.getByRole('row', { name: /^EXPIRY-2 Once 24 hours/ });
  await expect(row.getByRole('rowheader')).toBeVisible();
  await expect(row.getByRole('cell')).toHaveCount(2);
  await expect(row.getByRole('img', { name: 'violated, 2 findings' })).toBeVisible();
  await expect(row.getByRole('img', { name: 'holds' })).toBeVisible();
  const whole = table.getByRole('row', { name: /^TOKEN-2/ }).getByRole('cell');
  await expect(whole).toHaveCount(1);
  await expect(whole).toHaveAttribute('colspan', '2');
  await expect(whole.getByRole('img', { name: 'holds' })).toBeVisible();
});

test('a violated clause links from the matrix to its findings', async ({ page }) => {
  await show(page, rounds.violated);
  await page.getByRole('link', { name: 'EXPIRY-2' }).click();
  const failure = page.getByRole('article', { name: 'EXPIRY-2 Once 24 hours' });
  await expect(failure).toBeInViewport();
  await expect(failure.locator('.when')).toHaveText(
    /^at 24 h 00 min 00.000 s after the token was /,
  );
  await expect(failure.locator('dt')).toHaveText(['asked', 'expected', 'received']);
  await expect(failure.locator('dd')).toHaveText([
    'GET /public-api/v1/widgets   Authorization: Bearer [secret]',
    '401 {"success":false,"message":"Invalid or expired access token."}',
    '200 application/json, 48 bytes',
  ]);
  await expect(failure).toContainText('and 1 more like this, the last at 24 h 00 min 30.000 s');
  await expect(failure).toContainText('npm run gate -- EXPIRY-2');
});

test('the first few findings are visible, and the others can be unfolded', async ({ page }) => {
  await show(page, rounds.violated);
  const failure = page.getByRole('article', { name: 'BEARER-4' });
  await expect(failure.getByText('the scheme is Token')).toBeVisible();
  await expect(failure.getByText('the scheme is MAC')).toBeHidden();
  await failure.getByText('3 more that differ').click();
  await expect(failure.getByText('the scheme is MAC')).toBeVisible();
});

test('prevented clauses precede those that lack a setting, with their reasons', async ({
  page,
}) => {
  await show(page, rounds.prevented);
  await expect(page.locator('h1 use')).toHaveAttribute('href', '#prevented');
  await expect(page.locator('.numbers li')).toHaveText([
    '1 prevented',
    '7 not configured',
    `${mustHold.length - 8} clauses hold`,
  ]);
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    `prevented probe-of-bearer-5: ${rounds.nothingProven}`,
    rounds.noClock,
  ]);
  const row = page.getByRole('row', { name: /^BEARER-5 / });
  await expect(row.getByRole('img')).toHaveCount(2);
  await expect(row.getByRole('img', { name: 'holds' })).toBeVisible();
  await expect(row.getByRole('img', { name: 'prevented' })).toBeVisible();
  await page.getByRole('link', { name: 'not verified' }).first().click();
  await expect(page.getByRole('heading', { name: 'What was not verified' })).toBeInViewport();
});

test('a provider that could not be judged is a headline and a reason', async ({ page }) => {
  await show(page, rounds.unjudged);
  await expect(page.locator('.why')).toHaveText(rounds.unreachable);
  await expect(page.getByRole('table')).toHaveCount(0);
  await expect(page.getByRole('heading')).toHaveCount(1);
});

test('a defect is reported as a defect of this suite, with its stack', async ({ page }) => {
  await show(page, rounds.defective);
  await expect(page.getByRole('heading', { name: 'Defects of this suite' })).toBeVisible();
  await expect(page.locator('pre').first()).toHaveText(rounds.stack);
});

test('observations and timings follow the clauses', async ({ page }) => {
  await show(page, rounds.held);
  const facts = page.getByRole('region', { name: 'What was observed' });
  await expect(facts.getByRole('row').nth(2)).toHaveText(/OPEN-4\s*form of the token\s*JWT, 3/);
  const timings = page.getByRole('region', { name: 'Timings' });
  await expect(timings.getByRole('row').nth(1)).toHaveText(
    new RegExp(`^\\s*probe-of-expiry-7\\s*2\\s*${mustHold.length * 24} ms$`),
  );
});

test('hostile text is shown as text and has no effect', async ({ page }) => {
  let ran = false;
  page.on('dialog', () => {
    ran = true;
  });
  const target = '"><img src=x onerror=alert(1)></title><script>alert(1)</script>';
  const requests = await show(page, rounds.hostile, { ...rounds.context, target });
  const shown = page.locator('.when', { hasText: '<script>alert(1)</script>' });
  await expect(shown.first()).toBeVisible();
  await expect(page.locator('img, script, failure')).toHaveCount(0);
  await expect(page.locator('.target')).toContainText('"><img src=x onerror=alert(1)>');
  expect([ran, requests]).toEqual([false, []]);
});

for (const [device, width] of Object.entries({ phone: 360, desktop: 1280 }))
  for (const name of ['violated', 'hostile', 'unjudged'] as const)
    test(`a ${device} does not scroll sideways: a round that is ${name}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await show(page, rounds.all[name]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });

test('many endpoints scroll only within the table on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const endpoints = Array.from({ length: 12 }, (_, index) => ({
    method: 'DELETE',
    path: `/public-api/v1/collections/${index}/members`,
  }));
  await show(page, rounds.violated, { ...rounds.context, endpoints });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await expect(page.getByRole('columnheader', { name: /DELETE/ })).toHaveCount(12);
});

test('a dark page is printed on white, with its folded parts', async ({ page }) => {
  await show(page, rounds.violated);
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await background()).not.toBe('rgb(255, 255, 255)');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByText('the scheme is Negotiate')).toBeVisible();
  expect(await background()).toBe('rgb(255, 255, 255)');
});
