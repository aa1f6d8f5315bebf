import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/**
 * The day of `npm run test:nightly`, such as 2026-05-20, which tests/main.ts passes to its child processes.
 * Undefined in `npm test`, which runs a part of the tests.
 */
export const night: string | undefined = process.env.NIGHT || undefined;

/** Runs git in the folder of this project. @returns its lines; empty without git, or outside a checkout */
export function gitLines(...args: readonly string[]): string[] {
  const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}

/** The commit that is tested. Playwright's workers inherit it, so that all of them choose the same sample. */
process.env.TESTED_COMMIT ??= gitLines('rev-parse', 'HEAD').join('');
const { TESTED_COMMIT: commit = '' } = process.env;

/**
 * Whether this run tries the case. A night tries all. `npm test` tries one part, chosen by the commit; each
 * part has its turn within some commits.
 */
export const isSampled = (name: string, parts: number): boolean =>
  night !== undefined || partOf(name, parts) === partOf(commit, parts);

const partOf = (text: string, parts: number): number =>
  createHash('sha256').update(text).digest().readUInt32BE() % parts;
