import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { checkoutOf } from '../../pacts/broker/checkout.ts';

/** The variables of GitHub Actions for a push. */
const push = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SHA: 'c0ffee',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_REF_NAME: 'main',
  GITHUB_HEAD_REF: '',
  GITHUB_SERVER_URL: 'https://ci.example.com',
  GITHUB_REPOSITORY: 'one/api',
  GITHUB_RUN_ID: '7',
};

/** A repository with one commit on the branch `main`. */
function repository(name = 'repository'): {
  folder: string;
  git: (...args: readonly string[]) => string;
} {
  const folder = test.info().outputPath(name);
  mkdirSync(folder);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  git('init', '--quiet', '--initial-branch', 'main');
  writeFileSync(path.join(folder, 'file'), 'one');
  git('add', 'file');
  git('commit', '--quiet', '--message', 'Begin');
  return { folder, git };
}

const needsVersion = true;

test('named values override the CI, and the CI overrides git', () => {
  const { folder, git } = repository();
  const named = { version: '1', branch: 'feat/x' };
  expect(checkoutOf({ named, env: push, needsVersion, folder })).toMatchObject(named);
  const built = checkoutOf({ named: {}, env: push, needsVersion, folder });
  expect(built).toMatchObject({ version: 'c0ffee', branch: 'main' });
  const local = checkoutOf({ named: {}, env: {}, needsVersion, folder });
  expect(local).toEqual({ version: git('rev-parse', 'HEAD'), branch: 'main', buildUrl: undefined });
});

test('a pull request belongs to its head branch, and a tag belongs to no branch', () => {
  const { folder } = repository();
  const pull = { ...push, GITHUB_HEAD_REF: 'feat/y', GITHUB_REF_NAME: '3/merge' };
  expect(checkoutOf({ named: {}, env: pull, needsVersion, folder }).branch).toBe('feat/y');
  const tag = { ...push, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' };
  expect(checkoutOf({ named: {}, env: tag, needsVersion, folder }).branch).toBe('main');
});

test('a checkout with uncommitted files has no version, whether changed or new', () => {
  for (const file of ['file', 'another']) {
    const { folder } = repository(`with-${file}`);
    writeFileSync(path.join(folder, file), 'two');
    const options = { named: {}, env: {}, folder };
    expect(() => checkoutOf({ ...options, needsVersion })).toThrow(
      'the version is not known: files differ from the commit that is checked out; commit them, or set GIT_COMMIT',
    );
    expect(checkoutOf({ ...options, needsVersion: false }).branch).toBe('main');
  }
});

test('a detached commit has no branch, and a folder without git has no version', () => {
  const { folder, git } = repository();
  git('checkout', '--quiet', '--detach');
  const options = { named: {}, env: {}, needsVersion };
  expect(() => checkoutOf({ ...options, folder })).toThrow(
    "the provider's branch is not known: set GIT_BRANCH",
  );
  for (const nowhere of [path.join(folder, 'not-there'), undefined])
    expect(() => checkoutOf({ ...options, folder: nowhere })).toThrow(
      "the provider's version is not known: set GIT_COMMIT",
    );
});

/** The documented variables of CIs for a push to `main`. */
const builds: Readonly<Record<string, Record<string, string>>> = {
  'GitHub Actions': push,
  'GitLab CI': {
    GITLAB_CI: 'true',
    CI_COMMIT_SHA: 'c0ffee',
    CI_COMMIT_BRANCH: 'main',
    CI_JOB_URL: 'https://ci.example.com/7',
  },
  Buildkite: {
    BUILDKITE: 'true',
    BUILDKITE_COMMIT: 'c0ffee',
    BUILDKITE_BRANCH: 'main',
    BUILDKITE_BUILD_URL: 'https://ci.example.com/7',
  },
  'Azure Pipelines': {
    TF_BUILD: 'True',
    BUILD_SOURCEVERSION: 'c0ffee',
    BUILD_SOURCEBRANCH: 'refs/heads/main',
  },
  CircleCI: {
    CIRCLECI: 'true',
    CIRCLE_SHA1: 'c0ffee',
    CIRCLE_BRANCH: 'main',
    CIRCLE_BUILD_URL: 'https://ci.example.com/7',
  },
};

for (const [name, env] of Object.entries(builds))
  test(`version, branch and build are detected in ${name}`, () => {
    const checkout = checkoutOf({ named: {}, env, needsVersion });
    expect(checkout).toMatchObject({ version: 'c0ffee', branch: 'main' });
    if (name !== 'Azure Pipelines')
      expect(checkout.buildUrl).toMatch(
        /^https:\/\/ci\.example\.com\/(one\/api\/actions\/runs\/)?7$/,
      );
  });

test('the branch of a merge request is its source branch', () => {
  const env = { ...builds['GitLab CI'], CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feat/y' };
  expect(checkoutOf({ named: {}, env, needsVersion }).branch).toBe('feat/y');
});
