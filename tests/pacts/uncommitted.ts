import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The pacts below a folder that differ from git: changed, deleted, or untracked.
 * @returns their paths; undefined when the folder is not a git checkout
 */
export async function uncommittedPacts(cwd: string): Promise<string[] | undefined> {
  const pacts = [':(glob)pacts/*.json', ':(glob)pacts/sandbox/*.json'];
  const list = ['ls-files', '-z', '--modified', '--others', '--exclude-standard', '--', ...pacts];
  try {
    const { stdout } = await run('git', list, { cwd });
    return [...new Set(stdout.split('\0'))].filter((name) => name !== '');
  } catch {
    return undefined;
  }
}
