import { expect, type Page } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { gateHtml } from '../../contract/report/html.ts';
import { type Context, reportOf } from '../../contract/report/report.ts';
import { objections } from '../monitor/browser.ts';
import { needs } from '../programs.ts';
import { test } from './chromium.ts';
import * as rounds from './rounds.ts';

needs('chromium');

/** Shows the page of a round like a local file: without a server, and all its requests are aborted. */
async function show(
  page: Page,
  round: typeof rounds.held,
  context: Context = rounds.context,
): Promise<string[]> {
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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'The contract is violated in 2 clauses',
  );
  await expect(page).toHaveTitle(
    'The contract is violated in 2 clauses: https://api.example.test/v2',
  );
  await expect(page.locator('.numbers li')).toHaveText([
    '2 violated',
    `${mustHold.length - 2} clauses hold`,
  ]);
  await expect(page.getByText('1 March 2026, 12:00:00 UTC · 1,234 requests · 1.2 s')).toBeVisible();
});

test('the matrix is a table with clauses as rows and endpoints as columns', async ({ page }) => {
  await show(page, rounds.violated);
  const table = page.getByRole('region', { name: 'Clauses and endpoints' }).getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveText([
    'Clause',
    'GET /widgets',
    'POST /orders',
  ]);
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
    'at 24 h 00 min 00.000 s after the token was made',
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

test('an unverified clause is listed with its reason', async ({ page }) => {
  await show(page, rounds.withoutClock);
  await expect(page.getByRole('heading', { level: 3, name: rounds.noClock })).toHaveCount(1);
  await page.getByRole('link', { name: 'not verified' }).first().click();
  await expect(page.getByRole('heading', { name: 'What was not verified' })).toBeInViewport();
});

test('prevented clauses are listed apart from those that lack a setting, and come first', async ({
  page,
}) => {
  await show(page, rounds.prevented);
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
});

test('a green tick is missing where much is unverified', async ({ page }) => {
  const seal = page.locator('h1 use');
  for (const [round, sign] of [
    [rounds.held, '#holds'],
    [rounds.withoutClock, '#prevented'],
    [rounds.prevented, '#prevented'],
    [rounds.violated, '#violated'],
  ] as const) {
    await show(page, round);
    await expect(seal).toHaveAttribute('href', sign);
  }
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
  await expect(facts.getByRole('row').nth(2)).toHaveText(
    /OPEN-4\s*form of the token\s*JWT, 3 parts/,
  );
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
  const requests = await show(page, rounds.hostile, {
    ...rounds.context,
    target: '"><img src=x onerror=alert(1)></title><script>alert(1)</script>',
  });
  await expect(
    page.locator('.when', { hasText: '<script>alert(1)</script>' }).first(),
  ).toBeVisible();
  await expect(page.locator('img, script, failure')).toHaveCount(0);
  await expect(page.locator('.target')).toContainText('"><img src=x onerror=alert(1)>');
  expect([ran, requests]).toEqual([false, []]);
});

for (const [device, width] of Object.entries({ phone: 360, desktop: 1280 }))
  for (const name of ['violated', 'hostile', 'unjudged'] as const)
    test(`a ${device} does not scroll sideways through a round that is ${name}`, async ({
      page,
    }) => {
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

test("the colours follow the reader's colour scheme", async ({ page }) => {
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.emulateMedia({ colorScheme: 'light' });
  await show(page, rounds.held);
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await background()).not.toBe(light);
});

test('the printed page shows folded parts too', async ({ page }) => {
  await show(page, rounds.violated);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByText('the scheme is Negotiate')).toBeVisible();
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
    'rgb(255, 255, 255)',
  );
});
