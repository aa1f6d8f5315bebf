import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { type Listening, listen } from '../../monitor/web/server.ts';
import { needs } from '../programs.ts';
import { test } from '../report/chromium.ts';
import { alerts } from '../rules/rules.ts';
import { objections } from './browser.ts';
import { fakeMetrics, serving } from './serving.ts';
import { statusWith } from './statuses.ts';

const textOf = async (path: string): Promise<string> => (await serving().get(path)).text();

test('the runbook has an anchor for each alert, and for each runbook_url', async () => {
  const html = await textOf('/runbook');
  const anchors = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
  expect(anchors).toEqual([...new Set(anchors)]);
  for (const { alert, annotations } of alerts) {
    expect(anchors).toContain(alert);
    expect(anchors).toContain(annotations?.runbook_url?.split('#')[1]);
  }
});

test('the runbook has all of its text, and only links that lead somewhere', async () => {
  const html = await textOf('/runbook');
  const text = readFileSync(new URL('../../ops/runbook.md', import.meta.url), 'utf8');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  expect(headings.length).toBeGreaterThan(20);
  for (const heading of headings) expect(html).toContain(`>${heading}</h`);
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
  expect(links.filter((href) => !/^(\/$|#|https?:)/.test(href))).toEqual([]);
  for (const href of links.filter((one) => one.startsWith('#')))
    expect(html).toContain(` id="${href.slice(1)}"`);
});

test('every page leads to the runbook', async () => {
  expect(await textOf('/')).toContain('<a href="/runbook">Runbook</a>');
  expect(await textOf('/targets/under-test')).toContain('<a href="/runbook">Runbook</a>');
});

test.describe('seen in a browser', () => {
  needs('chromium');

  let server: Listening;

  test.beforeAll(async () => {
    const served = { status: () => statusWith([]), metrics: fakeMetrics() };
    server = await listen(served, { host: '127.0.0.1', port: 0 });
  });

  test.afterAll(() => server.close());

  async function open(page: Page, width: number, anchor = ''): Promise<void> {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(new URL(`/runbook${anchor}`, server.page).href);
  }

  for (const width of [1200, 360])
    test(`lists have bullets and margins, and tables fit, at ${width} pixels`, async ({ page }) => {
      await open(page, width);
      const list = page.locator('.runbook ul').first();
      await expect(list).toHaveCSS('list-style-type', 'disc');
      await expect(list).toHaveCSS('padding-left', '24px');
      await expect(list).toHaveCSS('margin-bottom', '16px');
      const item = await list.locator('li').first().boundingBox();
      const paragraph = await page.locator('.runbook p').first().boundingBox();
      expect((item?.x ?? 0) - (paragraph?.x ?? 0)).toBeGreaterThan(15);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        width,
      );
      const cell = await page.locator('#ContractMonitorBudgetGoneInTwoDays').boundingBox();
      expect(cell?.height).toBeLessThan(60);
    });

  test('the anchor of an alert leads to its section', async ({ page }) => {
    await open(page, 1000, '#ContractMonitorTokenDiesEarly');
    const heading = page.getByRole('heading', { name: 'ContractMonitorTokenDiesEarly' });
    await expect(heading).toBeInViewport();
    const { y = 700 } = (await heading.boundingBox()) ?? {};
    expect(y).toBeLessThan(120);
  });

  test('axe reports nothing on the runbook', async ({ page }) => {
    await open(page, 1000);
    expect(await objections(page)).toEqual([]);
  });
});
