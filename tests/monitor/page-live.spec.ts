import { expect, type Page } from '@playwright/test';
import { needs } from '../programs.ts';
import { test as base, type PageServer } from './page-server.ts';
import { states } from './page-states.ts';

needs('chromium');

const test = base.extend<{
  /** A page that listens. The test controls the browser's clock, so that no test waits. */
  opened: Page;
}>({
  viewport: { width: 1000, height: 500 },
  opened: async ({ page, server }, use) => {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(3_600_000);
    await page.goto(server.address);
    // The page is fetched when it is opened, and again when it starts to listen.
    await expect.poll(server.fetched).toBe(2);
    await page.clock.runFor(1000);
    await use(page);
  },
});

const headline = (opened: Page) => opened.getByRole('heading', { level: 1 });

/** Changes the status on the server, and waits until the page shows it. */
async function become(
  { opened, server }: { readonly opened: Page; readonly server: PageServer },
  state: 'broken' | 'unreachable',
): Promise<void> {
  server.show(states[state]);
  expect(server.change()).toBe(1);
  await expect(headline(opened)).not.toHaveText('The contract holds');
}

test('a change is shown at once: content, title, icon, and a screen-reader announcement', async ({
  opened,
  server,
}) => {
  await become({ opened, server }, 'broken');
  await expect(headline(opened)).toHaveText('The contract is broken');
  await expect(opened).toHaveTitle('The contract is broken · under-test');
  await expect(opened.locator('link[rel=icon]')).toHaveAttribute('href', '/icon.svg?broken');
  await expect(opened.getByRole('status')).toHaveText('The contract is broken · under-test');
});

test('unfolded parts stay unfolded, the focus stays, and the page does not jump', async ({
  opened,
  server,
}) => {
  const summary = opened.getByText('more probes');
  await summary.click();
  const before = await opened.evaluate('scrollTo(0, 333); scrollY');
  await become({ opened, server }, 'unreachable');
  await expect(opened.locator('#more-probes')).toHaveAttribute('open');
  await expect(opened.locator('#in-words')).not.toHaveAttribute('open');
  await expect(opened.locator(':focus')).toHaveText(/more probes/);
  expect(await opened.evaluate('scrollY')).toBe(before);
});

test('text that the reader is selecting is not replaced until the selection ends', async ({
  opened,
  server,
}) => {
  await opened.evaluate('getSelection().selectAllChildren(document.querySelector("h1"))');
  server.show(states.broken);
  expect(server.change()).toBe(1);
  await opened.clock.runFor(31_000);
  expect(server.fetched()).toBe(2);
  await opened.evaluate('getSelection().removeAllRanges()');
  await opened.clock.runFor(30_000);
  await expect(headline(opened)).toHaveText('The contract is broken');
});

test('a page that arrives slowly is fetched again only after it has arrived', async ({
  opened,
  server,
}) => {
  let requested = 0;
  const slow = Promise.withResolvers<void>();
  await opened.route(server.address, async (route) => {
    requested += 1;
    const old = requested === 1 ? await route.fetch() : undefined;
    if (requested === 1) await slow.promise;
    await route.fulfill({ response: old ?? (await route.fetch()) });
  });
  server.change();
  await expect.poll(() => requested).toBe(1);
  server.show(states.broken);
  for (let second = 0; second < 5; second += 1) {
    server.change();
    await opened.clock.runFor(1000);
  }
  expect(requested).toBe(1);
  slow.resolve();
  await expect(headline(opened)).toHaveText('The contract is broken');
  expect(requested).toBe(2);
});

test('many changes at once cause one fetch, and another one a second later', async ({
  opened,
  server,
}) => {
  const before = server.fetched();
  for (let change = 0; change < 20; change += 1) server.change();
  await expect.poll(server.fetched).toBe(before + 1);
  await opened.evaluate('new Promise((done) => queueMicrotask(done))');
  expect(server.fetched()).toBe(before + 1);
  await opened.clock.runFor(1000);
  await expect.poll(server.fetched).toBe(before + 2);
});

test('the page polls every half minute without events from the monitor', async ({
  opened,
  server,
}) => {
  server.show(states.broken);
  await opened.clock.runFor(30_000);
  await expect(headline(opened)).toHaveText('The contract is broken');
});

test('a hidden tab neither listens nor polls, and is current as soon as it is visible', async ({
  opened,
  server,
}) => {
  const turn = (hidden: boolean) =>
    opened.evaluate(`
      Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await turn(true);
  await expect.poll(server.change).toBe(0);
  server.show(states.broken);
  await opened.clock.runFor(120_000);
  expect(server.fetched()).toBe(2);
  await turn(false);
  await expect(headline(opened)).toHaveText('The contract is broken');
});

test('a stopped monitor leaves the page unchanged', async ({ opened, server }) => {
  const errors: string[] = [];
  opened.on('pageerror', (error) => errors.push(error.message));
  await server.close();
  await opened.clock.runFor(60_000);
  await expect(headline(opened)).toHaveText('The contract holds');
  expect(errors).toEqual([]);
});
