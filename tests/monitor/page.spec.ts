import { type Browser, expect, type Page } from '@playwright/test';
import { needs } from '../programs.ts';
import { objections } from './browser.ts';
import { test as base } from './page-server.ts';
import { states } from './page-states.ts';

type Options = Parameters<Browser['newContext']>[0] & { readonly path?: string };

needs('chromium');

const test = base.extend<{
  /** Opens the page in a given state; JavaScript is off by default. */
  open: (state: keyof typeof states, options?: Options) => Promise<Page>;
}>({
  open: async ({ browser, server }, use) => {
    await use(async (state, { path = '/', ...options } = {}) => {
      server.show(states[state]);
      const context = await browser.newContext({ javaScriptEnabled: false, ...options });
      const opened = await context.newPage();
      await opened.goto(server.address + path);
      return opened;
    });
    for (const context of browser.contexts()) await context.close();
  },
});

for (const [state, headline] of [
  ['waiting', 'The first round is running'],
  ['holds', 'The contract holds'],
  ['broken', 'The contract is broken'],
  ['unreachable', 'The provider cannot be judged'],
  ['partly', 'The contract is judged only in part'],
  ['credentials', 'The provider cannot be judged'],
  ['defect', 'No clause could be verified'],
] as const)
  test(`the headline shows the state: ${state}`, async ({ open }) => {
    const opened = await open(state);
    await expect(opened.getByRole('heading', { level: 1 })).toHaveText(headline);
    await expect(opened).toHaveTitle(`${headline} · under-test`);
  });

test('a breach is shown in the words of the contract, with since when, expected and received', async ({
  open,
}) => {
  const opened = await open('broken');
  const breaches = opened.getByRole('region', { name: 'Broken clauses' });
  await expect(breaches.getByRole('heading')).toHaveText([
    'BEARER-2 Without the token in the Authorization header a request is refused, wherever else a token travels',
    'ERROR-3 The message of a 401 is exactly "Invalid or expired access token."',
  ]);
  await expect(breaches).toContainText('Violated for 3 min, since 2027-03-01 00:12:00 UTC');
  await expect(breaches).toContainText(
    '401 {"success":false,"message":"Invalid or expired access token."}',
  );
});

test('a breach on two endpoints is shown once, with both endpoints', async ({ open }) => {
  const opened = await open('broken');
  await expect(opened.locator('.card').first().locator('.asked dd > div')).toHaveText([
    'GET /public-api/v1/widgets',
    'POST /public-api/v1/reports',
  ]);
  await expect(opened.locator('.card').first().locator('dl')).toHaveCount(1);
});

test("the sections follow the order of an on-call engineer's questions", async ({ open }) => {
  const opened = await open('broken');
  await expect(opened.locator('section > h2')).toHaveText([
    'Clauses',
    'How fast it is',
    'How long tokens live',
    'Events',
    'What changed',
    'History',
    'Last failures',
  ]);
});

for (const state of ['hostile', 'hostileAmongOthers'] as const)
  test(`hostile text is text, never markup: ${state}`, async ({ open }) => {
    const opened = await open(state);
    await expect(opened.locator('script, img, [onerror]')).toHaveCount(0);
    await expect(opened.locator('main')).toContainText('<script>alert(1)</script>');
  });

test('a target with a hostile name is found by its link', async ({ open }) => {
  const opened = await open('hostileAmongOthers');
  await opened.getByRole('link', { name: 'alert' }).click();
  await expect(opened.locator('.target strong')).toContainText('<script>alert(1)</script>');
});

test('refused credentials are shown as such', async ({ open }) => {
  const opened = await open('credentials');
  await expect(opened.locator('header .tag')).toHaveText('credentials');
});

test('a defect is shown as a defect of this suite', async ({ open }) => {
  const opened = await open('defect');
  await expect(opened.locator('header')).toContainText(
    'because of a defect of the monitor, not of the provider',
  );
});

test('a maintenance window is shown with its end, and nothing counts during it', async ({
  open,
}) => {
  const opened = await open('maintenance');
  await expect(opened).toHaveTitle('In maintenance · under-test');
  await expect(opened.locator('header .note').first()).toHaveText(
    'maintenance Findings do not count for 45 min more, until 2027-03-01 01:00:00 UTC: the database moves house',
  );
});

test('changes of observed facts are listed, with the earlier value', async ({ open }) => {
  const opened = await open('holds');
  await expect(opened.locator('.changes li')).toContainText(
    'status of a token response from 200 to 201',
  );
});

test('identical failures are listed once, with their number', async ({ open }) => {
  const opened = await open('broken');
  await expect(opened.locator('.failures li')).toHaveCount(3);
  await expect(opened.locator('.failures li').first()).toContainText('2 times since');
});

test('a strip of runs states in words how many passed', async ({ open }) => {
  const opened = await open('broken');
  await expect(
    opened.getByRole('row', { name: 'every endpoint is guarded' }).getByRole('img').first(),
  ).toHaveAccessibleName('2 of the last 6 runs passed');
});

test('the strip of hours states in words what is drawn', async ({ open }) => {
  const opened = await open('holds');
  const history = opened.getByRole('region', { name: 'History' });
  await expect(history).toContainText(
    '97.69 % of 32,580 runs kept; 10 broken, 740 unreachable, 2 defect',
  );
  await history.getByText('5 hours with failures').click();
  await expect(history.getByRole('listitem').filter({ hasText: '700 kept' })).toHaveText(
    '2027-02-27 21:00 UTC 20 unreachable, 700 kept',
  );
});

test('the clauses in words are folded away, and unfold without JavaScript', async ({ open }) => {
  const opened = await open('holds');
  const sentence = opened.getByText('Expired is final', { exact: false });
  await expect(sentence).toBeHidden();
  await opened.getByText('In the words of the contract').click();
  await expect(sentence).toBeVisible();
});

test('the page can be read with the keyboard alone', async ({ open }) => {
  const opened = await open('holds');
  await opened.keyboard.press('Tab');
  await opened.keyboard.press('Enter');
  await expect(opened.getByText('Expired is final')).toBeVisible();
  const focus = opened.locator(':focus-visible');
  await expect(focus).toHaveText('In the words of the contract');
  await expect(focus).toHaveCSS('outline-style', 'solid');
  for (const name of [
    ...[/half hours in figures/, /more probes/, /last 24 checks/, /earlier events/],
    ...[/does not specify/, /hours/],
  ]) {
    await opened.keyboard.press('Tab');
    await expect(focus).toHaveText(name);
  }
  await opened.keyboard.press('Tab');
  await opened.keyboard.press('Enter');
  await expect(opened).toHaveURL(/refresh=0/);
});

for (const state of ['broken', 'fifty', 'hostile', 'late'] as const)
  test(`no element is wider than a phone screen: ${state}`, async ({ open }) => {
    const phone = { width: 360, height: 740 };
    const opened = await open(state, { viewport: phone, javaScriptEnabled: true });
    const wider = await opened.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(wider).toBe(0);
  });

test('the printed page is unfolded, and shows no links', async ({ open }) => {
  const opened = await open('holds');
  await opened.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(opened.getByText('Expired is final')).toBeVisible();
  await expect(opened.getByRole('link', { name: 'Metrics' })).toBeHidden();
  await expect(opened.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(opened.locator('body')).toHaveCSS('color', 'rgb(29, 28, 26)');
});

test('nothing on the page moves by itself', async ({ open }) => {
  const opened = await open('broken', { javaScriptEnabled: true });
  expect(await opened.evaluate('document.getAnimations().length')).toBe(0);
});

test('the browser reports no error', async ({ browser, server }) => {
  server.show(states.broken);
  const opened = await browser.newPage();
  const complaints: string[] = [];
  opened.on('console', (message) => complaints.push(message.text()));
  opened.on('pageerror', (error) => complaints.push(error.message));
  opened.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  await opened.goto(server.address, { waitUntil: 'load' });
  expect(complaints).toEqual([]);
});

for (const state of [
  'holds',
  'unreachable',
  'partly',
  'waiting',
  'maintenance',
  'late',
  'unmeasured',
  'hostile',
] as const)
  test(`axe reports nothing, ${state}`, async ({ open }) => {
    const opened = await open(state, { javaScriptEnabled: true, bypassCSP: true });
    expect(await objections(opened)).toEqual([]);
  });

for (const state of ['broken', 'fifty'] as const)
  for (const [colorScheme, name, width] of [
    ['light', 'desktop', 1200],
    ['dark', 'phone', 360],
  ] as const)
    test(`axe reports nothing, ${state}, ${colorScheme}, ${name}`, async ({ open }) => {
      // axe is a script, which the page's own Content-Security-Policy would block.
      const opened = await open(state, {
        colorScheme,
        viewport: { width, height: 900 },
        javaScriptEnabled: true,
        bypassCSP: true,
      });
      expect(await objections(opened)).toEqual([]);
    });
