import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const patterns = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Whether .dockerignore excludes a file from the build. The last line that matches it or its folders counts. */
export function isIgnored(path: string): boolean {
  const line = patterns.findLast((pattern) => isAbout(pattern.replace(/^!/, ''), path));
  return line !== undefined && !line.startsWith('!');
}

function isAbout(pattern: string, path: string): boolean {
  if (pattern === '*') return true;
  if (/[*?[\]\\]/.test(pattern))
    throw new Error(`.dockerignore: ${pattern} is not understood here`);
  return path === pattern || path.startsWith(`${pattern}/`);
}

/** The files that a build in a fresh clone can use. */
export const context: readonly string[] = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\0')
  .filter((path) => path !== '' && !isIgnored(path));
