import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Job } from './document.ts';
import { type Contexts, isMet } from './expression.ts';
import { type Outcome, runJob } from './runner.ts';
import { expect, type Stage, test, workflow } from './stage.ts';

const { version, image, index, package: npm } = workflow('release.yml').jobs;
const root = fileURLToPath(new URL('../..', import.meta.url));
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
const tag = `v${manifestOf(root).version}`;
const token = ['a', 'planted', 'token'].join('-');

/**
 * Replacements for programs that would contact a registry. Each one records its arguments and its tokens.
 * Only `npm pkg` runs the real npm.
 */
const programs = {
  docker: 'echo "docker $*" >> "$CALLS"; if [ "$1" = login ]; then cat >> "$CALLS"; fi',
  npx: 'echo "npx $*" in $(ls | wc -l) files >> "$CALLS"; exit "$NPX_EXIT"',
  npm: `
if [ "$1" = pkg ]; then PATH="\${PATH#*:}" exec npm "$@"; fi
echo "npm $*" >> "$CALLS"
if [ "$1" = pack ]; then touch "$RUNNER_TEMP/made-1.tgz"; else echo "token $NODE_AUTH_TOKEN" >> "$CALLS"; fi`,
};

/** Runs a job of the release for one entry of its matrix. @returns its outcome, and one line for each program call */
async function released(
  stage: Stage,
  job: Job | undefined,
  { matrix = {}, env = {} }: Partial<Record<'matrix' | 'env', Record<string, string>>> = {},
): Promise<Outcome & { calls: string[] }> {
  const bin = stage.env.PATH?.split(path.delimiter)[0] ?? '';
  for (const [name, script] of Object.entries(programs))
    writeFileSync(path.join(bin, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  copyFileSync(path.join(root, 'package.json'), path.join(stage.workspace, 'package.json'));
  const calls = path.join(stage.temporary, 'calls');
  writeFileSync(calls, '');
  const contexts: Contexts = {
    github: { values: { token }, known: ['token'] },
    matrix: { values: matrix, known: Object.keys(matrix) },
    vars: { values: { NPM_PACKAGE: '@owner/contract' } },
    secrets: { values: { NPM_TOKEN: token } },
  };
  const given = {
    CALLS: calls,
    NPX_EXIT: '0',
    PATH: [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    GITHUB_ACTOR: 'someone',
    GITHUB_REPOSITORY: 'Owner/Suite',
    GITHUB_REF_NAME: tag,
    GITHUB_SHA: 'c0ffee',
    RUNNER_ARCH: 'ARM64',
  };
  const outcome = await runJob(job ?? {}, contexts, {
    ...stage,
    env: { ...stage.env, ...given, ...env },
    actions: { ...stage.actions, 'actions/checkout': () => {} },
  });
  expect(outcome.stdout + outcome.stderr).not.toContain(token);
  return { ...outcome, calls: readFileSync(calls, 'utf8').trim().split('\n') };
}

test('a tag that is not the version of package.json publishes nothing', async ({ stage }) => {
  const of = (env: Record<string, string>) => released(stage, version, { env });
  expect(await of({})).toMatchObject({ standing: 'success', stdout: '' });
  expect(await of({ GITHUB_REF_NAME: 'v9.9.9' })).toMatchObject({
    standing: 'failure',
    stdout: `::error title=The tag is not the version::The tag is v9.9.9, package.json has ${tag}\n`,
  });
  for (const job of [image, npm]) expect(job).toMatchObject({ needs: 'version' });
  expect(index).toMatchObject({ needs: 'image' });
});

for (const target of ['monitor', 'gate'])
  test(`the image ${target} is published with provenance and an SBOM, by a token that no argument shows`, async ({
    stage,
  }) => {
    const { standing, calls } = await released(stage, image, { matrix: { target } });
    expect(standing).toBe('success');
    const name = `ghcr.io/owner/suite/${target}:${tag.slice(1)}`;
    const login = ['docker login ghcr.io --username someone --password-stdin', token];
    expect(calls).toEqual([
      'docker buildx create --use',
      ...login,
      `docker buildx build --target ${target} --provenance mode=max --sbom true --push --label org.opencontainers.image.source=https://forge.example/Owner/Suite --label org.opencontainers.image.revision=c0ffee --tag ${name}-arm64 .`,
    ]);
    const merged = await released(stage, index, { matrix: { target } });
    expect(merged.calls).toEqual([
      ...login,
      `docker buildx imagetools create --tag ${name} ${name}-x64 ${name}-arm64`,
    ]);
  });

test('each image of the release is a stage of the Dockerfile', () => {
  const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
  for (const job of [image, index])
    for (const target of Object(job).strategy.matrix.target)
      expect(dockerfile).toMatch(new RegExp(`^FROM node:\\S+ AS ${target}$`, 'm'));
});

test('the package that ran the gate is published with provenance, under the name of the variable', async ({
  stage,
}) => {
  const { standing, stderr, calls } = await released(stage, npm);
  expect([standing, stderr]).toEqual(['success', '']);
  const tarball = path.join(stage.temporary, 'made-1.tgz');
  expect(calls).toEqual([
    `npm pack --pack-destination ${stage.temporary}`,
    `npx --yes --package=${tarball} public-api-contract gate in 0 files`,
    `npm publish ${tarball} --provenance --access public`,
    `token ${token}`,
  ]);
  const { name, private: hidden, repository, bin } = manifestOf(stage.workspace);
  expect({ name, hidden, repository }).toEqual({
    name: '@owner/contract',
    hidden: undefined,
    repository: { url: 'git+https://forge.example/Owner/Suite.git' },
  });
  expect(Object.keys(bin)).toContain('public-api-contract');
});

test('a package whose gate fails is not published', async ({ stage }) => {
  const { standing, exit, calls } = await released(stage, npm, { env: { NPX_EXIT: '2' } });
  expect({ standing, exit }).toEqual({ standing: 'failure', exit: 2 });
  expect(calls.filter((call) => call.startsWith('npm publish'))).toEqual([]);
});

test('no package is published without its name', () => {
  const named = (values: Record<string, string>) =>
    isMet(npm?.if ?? '', { vars: { values } }, 'success');
  expect([named({}), named({ NPM_PACKAGE: '@owner/contract' })]).toEqual([false, true]);
});
