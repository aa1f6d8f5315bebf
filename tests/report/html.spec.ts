import { expect, type Page } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { createReport } from '../../contract/report/contract-report.ts';
import { pageHtml } from '../../contract/report/html.ts';
import type { Round } from '../../contract/round/verdict.ts';
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
  await page.setContent(await pageHtml(createReport(round, context)));
  return requests;
}

for (const [name, colorScheme] of [
  ['violated', 'light'],
  ['violated', 'dark'],
  ['prevented', 'light'],
  ['defective', 'light'],
  ['doubtful', 'dark'],
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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contract violated');
  await expect(page).toHaveTitle('Contract violated: https://api.example.test/v2');
  await expect(page.locator('h1 use')).toHaveAttribute('href', '#violated');
  const facts = `${mustHold.length - 2} held, 2 violated · 1,234 requests, 1.2 s`;
  await expect(page.getByText(`Sun, 01 Mar 2026 12:00:00 GMT · ${facts}`)).toBeVisible();
});

test('a violated clause shows its finding, the other places, and the command', async ({ page }) => {
  await show(page, rounds.violated);
  const failure = page.getByRole('article', { name: 'EXPIRY-2 Once 24 hours' });
  await expect(failure.locator('.when')).toHaveText(
    /^at 24 h 00 min 00.000 s after the token was /,
  );
  await expect(failure.locator('dt')).toHaveText([
    'asked',
    'expected',
    'received',
    'also',
    'again',
  ]);
  await expect(failure.locator('dd')).toHaveText([
    'GET /public-api/v1/widgets   Authorization: Bearer [secret]',
    '401 {"success":false,"message":"Invalid or expired access token."}',
    '200 application/json, 48 bytes',
    'at 24 h 00 min 30.000 s after the token was made',
    'npm run gate -- EXPIRY-2',
  ]);
  const bearer = page.getByRole('article', { name: 'BEARER-4' });
  await expect(bearer.getByText('the scheme is MAC', { exact: true })).toBeVisible();
  await expect(bearer.getByText('and 8 more like this')).toBeVisible();
});

test('each clause is listed with its sign, and what is not verified with its reason', async ({
  page,
}) => {
  await show(page, rounds.prevented);
  await expect(page.locator('h1 use')).toHaveAttribute('href', '#prevented');
  const [first, second] = await page.getByRole('heading', { level: 3 }).allTextContents();
  expect(first).toMatch(new RegExp(`^BEARER-5 .*${rounds.nothingProven}$`));
  expect(second).toMatch(/^EXPIRY-1, EXPIRY-2, .* no test clock/);
  const clause = (id: string) => page.getByRole('listitem').filter({ hasText: `${id}` });
  await expect(clause('BEARER-5').getByRole('img', { name: 'prevented' })).toBeVisible();
  await expect(clause('BEARER-6').getByRole('img', { name: 'holds' })).toBeVisible();
  await expect(clause('EXPIRY-1').getByRole('img', { name: 'not verified' })).toBeVisible();
});

test('a diagnosis is above the findings', async ({ page }) => {
  await show(page, rounds.diagnosed);
  const failure = page.getByRole('article', { name: 'BEARER-4' });
  await expect(failure.locator('.when').first()).toHaveText(rounds.diagnosis);
});

test('a doubt is the first of what is not verified', async ({ page }) => {
  await show(page, rounds.doubtful);
  const [first] = await page.getByRole('heading', { level: 3 }).allTextContents();
  expect(first).toBe(`EXPIRY-2 ${rounds.claim}`);
  await expect(page.getByRole('listitem').getByRole('img', { name: 'doubtful' })).toBeVisible();
});

test('a provider that could not be judged is a headline with the reason', async ({ page }) => {
  await show(page, rounds.unjudged);
  const { target } = rounds.context;
  await expect(page.getByRole('heading')).toHaveText(
    `${target} could not be judged: ${rounds.unreachable}`,
  );
  await expect(page.getByRole('listitem')).toHaveCount(0);
});

test('a defect is reported as a defect of this suite, with its stack', async ({ page }) => {
  await show(page, rounds.defective);
  const [message = '', ...lines] = rounds.stack.split('\n');
  const defect = page.getByRole('article', { name: 'on GET' });
  await expect(defect.locator('.when').last()).toHaveText(message);
  await expect(defect.locator('dd')).toHaveText(lines);
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
  expect({ ran, requests }).toEqual({ ran: false, requests: [] });
});

for (const name of ['violated', 'hostile'] as const)
  test(`a phone does not scroll sideways: a round that is ${name}`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await show(page, rounds.all[name]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

test('each of several endpoints has a row with what it violates', async ({ page }) => {
  await show(page, rounds.violated);
  const row = (endpoint: string) =>
    page.getByRole('listitem').filter({ hasText: `${endpoint} BEARER-4` });
  await expect(row(rounds.onWidgets)).toContainText('BEARER-4, EXPIRY-2');
  await expect(row(rounds.onOrders).getByRole('img', { name: 'violated' })).toBeVisible();
});
