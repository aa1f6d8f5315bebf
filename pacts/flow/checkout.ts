import { execFileSync } from 'node:child_process';
import type { Environment } from '../../settings/reading.ts';
import { FlowError } from './flow-error.ts';

/** Which version of a consumer or provider this is, and where it comes from. */
export interface Checkout {
  /** @throws FlowError when nothing tells it, or the files are no longer those of the commit */
  version(): string;
  /** @throws FlowError when no branch is checked out */
  branch(): string;
  /** The build in CI. */
  readonly buildUrl?: string;
}

/** What goes before the CI and git. */
export interface Named {
  readonly version?: string;
  readonly branch?: string;
}

/**
 * The version and branch that were named, else those that GitHub Actions builds, else those that git has checked out.
 * Outside CI a worktree with changes has no version: what it would publish, nobody could check out again.
 */
export function checkoutOf(named: Named, env: Environment, folder = '.'): Checkout {
  const inActions = env.GITHUB_ACTIONS === 'true';
  const buildUrl = inActions ? runOf(env) : undefined;
  return {
    version: () =>
      named.version ?? (inActions ? textOf(env, 'GITHUB_SHA') : undefined) ?? commitIn(folder),
    branch: () => named.branch ?? (inActions ? branchOf(env) : undefined) ?? branchIn(folder),
    ...(buildUrl === undefined ? {} : { buildUrl }),
  };
}

const textOf = (env: Environment, name: string): string | undefined => env[name] || undefined;

/** A pull request is built on a merge that nobody has; its branch is the head. */
const branchOf = (env: Environment): string | undefined =>
  textOf(env, 'GITHUB_HEAD_REF') ??
  (env.GITHUB_REF_TYPE === 'branch' ? textOf(env, 'GITHUB_REF_NAME') : undefined);

function runOf(env: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}

function commitIn(folder: string): string {
  const commit = git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD');
  if (commit === undefined)
    throw new FlowError('the version is not known: there is no commit here, set GIT_COMMIT');
  if (git(folder, 'status', '--porcelain') !== '')
    throw new FlowError(
      'the version is not known: files differ from the commit that is checked out; commit them, or set GIT_COMMIT',
    );
  return commit;
}

function branchIn(folder: string): string {
  const branch = git(folder, 'symbolic-ref', '--short', '--quiet', 'HEAD');
  if (branch === undefined)
    throw new FlowError('the branch is not known: none is checked out here, set GIT_BRANCH');
  return branch;
}

/** What git prints; undefined when it fails, or is not there. */
function git(folder: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
