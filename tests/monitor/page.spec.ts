import { type Browser, expect, type Page } from '@playwright/test';
import { listen } from '../../monitor/web/server.ts';
import { needs } from '../programs.ts';
import { test as base } from '../report/chromium.ts';
import { objections } from './browser.ts';
import { states } from './page-states.ts';
import { servedBy } from './serving.ts';

needs('chromium');

type State = keyof typeof states;
type Options = Parameters<Browser['newContext']>[0];

const phone: Options = { viewport: { width: 360, height: 740 } };

const test = base.extend<{
  /** Opens the page of a monitor in a given state; JavaScript is off by default. */
  open: (state: State, options?: Options) => Promise<Page>;
}>({
  open: async ({ browser }, use) => {
    await using closing = new AsyncDisposableStack();
    await use(async (state, options) => {
      const server = await listen(servedBy(states[state]), { host: '127.0.0.1', port: 0 });
      const context = await browser.newContext({ javaScriptEnabled: false, ...options });
      closing.defer(server.close);
      closing.defer(() => context.close());
      const opened = await context.newPage();
      opened.on('console', (message) => expect(message.text()).toBe(''));
      opened.on('response', (response) => expect(response.status()).toBe(200));
      await opened.goto(server.page.href, { waitUntil: 'load' });
      return opened;
    });
  },
});

test('the sections follow the order of an on-call engineer', async ({ open }) => {
  const opened = await open('violated');
  await expect(opened.locator('section h2')).toHaveText([
    'BEARER-2 Without the token in the Authorization header a request is refused, wherever else a token travels',
    'ERROR-3 The message of a 401 is exactly "Invalid or expired access token."',
    ...['How fast each endpoint is', 'How long tokens live', 'Events', 'What changed'],
    'Clauses',
  ]);
});

test('hostile text is text, never markup, also in the links of several targets', async ({
  open,
}) => {
  for (const state of ['hostile', 'hostileAmongOthers'] as const) {
    const opened = await open(state);
    await expect(opened.locator('script, img, [onerror]')).toHaveCount(0);
    await expect(opened.locator('main')).toContainText('<script>alert(1)</script>');
    if (state === 'hostile') continue;
    await opened.getByRole('link', { name: 'alert' }).click();
    await expect(opened.locator('.target strong')).toContainText('<script>alert(1)</script>');
    await opened.getByRole('link', { name: 'All targets' }).click();
    await expect(opened.locator('.targets')).toBeVisible();
  }
});

test('the page can be read with the keyboard alone, without JavaScript', async ({ open }) => {
  const opened = await open('holds');
  const focus = opened.locator(':focus-visible');
  for (const name of [/verified so far/, '27 checks', '3 earlier events', '1 observed fact']) {
    await opened.keyboard.press('Tab');
    await expect(focus).toHaveText(name);
    await expect(focus).toHaveCSS('outline-style', 'solid');
  }
  await opened.getByText('27 checks').press('Enter');
  await expect(opened.locator('table.checks')).toBeVisible();
  await opened.getByRole('link', { name: 'Stop reloading' }).press('Enter');
  await expect(opened).toHaveURL(/refresh=0/);
});

for (const state of ['violated', 'fifty', 'hostile', 'late', 'thirty'] as const)
  test(`no element is wider than a phone, and nothing moves: ${state}`, async ({ open }) => {
    const opened = await open(state, { ...phone, javaScriptEnabled: true });
    const page = 'document.documentElement';
    expect(await opened.evaluate(`${page}.scrollWidth - ${page}.clientWidth`)).toBe(0);
    expect(await opened.evaluate('document.getAnimations().length')).toBe(0);
  });

for (const state of Object.keys(states).filter((name) => name !== 'thousand') as State[])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`axe reports nothing: ${state}, ${colorScheme}`, async ({ open }) => {
      // axe is a script, which the page's own Content-Security-Policy would block.
      const options = { colorScheme, javaScriptEnabled: true, bypassCSP: true };
      const opened = await open(state, { ...options, ...(colorScheme === 'dark' ? phone : {}) });
      await opened
        .locator('details')
        .evaluateAll((all) => all.map((element) => element.setAttribute('open', '')));
      expect(await objections(opened)).toEqual([]);
    });
