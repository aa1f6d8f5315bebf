import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { settings } from '../../config/table.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';
import { account } from '../monitor/provider.ts';
import { fromRoot, nodeOn, type Ran, typedInShell } from '../process.ts';
import { expect, test } from '../test.ts';

const page = readFileSync(fromRoot('gate/README.md'), 'utf8');

const gitlab = readFileSync(fromRoot('ops/gitlab/contract.gitlab-ci.yml'), 'utf8');
const [, jenkins = ''] = /```groovy\n(.*?)\n```\n/s.exec(page) ?? [];
const { contract } = parse(gitlab);
const steps = [...jenkins.matchAll(/\bsh '([^']+)'/g)].map(([, line = '']) => line);

/** Each recipe, and its pattern for files of test results. */
const recipes: readonly (readonly [name: string, text: string, junit: string])[] = [
  ['GitLab', gitlab, contract.artifacts.reports.junit],
  ['Jenkins', jenkins, /testResults: '([^']+)'/.exec(jenkins)?.[1] ?? ''],
];

/** A folder with the pact of a consumer, and an `npx` that runs this checkout as if it were installed. */
function workspace(): { folder: string; bin: string } {
  const folder = test.info().outputPath('work');
  const bin = test.info().outputPath('bin');
  mkdirSync(path.join(folder, 'pacts'), { recursive: true });
  mkdirSync(bin);
  const pact = readFileSync(fromRoot('pacts/public-api-monitor-public-api.json'), 'utf8');
  writeFileSync(path.join(folder, 'pacts/monitor.json'), pact);
  const programs = {
    'public-api-contract': `exec ${nodeOn(fromRoot('tools/setup/command.js'))} "$@"`,
    npx: `
if [ "$1 $2" != "--yes --package=the-suite@1.2.3" ]; then echo "npx $*" >&2; exit 99; fi
shift 2
if [ "$1" = --call ]; then exec sh -c "$2"; fi
exec "$@"`,
  };
  for (const [name, script] of Object.entries(programs))
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { folder, bin };
}

async function typedOnGitLab({ baseUrl, clockUrl }: Sandbox) {
  const { folder, bin } = workspace();
  // GitLab stops at the first line that fails, and uses its exit code.
  const ran: Ran = await typedInShell(folder, contract.script.join(' && '), {
    PATH: [bin, process.env.PATH].join(path.delimiter),
    CONTRACT_SUITE: 'the-suite@1.2.3',
    PUBLIC_API_BASE_URL: baseUrl.href,
    PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets',
    PUBLIC_API_CLOCK_URL: clockUrl.href,
    PUBLIC_API_KEY: account.apiKey,
    PUBLIC_API_SECRET_KEY: account.secretKey,
  });
  return { ran, folder };
}

/** The files of test results that a CI server finds, each with whether it holds a failure. */
const resultsOf = (folder: string, pattern: string): [name: string, fails: boolean][] =>
  globSync(pattern, { cwd: folder })
    .sort()
    .map((name) => {
      const xml = readFileSync(path.join(folder, name), 'utf8');
      expect(xml).toContain('<testsuite ');
      return [name, xml.includes('<failure')];
    });

for (const [name, text] of recipes)
  test(`the recipe for ${name} names settings that exist, in a few lines`, () => {
    expect(text.replace(/^#.*\n/gm, '').split('\n').length).toBeLessThanOrEqual(13);
    const known = new Set(settings.map((setting) => setting.name));
    const named = [...text.matchAll(/\b(PUBLIC_API|PACT)_\w+/g)].map(([name]) => name);
    expect(named).toContain('PUBLIC_API_BASE_URL');
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

test('the lines for GitLab run the gate and verify the pacts, and both find the test results', async () => {
  await using sandbox = await startSandbox({ account });
  const { ran, folder } = await typedOnGitLab(sandbox);
  expect(ran).toMatchObject({ exit: 0, stderr: '' });
  expect(ran.stdout).toContain('✓ Contract holds');
  expect(ran.stdout).toMatch(/ 9 verified/);
  for (const [name, , junit] of recipes)
    expect(resultsOf(folder, junit), name).toEqual([
      ['reports/gate.xml', false],
      ['reports/pacts.xml', false],
    ]);
});

test('the lines for Jenkins run the same two commands, and end with the code of the gate', async () => {
  const bin = test.info().outputPath('bin');
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, 'npx'),
    '#!/bin/sh\necho "$*"; case "$*" in *gate) exit 1;; esac\n',
    {
      mode: 0o755,
    },
  );
  const ran = await typedInShell(bin, steps.join(' && '), {
    PATH: [bin, process.env.PATH].join(path.delimiter),
    CONTRACT_SUITE: 'the-suite@1.2.3',
  });
  const npx = '--yes --package=the-suite@1.2.3 public-api-contract';
  expect(ran).toEqual({ exit: 1, stdout: `${npx} gate\n${npx} pact-verify\n`, stderr: '' });
});

for (const [gate, pacts, exit] of [
  [0, 0, 0],
  [1, 2, 1],
  [2, 1, 1],
  [0, 2, 2],
  [2, 0, 2],
  [3, 2, 3],
] as const)
  test(`GitLab ends with ${exit} after ${gate} of the gate and ${pacts} of pact-verify`, async () => {
    const bin = test.info().outputPath('bin');
    mkdirSync(path.join(bin, 'pacts'), { recursive: true });
    const npx = `case "$*" in *gate) exit ${gate};; *pact-verify) exit ${pacts};; esac; exit 99`;
    writeFileSync(path.join(bin, 'npx'), `#!/bin/sh\n${npx}\n`, { mode: 0o755 });
    const ran = await typedInShell(bin, contract.script.join(' && '), {
      PATH: [bin, process.env.PATH].join(path.delimiter),
    });
    expect(ran).toMatchObject({ exit, stderr: '' });
  });

test('GitLab keeps the reports of a failed job, and runs a job once more whose provider was not judged', () => {
  expect(contract).toMatchObject({
    artifacts: { when: 'always', paths: ['reports'] },
    retry: { max: 1, exit_codes: 2 },
  });
});

test('Jenkins reads the test results of a failed build', () => {
  expect(jenkins).toContain('post { always { junit ');
});
