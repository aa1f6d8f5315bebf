import { rm } from 'node:fs/promises';
import path from 'node:path';

/** Below the working directory of the gate. */
export const folder = 'reports';

export const playwrightReport = path.join(folder, 'playwright-html');

/**
 * Removes the reports of an earlier run. A run that is refused, interrupted or killed writes none, and a reader would
 * take the old ones for its verdict.
 */
export async function removeEarlierReports(): Promise<void> {
  const files = ['gate.json', 'gate.xml', 'gate.html'].map((name) => path.join(folder, name));
  await Promise.all([...files, playwrightReport].map(remove));
}

/** Removes a file or a folder. Errors are ignored: if this fails, writing fails too, and that is reported. */
const remove = (name: string): Promise<void> =>
  rm(name, { recursive: true, force: true }).catch(() => {});
