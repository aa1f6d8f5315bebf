import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { checkoutOf } from '../../pacts/broker/checkout.ts';

/** A repository with one commit on the branch `main`. */
function repository(name = 'repository') {
  const folder = test.info().outputPath(name);
  mkdirSync(folder);
  const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...user, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch', 'main');
  writeFileSync(path.join(folder, 'file'), 'one');
  git('add', 'file');
  git('commit', '--quiet', '--message', 'Begin');
  return { folder, git };
}

const buildUrl = 'https://ci.example.com/7';

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
const gitlab = { CI_COMMIT_SHA: 'c0ffee', CI_COMMIT_BRANCH: 'main', CI_JOB_URL: buildUrl };
const ofActions = 'https://ci.example.com/one/api/actions/runs/7';

for (const [name, env, branch, url] of [
  ['GitHub Actions', push, 'main', ofActions],
  [
    'a pull request on GitHub',
    { ...push, GITHUB_HEAD_REF: 'feat/y', GITHUB_REF_NAME: '3/merge' },
    'feat/y',
    ofActions,
  ],
  ['GitLab CI', gitlab, 'main', buildUrl],
  [
    'a merge request on GitLab',
    { ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feat/y' },
    'feat/y',
    buildUrl,
  ],
  [
    'Buildkite',
    { BUILDKITE_COMMIT: 'c0ffee', BUILDKITE_BRANCH: 'main', BUILDKITE_BUILD_URL: buildUrl },
    'main',
    buildUrl,
  ],
  [
    'Azure Pipelines',
    { BUILD_SOURCEVERSION: 'c0ffee', BUILD_SOURCEBRANCH: 'refs/heads/main' },
    'main',
    undefined,
  ],
  [
    'CircleCI',
    { CIRCLE_SHA1: 'c0ffee', CIRCLE_BRANCH: 'main', CIRCLE_BUILD_URL: buildUrl },
    'main',
    buildUrl,
  ],
] satisfies [string, Record<string, string>, string, string | undefined][])
  test(`version, branch and build are detected in ${name}`, () => {
    const found = { version: 'c0ffee', branch, buildUrl: url };
    expect(checkoutOf({ named: {}, env, needsVersion: true })).toEqual(found);
  });

test('named values override the CI, the CI overrides git, and a tag belongs to no branch', () => {
  const { folder, git } = repository();
  const named = { version: '1', branch: 'feat/x' };
  const options = { named: {}, env: push, needsVersion: true, folder };
  expect(checkoutOf({ ...options, named })).toMatchObject(named);
  expect(checkoutOf(options)).toMatchObject({ version: 'c0ffee', branch: 'main' });
  const local = { version: git('rev-parse', 'HEAD'), branch: 'main', buildUrl: undefined };
  expect(checkoutOf({ ...options, env: {} })).toEqual(local);
  const tag = { ...push, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' };
  expect(checkoutOf({ ...options, env: tag }).branch).toBe('main');
});

test('a checkout with uncommitted files has no version, whether changed or new', () => {
  for (const file of ['file', 'another']) {
    const { folder } = repository(`with-${file}`);
    writeFileSync(path.join(folder, file), 'two');
    const options = { named: {}, env: {}, folder };
    expect(() => checkoutOf({ ...options, needsVersion: true })).toThrow(
      'the version is not known: files differ from the commit that is checked out; commit them, or set GIT_COMMIT',
    );
    expect(checkoutOf({ ...options, needsVersion: false }).branch).toBe('main');
  }
});

test('a detached commit has no branch, and a folder without git has no version', () => {
  const { folder, git } = repository();
  git('checkout', '--quiet', '--detach');
  const unknown = (what: string, at?: string) =>
    expect(() => checkoutOf({ named: {}, env: {}, needsVersion: true, folder: at })).toThrow(
      `the provider's ${what} is not known: set GIT_${what === 'branch' ? 'BRANCH' : 'COMMIT'}`,
    );
  unknown('branch', folder);
  unknown('version', path.join(folder, 'not-there'));
  unknown('version');
});
