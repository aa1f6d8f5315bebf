import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { checkoutOf } from '../../pacts/flow/checkout.ts';

/** What GitHub Actions says about a push. */
const push = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SHA: 'c0ffee',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_REF_NAME: 'main',
  GITHUB_HEAD_REF: '',
  GITHUB_SERVER_URL: 'https://forge.example.com',
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

test('what is named goes before the CI, and the CI before git', () => {
  const { folder, git } = repository();
  const named = checkoutOf({ version: '1', branch: 'feat/x' }, push, folder);
  expect([named.version(), named.branch()]).toEqual(['1', 'feat/x']);
  const built = checkoutOf({}, push, folder);
  expect([built.version(), built.branch()]).toEqual(['c0ffee', 'main']);
  const local = checkoutOf({}, {}, folder);
  expect([local.version(), local.branch()]).toEqual([git('rev-parse', 'HEAD'), 'main']);
});

test('a build is known by its address, and nothing else has one', () => {
  expect(checkoutOf({}, push).buildUrl).toBe('https://forge.example.com/one/api/actions/runs/7');
  expect(checkoutOf({}, { ...push, GITHUB_ACTIONS: '' })).not.toHaveProperty('buildUrl');
});

test('a pull request is of its head, and a tag is of no branch', () => {
  const { folder } = repository();
  const pull = { ...push, GITHUB_HEAD_REF: 'feat/y', GITHUB_REF_NAME: '3/merge' };
  expect(checkoutOf({}, pull, folder).branch()).toBe('feat/y');
  const tag = { ...push, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' };
  expect(checkoutOf({}, tag, folder).branch()).toBe('main');
});

test('files that no commit holds have no version, whether changed or new', () => {
  for (const file of ['file', 'another']) {
    const { folder } = repository(`with-${file}`);
    writeFileSync(path.join(folder, file), 'two');
    expect(() => checkoutOf({}, {}, folder).version()).toThrow(
      'the version is not known: files differ from the commit that is checked out; commit them, or set GIT_COMMIT',
    );
    expect(checkoutOf({}, {}, folder).branch()).toBe('main');
  }
});

test('a commit without a branch has no branch, and a folder without git nothing', () => {
  const { folder, git } = repository();
  git('checkout', '--quiet', '--detach');
  expect(() => checkoutOf({}, {}, folder).branch()).toThrow(
    'the branch is not known: none is checked out here, set GIT_BRANCH',
  );
  const nowhere = path.join(folder, 'not-there');
  expect(() => checkoutOf({}, {}, nowhere).version()).toThrow(
    'the version is not known: there is no commit here, set GIT_COMMIT',
  );
});
