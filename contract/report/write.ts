import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gateHtml } from './html.ts';
import { gateJson } from './json.ts';
import { junitXml } from './junit.ts';
import type { Report } from './report.ts';
import { ReportError } from './report-error.ts';

const files: Readonly<Record<string, (report: Report) => string | Promise<string>>> = {
  'gate.json': gateJson,
  'gate.xml': junitXml,
  'gate.html': gateHtml,
};

/**
 * Writes every report into a folder, which is made when it is missing. A concurrent reader of a file sees the old or
 * the new one, never half of it; one that cannot be written does not keep back the others.
 * @returns the paths of what was written
 * @throws ReportError about all that could not be written, after the rest has been
 */
export async function writeReports(folder: string, report: Report): Promise<string[]> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new ReportError(`the folder ${folder}`, error);
  });
  const written = await Promise.allSettled(
    Object.entries(files).map(async ([name, format]) => {
      const file = path.join(folder, name);
      await replace(file, await format(report));
      return file;
    }),
  );
  const failed = Object.keys(files).filter((_, index) => written[index]?.status === 'rejected');
  const [first] = written.filter((result) => result.status === 'rejected');
  if (first !== undefined)
    throw new ReportError(failed.map((name) => path.join(folder, name)).join(', '), first.reason);
  return written.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Writes a file beside the old one and puts it in its place. */
export async function replace(file: string, text: string): Promise<void> {
  const fresh = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`);
  try {
    await writeFile(fresh, text, { flag: 'wx' });
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw error;
  }
}
