import { test as base } from '@playwright/test';
import { launch } from '../monitor/browser.ts';

/** Playwright's fixtures on Debian's Chromium. */
export const test = base.extend({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs off its first argument
    async ({}, use) => {
      const browser = await launch();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
});
