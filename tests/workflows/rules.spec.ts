import { expect, test } from '@playwright/test';
import { type Rule, tree } from '../house/tree.ts';
import * as rules from './rules.ts';

const files = tree.filter(
  ({ path }) => /(^|\/)\.github\/workflows\/.+\.ya?ml$/.test(path) || path === 'action.yml',
);

test('the rules read the workflows and the action', () => {
  const paths = files.map(({ path }) => path);
  for (const name of ['check', 'gate', 'synthetic'])
    expect(paths).toContain(`.github/workflows/${name}.yml`);
  expect(paths).toContain('action.yml');
});

for (const [what, rule] of [
  ['actions of others are pinned by their commit', rules.actionsArePinned],
  ['workflows permit nothing at the top', rules.nothingIsPermittedAtTheTop],
  ['jobs list what they may', rules.jobsSayWhatTheyMay],
  ['jobs end by themselves', rules.jobsEnd],
  ['workflows say which of their runs may not meet', rules.runsDoNotMeet],
  ['callers of a workflow all get their turn', rules.callersGetTheirTurn],
  ['no expression is in a script', rules.noExpressionIsInAScript],
  ['scripts are short', rules.scriptsAreShort],
  ["strangers' code gets no secrets", rules.foreignCodeGetsNoSecrets],
  ['checkouts keep no token', rules.checkoutsKeepNoToken],
  ['secrets go to the step that needs them', rules.secretsGoToOneStep],
  ['the action tells what its inputs and outputs are', rules.theActionIsDescribedAndComposite],
] as const)
  test(what, () => {
    expect(rule(files)).toEqual([]);
  });

/** The complaints of a rule about a made-up workflow. */
const of = (rule: Rule, ...lines: readonly string[]): string[] =>
  rule([{ path: '.github/workflows/x.yml', text: `${lines.join('\n')}\n` }]);

/** The complaints of a rule about a workflow whose only job has these lines. */
const ofJob = (rule: Rule, ...lines: readonly string[]): string[] =>
  of(rule, 'on: push', 'jobs:', '  a:', ...lines.map((line) => `    ${line}`));

/** The complaints of a rule about a workflow whose only step has these lines. */
const ofStep = (rule: Rule, ...lines: readonly string[]): string[] =>
  ofJob(rule, 'steps:', ...lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`)));

const commit = '0123456789'.repeat(4);
const expression = (text: string): string => `$\{{ ${text} }}`;

test('an unpinned action is found, and so is a pinned action without its version', () => {
  const rule = rules.actionsArePinned;
  expect(ofStep(rule, `uses: a/b@${commit} # v1.2.3`)).toEqual([]);
  expect(ofStep(rule, 'uses: ./')).toEqual([]);
  for (const moving of [
    'v1',
    'main',
    commit.slice(1),
    `${commit} # v1`,
    `${commit.slice(1)} # v1.2.3`,
  ])
    expect(ofStep(rule, `uses: a/b@${moving}`)).toHaveLength(1);
  expect(ofStep(rule, `uses: a/b@${commit}`)).toEqual([
    `.github/workflows/x.yml: a/b@${commit} can move: pin it by its commit, with the version as a comment`,
  ]);
  expect(ofStep(rule, 'uses: docker://alpine:3')).toHaveLength(1);
  expect(ofJob(rule, 'uses: a/b/.github/workflows/c.yml@main')).toHaveLength(1);
});

test('permissions at the top are found, and so is a job without permissions', () => {
  const top = (line: string) => of(rules.nothingIsPermittedAtTheTop, line, 'jobs: {}');
  expect(top('permissions: {}')).toEqual([]);
  for (const line of ['on: push', 'permissions: read-all', 'permissions: { contents: read }'])
    expect(top(line)).toHaveLength(1);
  expect(ofJob(rules.jobsSayWhatTheyMay, 'permissions: { contents: read }')).toEqual([]);
  expect(ofJob(rules.jobsSayWhatTheyMay, 'permissions: {}')).toEqual([]);
  expect(ofJob(rules.jobsSayWhatTheyMay, 'permissions: write-all')).toHaveLength(1);
  expect(ofJob(rules.jobsSayWhatTheyMay, 'steps: []')).toHaveLength(1);
});

test('a job without a timeout is found, and so is a workflow without a concurrency group', () => {
  expect(ofJob(rules.jobsEnd, 'timeout-minutes: 5')).toEqual([]);
  expect(ofJob(rules.jobsEnd, 'uses: ./.github/workflows/gate.yml')).toEqual([]);
  expect(ofJob(rules.jobsEnd, 'steps: []')).toHaveLength(1);
  expect(of(rules.runsDoNotMeet, 'concurrency: x', 'jobs: {}')).toEqual([]);
  expect(of(rules.runsDoNotMeet, 'jobs: {}')).toHaveLength(1);
});

test('a call that another one would cancel while it waits is found', () => {
  const called = (...lines: readonly string[]): string[] =>
    of(rules.callersGetTheirTurn, 'on: workflow_call', ...lines, 'jobs: {}');
  expect(called('concurrency: x')).toHaveLength(1);
  expect(called('concurrency: { group: x, cancel-in-progress: false }')).toHaveLength(1);
  expect(called('concurrency: { group: x, queue: max }')).toEqual([]);
  expect(called()).toEqual([]);
  expect(of(rules.callersGetTheirTurn, 'on: push', 'concurrency: x', 'jobs: {}')).toEqual([]);
});

test('an expression in a script is found, whatever it names, and so is a long script', () => {
  for (const name of ['inputs.clauses', 'github.event.issue.title', 'secrets.KEY', 'github.sha'])
    expect(ofStep(rules.noExpressionIsInAScript, `run: echo ${expression(name)}`)).toHaveLength(1);
  const passed = ['env:', `  X: ${expression('inputs.x')}`, 'run: echo "$X"'];
  expect(ofStep(rules.noExpressionIsInAScript, ...passed)).toEqual([]);
  const script = (lines: number) => ['run: |', ...Array<string>(lines).fill('  true')];
  expect(ofStep(rules.scriptsAreShort, ...script(10))).toEqual([]);
  expect(ofStep(rules.scriptsAreShort, ...script(11))).toHaveLength(1);
});

test('a trigger that runs untrusted code with secrets is found, in each spelling', () => {
  const rule = rules.foreignCodeGetsNoSecrets;
  for (const on of ['pull_request_target', '[push, workflow_run]', '{ pull_request_target: }'])
    expect(of(rule, `on: ${on}`, 'jobs: {}')).toHaveLength(1);
  for (const on of ['pull_request', '[push]', '{ pull_request: }'])
    expect(of(rule, `on: ${on}`, 'jobs: {}')).toEqual([]);
});

test('a checkout that keeps its token is found', () => {
  const uses = `uses: actions/checkout@${commit} # v7.0.1`;
  const kept = (value: string) =>
    ofStep(rules.checkoutsKeepNoToken, uses, 'with:', `  persist-credentials: ${value}`);
  expect(kept('false')).toEqual([]);
  expect(kept('true')).toHaveLength(1);
  expect(ofStep(rules.checkoutsKeepNoToken, uses)).toHaveLength(1);
});

test('a secret outside the environment of its step is found', () => {
  const rule = rules.secretsGoToOneStep;
  const secret = expression('secrets.KEY');
  expect(ofStep(rule, 'env:', `  KEY: ${secret}`)).toEqual([]);
  expect(ofJob(rule, 'uses: ./x.yml', 'secrets:', `  KEY: ${secret}`)).toEqual([]);
  expect(ofStep(rule, `run: echo ${secret}`)).toHaveLength(1);
  expect(ofStep(rule, 'uses: ./', 'with:', `  key: ${secret}`)).toHaveLength(1);
  expect(ofJob(rule, 'env:', `  KEY: ${secret}`)).toHaveLength(1);
  expect(of(rule, 'env:', `  KEY: ${secret}`, 'jobs: {}')).toHaveLength(1);
  expect(of(rule, 'env:', `  ALL: ${expression("secrets['KEY']")}`, 'jobs: {}')).toHaveLength(1);
});

test('an action with missing metadata is found, and so is one that runs elsewhere or reads secrets', () => {
  const action = (rule: Rule, ...lines: readonly string[]) =>
    rule([{ path: 'action.yml', text: lines.join('\n') }]);
  const message = rules.theActionIsDescribedAndComposite;
  const fine = ['description: x', 'runs: { using: composite, steps: [{ run: ls, shell: bash }] }'];
  expect(action(message, ...fine)).toEqual([]);
  expect(action(message, ...fine, 'inputs: { a: {} }', 'outputs: { b: { value: x } }')).toEqual([
    'action.yml: input a says nothing',
    'action.yml: output b says nothing',
  ]);
  expect(action(message, 'runs: { using: node24, steps: [{ run: ls }] }')).toHaveLength(3);
  const peeping = `runs: { steps: [{ env: { A: "${expression('secrets.A')}" } }] }`;
  expect(action(rules.secretsGoToOneStep, peeping)).toHaveLength(1);
});
