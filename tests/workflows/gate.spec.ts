import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { mustHold } from '../../contract/clauses.ts';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../../sandbox/faults/index.ts';
import type { Sandbox } from '../../sandbox/provider.ts';
import { account } from '../gate/leaks.ts';
import { triggersOf } from './document.ts';
import { type Outcome, runJob } from './runner.ts';
import {
  annotationsOf,
  contextsWith,
  expect,
  leftOf,
  type Stage,
  secrets,
  test,
  workflow,
} from './stage.ts';

const called = workflow('gate.yml');
const triggers = triggersOf(called);
const declared = triggers.workflow_call?.inputs ?? {};

/** Runs gate.yml and its action like a calling workflow with these inputs. */
function runGate(
  stage: Stage,
  inputs: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>> = secrets,
): Promise<Outcome> {
  const defaults = Object.entries(declared).map(
    ([name, input]) => [name, String(input.default ?? '')] as const,
  );
  const values = { ...Object.fromEntries(defaults), ...inputs };
  const { gate = {} } = called.jobs;
  return runJob(gate, contextsWith({ inputs: values, secrets: given, vars: {} }), stage);
}

const endpoints = 'GET /public-api/v1/widgets';

const inputsOf = ({ baseUrl, clockUrl }: Sandbox): Record<string, string> => ({
  'base-url': baseUrl.href,
  endpoints,
  'clock-url': clockUrl.href,
});

const nowhere = { 'base-url': 'http://127.0.0.1:1', endpoints };

/** The folders in which the action has run the gate. */
const folders = ({ temporary }: Stage): string[] =>
  readdirSync(temporary).filter((name) => name.startsWith('contract-gate-'));

test('a manual run has the inputs of a call by another workflow', () => {
  expect(triggers.workflow_dispatch?.inputs).toEqual(declared);
});

test('a provider that keeps the contract passes, with its evidence', async ({ stage, serve }) => {
  const sandbox = await serve();
  const green = await runGate(stage, { ...inputsOf(sandbox), strict: 'true' });
  expect(green).toMatchObject({ standing: 'success', exit: 0, stderr: '' });
  expect(green.outputs).toEqual({ verdict: 'holds', violated: '' });
  expect(green.stdout).toContain(`✓ Contract holds · ${mustHold.length} held · `);
  expect(annotationsOf(green)).toEqual([]);
  expect(green.summary).toMatch(/^## ✅ The contract holds\n/);
  expect(stage.artifacts.get('public-api-contract-1')).toEqual([
    'gate.html',
    'gate.json',
    'gate.xml',
    'playwright-html/index.html',
    'summary.md',
  ]);
  // The caller's checkout must not change: a later step may commit it, or copy it into an image.
  expect(readdirSync(stage.workspace)).toEqual(['suite']);
  expect(sandbox.state.tokens.size).toBeGreaterThan(200);
  expect(leftOf(green, stage, sandbox.state.tokens.keys())).toEqual([]);
});

test('a violated clause fails the job, and is named in the outputs, in an annotation and in the summary', async ({
  stage,
  serve,
}) => {
  const sandbox = await serve({ behaviour: faulty('leeway-of-a-second') });
  const red = await runGate(stage, { ...inputsOf(sandbox), artifact: 'evidence' });
  expect(red).toMatchObject({ standing: 'failure', exit: 1, stderr: '' });
  expect(red.outputs).toEqual({ verdict: 'violated', violated: 'EXPIRY-2 EXPIRY-4' });
  expect(annotationsOf(red).map((line) => line.slice(0, 24))).toEqual([
    '::error title=EXPIRY-2::',
    '::error title=EXPIRY-4::',
  ]);
  expect(red.summary).toMatch(/^## ❌ The contract is violated in 2 clauses\n/);
  expect([...stage.artifacts.keys()]).toEqual(['evidence-1']);
  expect(leftOf(red, stage, sandbox.state.tokens.keys())).toEqual([]);
});

test('clauses select what is judged, and strict fails on unverified clauses', async ({
  stage,
  serve,
}) => {
  const { baseUrl } = await serve();
  const provider = { 'base-url': baseUrl.href, endpoints };
  const some = await runGate(stage, { ...provider, clauses: 'TOKEN, bearer-4' });
  expect(some.outputs).toEqual({ verdict: 'holds', violated: '' });
  expect(some.stdout).toContain(' as far as selected · 5 held · ');
  const inputs = { ...provider, clauses: 'TOKEN-4\nEXPIRY-2', artifact: 'b', strict: 'true' };
  const strict = await runGate(stage, inputs);
  expect(strict).toMatchObject({ exit: 2, outputs: { verdict: 'unjudged', violated: '' } });
  expect(annotationsOf(strict)).toEqual([
    expect.stringMatching(/^::warning title=EXPIRY-2%2C EXPIRY-6 unverified::/),
  ]);
  expect(folders(stage)).toHaveLength(2);
});

test('a provider that is down is unjudged, in one annotation', async ({ stage }) => {
  const down = await runGate(stage, nowhere);
  expect(down).toMatchObject({ standing: 'failure', exit: 2, stderr: '' });
  expect(down.outputs).toEqual({ verdict: 'unjudged', violated: '' });
  expect(annotationsOf(down)).toEqual([
    expect.stringMatching(
      /^::error title=The provider could not be judged::.* no connection \(ECONNREFUSED\)$/,
    ),
  ]);
  expect(down.summary).toMatch(/^## ⚠️ The provider could not be judged\n/);
  expect(leftOf(down, stage, [])).toEqual([]);
});

test('wrong credentials are unjudged, and are never shown', async ({ stage, serve }) => {
  const sandbox = await serve({ account: { apiKey: 'another-key', secretKey: 'another-secret' } });
  const refused = await runGate(stage, inputsOf(sandbox));
  expect(refused).toMatchObject({ exit: 2, outputs: { verdict: 'unjudged' } });
  expect(annotationsOf(refused)).toHaveLength(1);
  expect(leftOf(refused, stage, [])).toEqual([]);
});

const wrong: readonly (readonly [
  what: string,
  inputs: Readonly<Record<string, string>>,
  line: string | RegExp,
])[] = [
  ['no address', { 'base-url': ' ' }, 'base-url is missing: it is the address of the provider'],
  [
    'an address of another scheme',
    { 'base-url': 'ftp://x' },
    /^base-url .*ftp:.*; accepted: an http/,
  ],
  ['an address with a password', { 'base-url': `http://me:${account.apiKey}@x` }, /^base-url /],
  ['no endpoints', { endpoints: '' }, 'endpoints is missing: base-url needs it'],
  ['an endpoint elsewhere', { endpoints: 'GET /widgets' }, /^endpoints has a path .*; accepted: /],
  ['a clock that is no address', { 'clock-url': 'noon' }, /^clock-url is "noon"; accepted: /],
  [
    'a value that is neither true nor false',
    { strict: 'maybe' },
    'strict is "maybe"; accepted: true or false',
  ],
  ['an unknown clause', { clauses: 'TOKEN EXPIRY-8' }, /^clauses: "EXPIRY-8" is not an area /],
  ['an option among the clauses', { clauses: '--list' }, /^clauses: "--list" is not an area /],
  [
    'a text that a shell would run',
    { clauses: '"; touch pwned #', endpoints: '`touch pwned`', 'clock-url': '$(touch pwned)' },
    /^endpoints .*%0Aclock-url .*%0Aclauses: /,
  ],
  ['a workflow command', { strict: 'x\n::set-output name=verdict::holds' }, /^strict is "x/],
];

for (const [what, inputs, line] of wrong)
  test(`${what} is refused before any request, in one annotation that names the input`, async ({
    stage,
  }) => {
    const refused = await runGate(stage, { ...nowhere, ...inputs });
    expect(refused).toMatchObject({ standing: 'failure', exit: 2, stderr: '' });
    expect(refused.outputs).toEqual({ verdict: 'unjudged', violated: '' });
    const [annotation = '', ...more] = annotationsOf(refused);
    expect(more).toEqual([]);
    const [, text = ''] = annotation.split('::error title=The provider could not be judged::');
    if (typeof line === 'string') expect(text).toBe(line);
    else expect(text).toMatch(line);
    expect(refused.summary).toMatch(/^## ⚠️ The provider could not be judged\n/);
    expect(stage.artifacts.size).toBe(0);
    expect(folders(stage)).toEqual([]);
    expect(existsSync(path.join(stage.workspace, 'pwned'))).toBe(false);
    expect(leftOf(refused, stage, [])).toEqual([]);
  });

const keyOnly: Record<string, string> = { PUBLIC_API_KEY: account.apiKey };
for (const given of [{}, keyOnly])
  test(`a secret that is missing beside ${Object.keys(given).length} others is named, with the place where it is set`, async ({
    stage,
  }) => {
    const refused = await runGate(stage, nowhere, given);
    expect(refused).toMatchObject({ exit: 2, outputs: { verdict: 'unjudged' } });
    const annotations = annotationsOf(refused);
    expect(annotations).toHaveLength(1);
    expect(annotations[0]).toContain('PUBLIC_API_SECRET_KEY is empty; accepted: any text');
    expect(annotations[0]).toContain('set by env: of the step, and pull requests from forks');
    expect(leftOf(refused, stage, [])).toEqual([]);
  });

test('a broken suite is a defect, and never passes', async ({ stage }) => {
  const cannotLoad = 'data:text/javascript,if(/gate.main/.test(process.argv[1]))throw(1)';
  const broken = { ...stage, env: { ...stage.env, NODE_OPTIONS: `--import=${cannotLoad}` } };
  const defective = await runGate(broken, nowhere);
  expect(defective).toMatchObject({ exit: 3, outputs: { verdict: 'defect', violated: '' } });
  expect(annotationsOf(defective)).toEqual([
    '::error title=This suite has a defect::the gate has failed, as its log says',
  ]);
  expect(folders(stage)).toEqual([]);
});

test('a cancelled job releases the clock of the provider', async ({ stage, serve }) => {
  const held = Promise.withResolvers<void>();
  const isReal = (): boolean => Math.abs(sandbox.clock.now() - Date.now()) < 5_000;
  const arrived = (): number => {
    if (isReal()) return 0;
    held.resolve();
    return 20_000;
  };
  const sandbox: Sandbox = await serve({ behaviour: { ...right, arrived } });
  let last = 0;
  const onScript = (pid: number): void => {
    last = pid;
  };
  const running = runGate({ ...stage, onScript }, inputsOf(sandbox));
  await held.promise;
  process.kill(last, 'SIGINT');
  expect(await running).toMatchObject({
    exit: 130,
    outputs: { verdict: 'unjudged', violated: '' },
  });
  expect(isReal()).toBe(true);
  expect(stage.artifacts.size).toBe(0);
});
