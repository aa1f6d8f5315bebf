import { test as base, chromium } from '@playwright/test';
import { programPath } from '../programs.ts';

/** Playwright's fixtures on Debian's Chromium, which sends no requests of its own. */
export const test = base.extend({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs off its first argument
    async ({}, use) => {
      const browser = await chromium.launch({
        executablePath: programPath('chromium'),
        args: [
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
});
