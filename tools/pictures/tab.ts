import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';

/** Opens a page as the documentation shows it: of this width and height (CSS pixels), in double resolution. */
export const tabOf = (browser: Browser, height: number, width = 1100): Promise<Page> =>
  browser.newPage({ viewport: { width, height }, deviceScaleFactor: 1.5 });

/** Saves a screenshot, and closes the page. @param name of the file, in this folder */
export async function keep(tab: Page, name: string): Promise<void> {
  await tab.screenshot({ path: fileURLToPath(new URL(name, import.meta.url)) });
  await tab.close();
}
