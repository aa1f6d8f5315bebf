import { type Browser, expect, type Page, test } from '@playwright/test';
import type { Run } from '../../monitor/run.ts';
import { type Listening, listen } from '../../monitor/server.ts';
import { probes } from '../../probes/index.ts';
import { needs } from '../programs.ts';
import { launch, objections } from './browser.ts';
import { broken, defect, kept, slotsFor, unreachable } from './runs.ts';
import { start, statusWith } from './statuses.ts';

const slots = slotsFor(probes);

/** One run of each slot, so many minutes after the start. */
const round = (minute: number, make: (slot: (typeof slots)[number], at: number) => Run): Run[] =>
  slots.map((slot, index) => make(slot, start + minute * 60_000 + index));

const told = (slot: (typeof slots)[number], at: number) => ({
  at,
  endpoint: `${slot.endpoint.method} ${slot.endpoint.path}`,
});

const allKept = (minute: number): Run[] =>
  round(minute, (slot, at) =>
    kept(slot.probe, {
      ...told(slot, at),
      // Only one probe sees this fact.
      observed:
        slot === slots[0]
          ? [['OPEN-1', 'status of a token response', minute < 5 ? '200' : '201']]
          : [],
    }),
  );

const twoBroken = round(12, (slot, at) =>
  slot.probe.name === 'a-token-in-the-query-is-refused'
    ? broken(slot.probe, 'BEARER-2', told(slot, at))
    : slot.probe.name === 'every-cause-gets-the-same-401'
      ? broken(slot.probe, 'ERROR-3', told(slot, at))
      : kept(slot.probe, told(slot, at)),
);

const states = {
  waiting: [],
  holds: [...allKept(3), ...allKept(8)],
  broken: [...allKept(3), ...twoBroken],
  unreachable: [
    ...allKept(3),
    ...round(13, (slot, at) => unreachable(slot.probe, 'timeout', told(slot, at))),
  ],
  credentials: round(13, (slot, at) => unreachable(slot.probe, 'credentials', told(slot, at))),
  defect: [...allKept(3), ...round(13, (slot, at) => defect(slot.probe, told(slot, at)))],
} satisfies Record<string, Run[]>;

test.describe('in a browser', () => {
  needs('chromium');

  let browser: Browser;
  let listening: Listening;
  let runs: readonly Run[] = [];

  test.beforeAll(async () => {
    browser = await launch();
    listening = await listen(
      {
        status: () => statusWith(runs),
        metrics: { contentType: 'text/plain', text: async () => '' },
      },
      { host: '127.0.0.1', port: 0 },
    );
  });

  test.afterAll(async () => {
    await browser.close();
    await listening.close();
  });

  /** The page in some state, without JavaScript, as most of these tests see it. */
  async function open(
    state: keyof typeof states,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Page> {
    runs = states[state];
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    const page = await context.newPage();
    await page.goto(listening.page.href);
    return page;
  }

  const headlines = {
    waiting: 'The first round is under way',
    holds: 'The contract holds',
    broken: 'The contract is broken',
    unreachable: 'The provider cannot be judged',
    credentials: 'The provider cannot be judged',
    defect: 'No clause could be verified',
  } as const satisfies Record<keyof typeof states, string>;

  for (const state of Object.keys(states) as (keyof typeof states)[])
    test(`the first thing to read says that it is: ${state}`, async () => {
      const page = await open(state);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(headlines[state]);
      await expect(page).toHaveTitle(`${headlines[state]} · under-test`);
      await page.context().close();
    });

  test('a breach is told in the words of the contract, with since when, expected and received', async () => {
    const page = await open('broken');
    const breaches = page.getByRole('region', { name: 'Broken clauses' });
    await expect(breaches.getByRole('heading')).toHaveText([
      'BEARER-2 Without the token in the Authorization header a request is unauthorised, wherever else a token travels',
      'ERROR-3 The message of a 401 is exactly "Invalid or expired access token."',
    ]);
    await expect(breaches).toContainText('Violated for 3 min, since 2027-03-01 00:12:00 UTC');
    await expect(breaches).toContainText(
      '401 {"success":false,"message":"Invalid or expired access token."}',
    );
    await page.context().close();
  });

  test('what the provider says is text, never markup', async () => {
    const page = await open('broken');
    await expect(page.locator('script')).toHaveCount(0);
    await expect(page.locator('.received').first()).toContainText('<script>alert(1)</script>');
    await page.context().close();
  });

  test('refused credentials are said to be that', async () => {
    const page = await open('credentials');
    await expect(page.locator('header .tag')).toHaveText('credentials');
    await page.context().close();
  });

  test('a changed observation says what it was', async () => {
    const page = await open('holds');
    await expect(page.locator('.changed')).toHaveText(
      'before 2027-03-01 00:08:00 UTC, 7 min ago: 200',
    );
    await page.context().close();
  });

  test('a strip of runs says in words how many were kept', async () => {
    const page = await open('broken');
    await expect(
      page.getByRole('row', { name: 'a token in the query' }).getByRole('img').first(),
    ).toHaveAccessibleName('2 of the last 4 runs were kept');
    await page.context().close();
  });

  test('what production cannot verify is folded away, and opens without JavaScript', async () => {
    const page = await open('holds');
    await expect(page.getByText('EXPIRY-5')).toBeHidden();
    await page.locator('summary').click();
    await expect(page.getByText('EXPIRY-5')).toBeVisible();
    await page.context().close();
  });

  test('it can be read with the keyboard alone', async () => {
    const page = await open('holds');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('EXPIRY-5')).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/refresh=30/);
    await page.context().close();
  });

  test('on a phone nothing is wider than the screen', async () => {
    const page = await open('broken', {
      viewport: { width: 360, height: 740 },
      javaScriptEnabled: true,
    });
    const wider = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(wider).toBe(0);
    await page.context().close();
  });

  test('the browser has nothing to complain of', async () => {
    runs = states.broken;
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(listening.page.href, { waitUntil: 'networkidle' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  for (const state of ['holds', 'unreachable', 'waiting'] as const)
    test(`axe objects to nothing, ${state}`, async () => {
      const page = await open(state, { javaScriptEnabled: true, bypassCSP: true });
      expect(await objections(page)).toEqual([]);
      await page.context().close();
    });

  for (const colorScheme of ['light', 'dark'] as const)
    for (const [name, width] of [
      ['desktop', 1200],
      ['phone', 360],
    ] as const)
      test(`axe objects to nothing, ${colorScheme}, ${name}`, async () => {
        // axe is a script: it is let in past the page's own policy.
        const page = await open('broken', {
          colorScheme,
          viewport: { width, height: 900 },
          javaScriptEnabled: true,
          bypassCSP: true,
        });
        expect(await objections(page)).toEqual([]);
        await page.context().close();
      });
});
