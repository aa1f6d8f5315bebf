import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { account, leaksOf } from '../planted.ts';
import { embedded, unzipped } from './playwright-report.ts';
import type { Run } from './process.ts';

/** Everything that a run left: its output, every file below its folder, and the contents of Playwright's page and traces. */
export function leftBehind(run: Run): Map<string, string> {
  const left = new Map([
    ['stdout', run.stdout],
    ['stderr', run.stderr],
  ]);
  for (const entry of readdirSync(run.folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(run.folder, file);
    const text = readFileSync(file, 'utf8');
    left.set(name, text);
    const inside = name.endsWith('.zip')
      ? unzipped(readFileSync(file))
      : name.endsWith('playwright-html/index.html')
        ? embedded(text)
        : [];
    for (const [inner, contents] of inside) left.set(`${name}:${inner}`, contents);
  }
  return left;
}

/** Where a run left parts of that account or of these tokens; it must be empty. */
export function foundIn(run: Run, tokens: Iterable<string>): string[] {
  const leaks = leaksOf([account.apiKey, account.secretKey, ...tokens]);
  return [...leftBehind(run)].flatMap(([where, text]) =>
    leaks(text).map((what) => `${where}: ${what}`),
  );
}
