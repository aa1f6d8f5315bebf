import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { findCheckout } from '../../pacts/broker/checkout.ts';

const buildUrl = 'https://ci.example.com/7';
const GITHUB_SHA = 'c0ffee';
/** The variables of GitHub Actions for a push. */
const push = {
  ...{ GITHUB_SHA, GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'main', GITHUB_HEAD_REF: '' },
  ...{ GITHUB_SERVER_URL: 'https://ci.example.com', GITHUB_REPOSITORY: 'one/api' },
  GITHUB_RUN_ID: '7',
};
const pull = { ...push, GITHUB_HEAD_REF: 'feat/y', GITHUB_REF_NAME: '3/merge' };
const gitlab = { CI_COMMIT_SHA: 'c0ffee', CI_COMMIT_BRANCH: 'main', CI_JOB_URL: buildUrl };
const merge = { ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feat/y' };
const azure = { BUILD_SOURCEVERSION: 'c0ffee', BUILD_SOURCEBRANCH: 'refs/heads/main' };
const azurePull = { ...azure, SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/feat/y' };
const buildkite = { BUILDKITE_COMMIT: 'c0ffee', BUILDKITE_BRANCH: 'main' };
const circle = { CIRCLE_SHA1: 'c0ffee', CIRCLE_BRANCH: 'main', CIRCLE_BUILD_URL: buildUrl };
const ofActions = 'https://ci.example.com/one/api/actions/runs/7';

for (const [name, env, branch, url] of [
  ['GitHub Actions', push, 'main', ofActions],
  ['a pull request on GitHub', pull, 'feat/y', ofActions],
  ['GitLab CI', gitlab, 'main', buildUrl],
  ['a merge request on GitLab', merge, 'feat/y', buildUrl],
  ['Buildkite', { ...buildkite, BUILDKITE_BUILD_URL: buildUrl }, 'main', buildUrl],
  ['Azure Pipelines', azure, 'main', undefined],
  ['a pull request on Azure', azurePull, 'feat/y', undefined],
  ['CircleCI', circle, 'main', buildUrl],
] satisfies [string, Record<string, string>, string, string | undefined][])
  test(`version, branch and build are detected in ${name}`, () => {
    expect(findCheckout({}, env)).toEqual({ version: 'c0ffee', branch, buildUrl: url });
  });

test('named values override the CI, the CI overrides git, and only a clean checkout has a version', () => {
  const folder = test.info().outputPath();
  const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...user, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch', 'main');
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  const named = { version: '1', branch: 'feat/x' };
  expect(findCheckout(named, push, folder)).toMatchObject(named);
  expect(findCheckout({}, push, folder)).toMatchObject({ version: 'c0ffee', branch: 'main' });
  const local = { version: git('rev-parse', 'HEAD'), branch: 'main', buildUrl: undefined };
  expect(findCheckout({}, {}, folder)).toEqual(local);
  // A tag is no branch.
  const tag = { ...push, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' };
  expect(findCheckout({}, tag, folder).branch).toBe('main');
  writeFileSync(path.join(folder, 'file'), 'two');
  expect(() => findCheckout({}, {}, folder)).toThrow(
    'the version is not known: files differ from the commit that is checked out; commit them, or set GIT_COMMIT',
  );
  expect(findCheckout({ version: '1' }, {}, folder).branch).toBe('main');
  git('checkout', '--quiet', '--detach');
  expect(() => findCheckout({ version: '1' }, {}, folder)).toThrow(
    "the provider's version or branch is not known: set GIT_COMMIT and GIT_BRANCH",
  );
});
