import { execFileSync } from 'node:child_process';
import type { Environment } from '../../settings/settings-reader.ts';
import { BrokerError } from './broker-error.ts';

/** The version of a consumer or provider, and its origin. */
export interface Checkout {
  /** @throws BrokerError when nothing determines it, or the files differ from the commit */
  version(): string;
  /** @throws BrokerError when no branch is checked out */
  branch(): string;
  /** The build in CI. */
  readonly buildUrl?: string;
}

/** Values that have priority over the CI and git. */
export interface Named {
  readonly version?: string;
  readonly branch?: string;
}

/** The variables of a CI for the current build. The first branch that is set counts. */
interface Ci {
  readonly marker: readonly [name: string, value: string];
  readonly version: string;
  readonly branch: readonly string[];
  readonly build?: string;
}

/** From the documentation of each CI. Jenkins has no entry: it sets this project's GIT_COMMIT and GIT_BRANCH. */
const known: readonly Ci[] = [
  {
    marker: ['GITLAB_CI', 'true'],
    version: 'CI_COMMIT_SHA',
    branch: ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_BRANCH'],
    build: 'CI_JOB_URL',
  },
  {
    marker: ['BUILDKITE', 'true'],
    version: 'BUILDKITE_COMMIT',
    branch: ['BUILDKITE_BRANCH'],
    build: 'BUILDKITE_BUILD_URL',
  },
  {
    marker: ['TF_BUILD', 'True'],
    version: 'BUILD_SOURCEVERSION',
    branch: ['SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCH'],
  },
  {
    marker: ['CIRCLECI', 'true'],
    version: 'CIRCLE_SHA1',
    branch: ['CIRCLE_BRANCH'],
    build: 'CIRCLE_BUILD_URL',
  },
];

/**
 * The given version and branch, else those of the CI build, else those of the git checkout. A git checkout with
 * changes has no version, because its results could not be reproduced from a commit.
 */
export const checkoutOf = (named: Named, env: Environment, folder = '.'): Checkout =>
  originOf(named, env, { version: () => commitIn(folder), branch: () => branchIn(folder) });

/**
 * The same for a provider that runs elsewhere: the git checkout on this machine is not its version.
 * `version` and `branch` throw a BrokerError when neither a setting nor a CI provides them.
 */
export const deploymentOf = (named: Named, env: Environment): Checkout =>
  originOf(named, env, {
    version: () => refuse('version', 'GIT_COMMIT'),
    branch: () => refuse('branch', 'GIT_BRANCH'),
  });

function refuse(what: string, name: string): never {
  throw new BrokerError(
    `the provider's ${what} is not known: set ${name} to that of the provider that runs there, or add --no-publish`,
  );
}

/** @param otherwise where neither a name nor a CI is given */
function originOf({ version, branch }: Named, env: Environment, otherwise: Checkout): Checkout {
  const built = buildOf(env);
  // Jenkins sets GIT_BRANCH to `origin/main`, except in multibranch pipelines.
  const named = env.JENKINS_URL ? branch?.replace(/^origin\//, '') : branch;
  return {
    version: () => version ?? built.version ?? otherwise.version(),
    branch: () => named ?? built.branch ?? otherwise.branch(),
    buildUrl: built.url,
  };
}

function buildOf(env: Environment): Named & { readonly url?: string } {
  if (env.GITHUB_ACTIONS === 'true')
    return { version: textOf(env, 'GITHUB_SHA'), branch: branchOf(env), url: runOf(env) };
  const ci = known.find(({ marker: [name, value] }) => env[name] === value);
  if (ci === undefined) return {};
  const branch = ci.branch.map((name) => textOf(env, name)).find((text) => text !== undefined);
  return {
    version: textOf(env, ci.version),
    branch: branch?.replace(/^refs\/heads\//, ''),
    url: ci.build && textOf(env, ci.build),
  };
}

const textOf = (env: Environment, name: string): string | undefined => env[name] || undefined;

/** GitHub builds a pull request from a temporary merge commit; its branch is the head branch. */
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
    throw new BrokerError('the version is not known: there is no commit here, set GIT_COMMIT');
  if (git(folder, 'status', '--porcelain') !== '')
    throw new BrokerError(
      'the version is not known: files differ from the commit that is checked out; commit them, or set GIT_COMMIT',
    );
  return commit;
}

function branchIn(folder: string): string {
  const branch = git(folder, 'symbolic-ref', '--short', '--quiet', 'HEAD');
  if (branch === undefined)
    throw new BrokerError('the branch is not known: none is checked out here, set GIT_BRANCH');
  return branch;
}

/** The output of git; undefined when it fails, or is not installed. */
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
