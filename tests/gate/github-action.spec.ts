import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { right } from '../../sandbox/behaviour.ts';
import type { Sandbox } from '../../sandbox/provider.ts';
import { faulty } from '../faults/index.ts';
import { account } from '../planted.ts';
import { type Environment, fromRoot, startProgram } from '../process.ts';
import { foundIn } from './leaks.ts';
import { expect, naming, type Reporting, type Run, test } from './process.ts';

/** The results of a run of the action's program, as GitHub reads them. */
interface ActionRun extends Run {
  readonly outputs: NodeJS.Dict<string>;
  readonly annotations: readonly string[];
  readonly summary: string;
}

const credentials = { PUBLIC_API_KEY: account.apiKey, PUBLIC_API_SECRET_KEY: account.secretKey };
const endpoints = { PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets' };
const nowhere = { ...credentials, ...endpoints, PUBLIC_API_BASE_URL: 'http://127.0.0.1:1' };

const { runs } = parse(readFileSync(fromRoot('action.yml'), 'utf8'));

/** The step of the action that runs a program. */
const running = (program: string) =>
  runs.steps.find(({ run = '' }) => run.includes(`$GITHUB_ACTION_PATH/${program}`));

/** Starts the step of the action in a workspace of its own. */
function start(folder: string, env: Environment): Reporting {
  const workspace = path.join(folder, 'workspace');
  mkdirSync(workspace);
  const onGitHub = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    RUNNER_TEMP: folder,
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: fromRoot('.'),
    GITHUB_OUTPUT: path.join(folder, 'output'),
    GITHUB_STEP_SUMMARY: path.join(folder, 'summary'),
  };
  const args = ['--noprofile', '--norc', '-e', '-c', running('gate/main.ts').run];
  const { child, ended } = startProgram(workspace, 'bash', args, { ...onGitHub, ...env });
  return { child, ended: ended.then((run) => ({ ...run, folder })) };
}

async function runAction(folder: string, env: Environment): Promise<ActionRun> {
  const run = await start(folder, env).ended;
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const lines = `${run.stdout}\n${run.stderr}`.split('\n');
  // A later step may commit the workspace, so nothing is written there.
  expect(readdirSync(path.join(folder, 'workspace'))).toEqual([]);
  return {
    ...run,
    outputs: existsSync(path.join(folder, 'output')) ? parseEnv(read('output')) : {},
    annotations: lines.filter((line) => line.startsWith('::')),
    summary: existsSync(path.join(folder, 'summary')) ? read('summary') : '',
  };
}

test('a provider that keeps the selected clauses passes, with its evidence', async ({
  folder,
  serve,
}) => {
  const sandbox = await serve({ account });
  const env = { ...naming(sandbox), CLAUSES: 'TOKEN, bearer-4', PUBLIC_API_STRICT: 'true' };
  const run = await runAction(folder, env);
  expect(run).toMatchObject({ exit: 0, stderr: '', annotations: [] });
  expect(run.outputs).toMatchObject({ verdict: 'holds', violated: '' });
  expect(run.stdout).toMatch(/ as far as selected · \d+ held · /);
  expect(run.summary).toMatch(/^\n+ {6}✓ TOKEN-1 /);
  expect(readdirSync(run.outputs.report ?? '').sort()).toEqual(
    ['gate.html', 'gate.json', 'gate.xml', 'playwright', 'playwright-html'].sort(),
  );
  expect(foundIn(run, sandbox.state.tokens.keys())).toEqual([]);
});

test('a violated clause fails the step, and is named in the outputs, in an annotation and in the summary', async ({
  folder,
  serve,
}) => {
  const sandbox = await serve({ account, behaviour: faulty('leeway-of-a-second') });
  const run = await runAction(folder, { ...naming(sandbox), CLAUSES: 'EXPIRY-2 EXPIRY-4' });
  expect(run).toMatchObject({ exit: 1, stderr: '' });
  expect(run.outputs).toMatchObject({ verdict: 'violated', violated: 'EXPIRY-2 EXPIRY-4' });
  expect(run.annotations.map((line) => line.slice(0, 24))).toEqual([
    '::error title=EXPIRY-2::',
    '::error title=EXPIRY-4::',
  ]);
  expect(run.summary).toContain('\n    ✗ Contract violated · ');
  expect(foundIn(run, sandbox.state.tokens.keys())).toEqual([]);
});

test('the quick level judges a target of a file, and its verdict says what is unverified', async ({
  folder,
  serve,
}) => {
  const { baseUrl } = await serve({ account });
  const file = path.join(folder, 'targets.yaml');
  const keys = '{ apiKeyEnv: PUBLIC_API_KEY, secretKeyEnv: PUBLIC_API_SECRET_KEY }';
  const endpoint = 'endpoints: [GET /public-api/v1/widgets]';
  writeFileSync(
    file,
    `targets: [{ name: one, url: ${baseUrl.href}, credentials: ${keys}, ${endpoint} }]`,
  );
  const run = await runAction(folder, {
    ...credentials,
    LEVEL: '--quick',
    PUBLIC_API_TARGETS: file,
  });
  expect(run).toMatchObject({ exit: 0, outputs: { verdict: 'partly', violated: '' } });
});

test('a provider that is down is unjudged, in one annotation', async ({ folder }) => {
  const run = await runAction(folder, nowhere);
  expect(run).toMatchObject({ exit: 2, stderr: '' });
  expect(run.outputs).toMatchObject({ verdict: 'unjudged', violated: '' });
  expect(run.annotations).toEqual([
    expect.stringMatching(/^::error title=No complete verdict::.* no connection \(ECONNREFUSED\)$/),
  ]);
  expect(run.summary).toMatch(/^\n+ {4}.* could not be judged: .*ECONNREFUSED/s);
});

for (const [what, env, line] of [
  ['no address', { PUBLIC_API_BASE_URL: ' ' }, /^base-url is missing::It is the address/],
  ['no endpoints', { PUBLIC_API_ENDPOINTS: '' }, /::PUBLIC_API_ENDPOINTS is empty/],
  ['an option among the clauses', { CLAUSES: '--list' }, /::"--list" is not an area /],
  [
    'a workflow command',
    { PUBLIC_API_STRICT: 'x\n::a' },
    /::PUBLIC_API_STRICT is not true or false$/,
  ],
  ['a missing secret', { PUBLIC_API_SECRET_KEY: '' }, /::PUBLIC_API_SECRET_KEY is empty$/],
] as const)
  test(`${what} is refused before any request, in one annotation`, async ({ folder }) => {
    const run = await runAction(folder, { ...nowhere, ...env });
    expect(run).toExitWith(2);
    expect(run).toMatchObject({ outputs: {}, summary: '' });
    expect(run.annotations).toHaveLength(1);
    expect(run.annotations[0]?.replace('::error title=', '')).toMatch(line);
    expect(foundIn(run, [])).toEqual([]);
  });

test('a broken suite never passes', async ({ folder }) => {
  const cannotLoad = 'data:text/javascript,if(/gate.main/.test(process.argv[1]))throw(1)';
  const run = await runAction(folder, { ...nowhere, NODE_OPTIONS: `--import=${cannotLoad}` });
  expect(run.outputs).toEqual({});
  expect(run.exit).toBeGreaterThan(0);
});

test('a cancelled job releases the clock of the provider', async ({ folder, serve }) => {
  const held = Promise.withResolvers<void>();
  const isReal = (): boolean => Math.abs(sandbox.clock.now() - Date.now()) < 5_000;
  const arrived = (): number => {
    if (isReal()) return 0;
    held.resolve();
    return 20_000;
  };
  const sandbox: Sandbox = await serve({ account, behaviour: { ...right, arrived } });
  const { child, ended } = start(folder, { ...naming(sandbox), CLAUSES: 'EXPIRY-2' });
  await held.promise;
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exit: 130 });
  expect(isReal()).toBe(true);
});

test('the action uses each input, and verifies pacts of a broker only', () => {
  const text = readFileSync(fromRoot('action.yml'), 'utf8');
  const { inputs } = parse(text);
  const used = new Set([...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual(Object.keys(inputs).sort());
  const pacts = running('pacts/verify/main.ts');
  const env = {
    PATH: process.env.PATH,
    PACT_BROKER_BASE_URL: ' ',
    GITHUB_ACTION_PATH: fromRoot('.'),
  };
  expect(spawnSync('bash', ['-c', pacts.run], { env, encoding: 'utf8' })).toMatchObject({
    status: 2,
    stdout:
      '::error title=verify-pacts::PACT_BROKER_BASE_URL is empty: set it in env: of the step\n',
  });
});
