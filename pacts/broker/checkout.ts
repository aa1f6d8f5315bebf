import { spawnSync } from 'node:child_process';
import type { Environment } from '../../config/table.ts';
import { BrokerError } from './broker.ts';

/** The version of the provider, and its origin. */
export interface Checkout {
  readonly version: string;
  readonly branch: string;
  readonly buildUrl?: string;
}

/** The variables of each CI: version, address of the build, branches. Jenkins sets GIT_COMMIT and GIT_BRANCH. */
const builds = [
  ['GITHUB_SHA', '', 'GITHUB_HEAD_REF', 'GITHUB_REF_NAME'],
  ['CI_COMMIT_SHA', 'CI_JOB_URL', 'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_BRANCH'],
  ['BUILDKITE_COMMIT', 'BUILDKITE_BUILD_URL', 'BUILDKITE_BRANCH'],
  ['BUILD_SOURCEVERSION', '', 'SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCH'],
  ['CIRCLE_SHA1', 'CIRCLE_BUILD_URL', 'CIRCLE_BRANCH'],
] as const;

/**
 * The given version and branch, else those of the CI build, else those of the git checkout.
 * @param named values that have priority over the CI and git
 * @param folder the git checkout; undefined for a provider that runs elsewhere, whose version it is not
 * @throws BrokerError when nothing determines them, or files differ from the commit: nobody could reproduce the result
 */
export function findCheckout(
  named: { readonly version?: string; readonly branch?: string },
  env: Environment,
  folder?: string,
): Checkout {
  const [ci, url = '', ...branches] = builds.find(([name]) => env[name]) ?? [];
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  // A tag is not a branch.
  const names = env.GITHUB_REF_TYPE === 'tag' ? [] : branches;
  const built = names.map((name) => env[name]).find((text) => text);
  return {
    version: named.version ?? (ci && env[ci]) ?? commitIn(folder),
    branch:
      named.branch ??
      built?.replace(/^refs\/heads\//, '') ??
      git(folder, 'symbolic-ref', '--short', '--quiet', 'HEAD') ??
      throwUnknown(),
    buildUrl: ci === 'GITHUB_SHA' ? `${server}/${repository}/actions/runs/${run}` : env[url],
  };
}

function commitIn(folder: string | undefined): string {
  const commit = git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD') ?? throwUnknown();
  if (git(folder, 'status', '--porcelain') === '') return commit;
  throw new BrokerError(
    'the version is not known: files differ from the commit that is checked out; commit them, or set GIT_COMMIT',
  );
}

function throwUnknown(): never {
  throw new BrokerError(
    "the provider's version or branch is not known: set GIT_COMMIT and GIT_BRANCH to those of the provider that runs there, or add --no-publish",
  );
}

/** The output of git; undefined when it fails, or is not installed. */
function git(cwd: string | undefined, ...args: readonly string[]): string | undefined {
  if (cwd === undefined) return undefined;
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
