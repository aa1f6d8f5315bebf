import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { right } from '../../sandbox/behaviour.ts';
import type { Sandbox } from '../../sandbox/provider.ts';
import { faulty } from '../faults/index.ts';
import { account } from '../planted.ts';
import { type Environment, ours } from '../process.ts';
import { foundIn } from './leaks.ts';
import { expect, naming, type Reporting, type Run, startReporting, test } from './process.ts';

/** The results of a run of the action's program, as GitHub reads them. */
interface ActionRun extends Run {
  readonly outputs: Readonly<Record<string, string>>;
  readonly annotations: readonly string[];
  readonly summary: string;
}

const credentials = { PUBLIC_API_KEY: account.apiKey, PUBLIC_API_SECRET_KEY: account.secretKey };
const endpoints = { PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets' };
const nowhere = { ...credentials, ...endpoints, PUBLIC_API_BASE_URL: 'http://127.0.0.1:1' };

/** Starts the program of the action in a workspace of its own, like action.yml. */
function start(folder: string, env: Environment): Reporting {
  mkdirSync(path.join(folder, 'workspace'));
  const onGitHub = {
    RUNNER_TEMP: folder,
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: path.join(folder, 'output'),
    GITHUB_STEP_SUMMARY: path.join(folder, 'summary'),
  };
  const program = startReporting(path.join(folder, 'workspace'), [ours('gate/github/action.ts')], {
    ...onGitHub,
    ...env,
  });
  return { ...program, ended: program.ended.then((run) => ({ ...run, folder })) };
}

async function runAction(folder: string, env: Environment): Promise<ActionRun> {
  const run = await start(folder, env).ended;
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const lines = `${run.stdout}\n${run.stderr}`.split('\n');
  // A later step may commit the workspace, so nothing is written there.
  expect(readdirSync(path.join(folder, 'workspace'))).toEqual([]);
  return {
    ...run,
    outputs: Object.fromEntries(read('output').trimEnd().split('\n').map(pairOf)),
    annotations: lines.filter((line) => line.startsWith('::')),
    summary: existsSync(path.join(folder, 'summary')) ? read('summary') : '',
  };
}

function pairOf(line: string): readonly [string, string] {
  const [name = '', ...value] = line.split('=');
  return [name, value.join('=')];
}

/** The folders in which the action has run the gate. */
const gateFolders = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('contract-gate-'));

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
  expect(run.summary).toMatch(/^```text\n {2}✓ TOKEN-1 /);
  expect(readdirSync(run.outputs.report ?? '').sort()).toEqual(
    ['gate.html', 'gate.json', 'gate.xml', 'playwright', 'playwright-html', 'summary.md'].sort(),
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
  expect(run.summary).toContain('\n✗ Contract violated · ');
  expect(foundIn(run, sandbox.state.tokens.keys())).toEqual([]);
});

test('the verdict and the reports are there although the step summary cannot be written', async ({
  folder,
  serve,
}) => {
  const run = await runAction(folder, {
    ...naming(await serve(faulty('token-in-query-token'))),
    CLAUSES: 'a-token-in-query-cookie-header-or-body-is-refused',
    GITHUB_STEP_SUMMARY: path.join(folder, 'missing', 'summary.md'),
  });
  const report = expect.stringMatching(/reports$/);
  expect(run).toMatchObject({
    exit: 1,
    outputs: { verdict: 'violated', violated: 'BEARER-2', report },
  });
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
  const run = await runAction(folder, { ...credentials, QUICK: 'true', PUBLIC_API_TARGETS: file });
  expect(run).toMatchObject({ exit: 0, outputs: { verdict: 'partly', violated: '' } });
});

test('strict fails on unverified clauses', async ({ folder, serve }) => {
  const { PUBLIC_API_CLOCK_URL: _, ...env } = naming(await serve({ account }));
  const strict = { ...env, CLAUSES: 'TOKEN-4\nEXPIRY-2', PUBLIC_API_STRICT: 'true' };
  const run = await runAction(folder, strict);
  expect(run).toMatchObject({ exit: 2, outputs: { verdict: 'unjudged', violated: '' } });
  expect(run.annotations).toEqual([
    expect.stringMatching(/^::error title=Not every clause is verified::/),
    expect.stringMatching(/^::notice title=(EXPIRY-\d%2C )+EXPIRY-\d unverified::/),
  ]);
});

test('a provider that is down is unjudged, in one annotation', async ({ folder }) => {
  const run = await runAction(folder, nowhere);
  expect(run).toMatchObject({ exit: 2, stderr: '' });
  expect(run.outputs).toMatchObject({ verdict: 'unjudged', violated: '' });
  expect(run.annotations).toEqual([
    expect.stringMatching(
      /^::error title=The provider could not be judged::.* no connection \(ECONNREFUSED\)$/,
    ),
  ]);
  expect(run.summary).toMatch(/^```text\n.* could not be judged: .*ECONNREFUSED/s);
});

const wrong: readonly (readonly [what: string, env: Environment, line: RegExp])[] = [
  [
    'no address',
    { PUBLIC_API_BASE_URL: ' ' },
    /^base-url is missing: it is the address of the provider, unless targets names a file$/,
  ],
  [
    'an address with a password',
    { PUBLIC_API_BASE_URL: `http://me:${account.apiKey}@x` },
    /^base-url /,
  ],
  ['no endpoints', { PUBLIC_API_ENDPOINTS: '' }, /^endpoints is missing: base-url needs it$/],
  [
    'a clock that is no address',
    { PUBLIC_API_CLOCK_URL: 'noon' },
    /^clock-url has no scheme: .*"noon"; acc/,
  ],
  ['an option among the clauses', { CLAUSES: '--list' }, /^"--list" is not an area /],
  ['a workflow command', { PUBLIC_API_STRICT: 'x\n::set-output name=a::b' }, /^strict is "x/],
  [
    'a missing secret',
    { PUBLIC_API_SECRET_KEY: '' },
    /^PUBLIC_API_SECRET_KEY is empty; .* set by env: of the step, and pull requests from forks/,
  ],
];

for (const [what, env, line] of wrong)
  test(`${what} is refused before any request, in one annotation that names the input`, async ({
    folder,
  }) => {
    const run = await runAction(folder, { ...nowhere, ...env });
    expect(run).toExitWith(2);
    expect(run.outputs).toEqual({ verdict: 'unjudged', report: '', violated: '' });
    expect(run.annotations).toHaveLength(1);
    const [, text] = run.annotations[0]?.split('title=The provider could not be judged::') ?? [];
    expect(text).toMatch(line);
    expect(run.summary).toMatch(/^```text\nThe provider could not be judged\n/);
    expect(gateFolders(folder)).toEqual([]);
    expect(foundIn(run, [])).toEqual([]);
  });

test('a broken suite is a defect, and never passes', async ({ folder }) => {
  const cannotLoad = 'data:text/javascript,if(/gate.main/.test(process.argv[1]))throw(1)';
  const run = await runAction(folder, { ...nowhere, NODE_OPTIONS: `--import=${cannotLoad}` });
  expect(run).toMatchObject({ exit: 3, outputs: { verdict: 'defect', violated: '' } });
  expect(run.annotations).toEqual([
    '::error title=This suite has a defect::the gate has failed, as its log says',
  ]);
  expect(gateFolders(folder)).toEqual([]);
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
  const { child, ended } = start(folder, naming(sandbox));
  await held.promise;
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exit: 130 });
  expect(isReal()).toBe(true);
  expect(readFileSync(path.join(folder, 'output'), 'utf8')).toMatch(/^verdict=unjudged\n/);
});

test('the action passes its inputs to the gate, and verifies pacts of a broker only', () => {
  const { runs } = parse(readFileSync(ours('action.yml'), 'utf8'));
  const expression = (text: string): string => `$\{{ ${text} }}`;
  const input = (name: string): string => expression(`inputs.${name}`);
  const settings = {
    PUBLIC_API_BASE_URL: input('base-url'),
    PUBLIC_API_ENDPOINTS: input('endpoints'),
    PUBLIC_API_CLOCK_URL: input('clock-url'),
    PUBLIC_API_STRICT: input('strict'),
    PUBLIC_API_TARGET: input('target'),
  };
  const file = "inputs.targets && format('{0}/{1}', github.workspace, inputs.targets)";
  const running = (program: string) =>
    runs.steps.find(({ run = '' }) => run.includes(`$GITHUB_ACTION_PATH/${program}`));
  const gate = running('gate/github/action.ts');
  const pacts = running('pacts/verify/main.ts');
  expect(gate.env).toEqual({
    ...settings,
    PUBLIC_API_TARGETS: input('targets'),
    PUBLIC_API_KNOWN: input('known'),
    CLAUSES: input('clauses'),
    QUICK: input('quick'),
  });
  expect(pacts.env).toEqual({
    ...settings,
    PUBLIC_API_TARGETS: expression(file),
    REPORT: expression('steps.gate.outputs.report'),
  });
  const env = { PATH: process.env.PATH, PACT_BROKER_BASE_URL: ' ', GITHUB_ACTION_PATH: ours('.') };
  const { status, stdout } = spawnSync('bash', ['-c', pacts.run], { env, encoding: 'utf8' });
  expect([status, stdout]).toEqual([
    2,
    '::error title=verify-pacts::PACT_BROKER_BASE_URL is empty: set it in env: of the step\n',
  ]);
});
