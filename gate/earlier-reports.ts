import { rm } from 'node:fs/promises';
import path from 'node:path';

/** Below the folder in which the gate is called. */
export const folder = 'reports';

/** Where Playwright's own report is. */
export const playwrightReport = path.join(folder, 'playwright-html');

/**
 * Takes away the reports of an earlier run. A run that is refused, interrupted or killed writes none, and an older
 * green beside its exit code would be taken for its verdict.
 */
export async function removeEarlierReports(): Promise<void> {
  const files = ['gate.json', 'gate.xml', 'gate.html'].map((name) => path.join(folder, name));
  await Promise.all([...files, playwrightReport].map(remove));
}

/** Removes a file or a folder; one that cannot be removed will not be written either, and that is reported. */
export const remove = (name: string): Promise<void> =>
  rm(name, { recursive: true, force: true }).catch(() => {});
