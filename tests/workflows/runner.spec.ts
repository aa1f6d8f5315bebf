import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Job, Step } from './document.ts';
import { type Contexts, interpolated, isMet } from './expression.ts';
import { runJob } from './runner.ts';
import { expect, type Stage, test } from './stage.ts';

/** Tests the runner of the other tests, with jobs whose outcome GitHub documents. */
const run = (stage: Stage, steps: readonly Step[], outputs: Job['outputs'] = {}) =>
  runJob({ steps, outputs }, { github: { values: { actor: 'someone' } } }, stage);

test('a failure skips later steps, except those that always run', async ({ stage }) => {
  const { standing, exit, stdout } = await run(stage, [
    { run: 'echo first' },
    { run: 'false | true\necho second' },
    { shell: 'bash', run: 'exit 3 | cat\necho unreached' },
    { run: 'echo skipped' },
    { if: 'always()', run: 'echo always; exit 4' },
    { if: 'failure()', run: 'echo failed' },
    { if: '!cancelled()', run: 'echo so far' },
  ]);
  expect({ standing, exit }).toEqual({ standing: 'failure', exit: 3 });
  expect(stdout.trim().split('\n')).toEqual(['first', 'second', 'always', 'failed', 'so far']);
});

test('outputs, summaries and environments reach their files', async ({ stage }) => {
  const { summary, outputs, stdout } = await run(
    stage,
    [
      { id: 'a', run: 'echo "x=1 = 2" >> "$GITHUB_OUTPUT"; echo one >> "$GITHUB_STEP_SUMMARY"' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: expressions of GitHub look like that.
      { env: { X: '${{ steps.a.outputs.x }}' }, run: 'echo "$X"; cat "$GITHUB_STEP_SUMMARY"' },
      { run: 'echo "X is $' + '{X-gone}"' },
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
    { y: '${{ steps.a.outputs.x }}!' },
  );
  expect({ summary, outputs }).toEqual({ summary: 'one\n', outputs: { y: '1 = 2!' } });
  expect(stdout).toBe('1 = 2\nX is gone\n');
});

test('a composite action has its inputs, the environment of its step, and outputs even if it fails', async ({
  stage,
}) => {
  const folder = path.join(stage.workspace, 'act');
  mkdirSync(folder);
  const lines = [
    'inputs: { a: { required: true }, b: { default: two } }',
    'outputs: { c: { value: "$' + '{{ steps.s.outputs.c }}" } }',
    'runs:',
    '  using: composite',
    '  steps:',
    '    - { id: s, shell: bash, env: { A: "$' + '{{ inputs.a }}$' + '{{ inputs.b }}" },',
    '        run: "echo c=$A$S >> $GITHUB_OUTPUT; test -f $GITHUB_ACTION_PATH/action.yml; exit 5" }',
  ];
  writeFileSync(path.join(folder, 'action.yml'), lines.join('\n'));
  const use = (given: Record<string, string>) =>
    run(stage, [{ id: 'u', uses: './act', with: given, env: { S: '!' } }], {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: expressions of GitHub look like that.
      c: '${{ steps.u.outputs.c }}',
    });
  expect(await use({ a: 'one' })).toMatchObject({ exit: 5, outputs: { c: 'onetwo!' } });
  await expect(use({})).rejects.toThrow('./act needs a');
  await expect(use({ a: '', d: '' })).rejects.toThrow('./act has no input d');
});

test('an unsupported feature of this runner is a mistake, not a success', async ({ stage }) => {
  const strange: Step & { 'working-directory': string } = { run: 'true', 'working-directory': 'x' };
  await expect(run(stage, [strange])).rejects.toThrow('knows no working-directory of a step');
  await expect(run(stage, [{ uses: 'a/b@c' }])).rejects.toThrow('no test knows the action a/b@c');
  await expect(run(stage, [{ shell: 'python', run: '' }])).rejects.toThrow('knows no python');
  const several = 'printf "a<<END\\n1\\nEND\\n" >> "$GITHUB_OUTPUT"';
  await expect(run(stage, [{ run: several }])).rejects.toThrow('no output like a<<END');
});

const contexts: Contexts = {
  inputs: { values: { yes: 'Yes', none: '' }, known: ['yes', 'none'] },
  steps: { values: { 's.outputs.o': "it's" }, known: ['s'] },
  secrets: { values: {} },
};

for (const [expression, value] of [
  ["inputs.yes == 'YES'", 'true'],
  ["inputs.none != ''", 'false'],
  ["steps.s.outputs.o == 'it''s' && !(inputs.none || false)", 'true'],
  ["inputs.none || 'other'", 'other'],
  ['steps.s.outputs.nothing', ''],
  ['secrets.ANY', ''],
] as const)
  test(`${expression} is "${value}"`, () => {
    expect(interpolated(`a$\{{ ${expression} }}b`, contexts)).toBe(`a${value}b`);
  });

for (const [expression, why] of [
  ['inputs.no', 'there is no inputs.no: inputs knows yes, none'],
  ['steps.t.outputs.o', 'there is no steps.t: steps knows s'],
  ['matrix.x', "Unrecognized named-value: 'matrix'"],
  ['(inputs.yes', 'Unexpected end of expression'],
  ['inputs.yes inputs.none', "Unexpected symbol: 'inputs'"],
  ['inputs.yes & 1', "Unexpected symbol: '&'"],
] as const)
  test(`${expression} is refused`, () => {
    expect(() => interpolated(`$\{{ ${expression} }}`, contexts)).toThrow(why);
  });

test('a condition holds after successes only, unless it checks the status of the job', () => {
  expect(isMet("inputs.yes != ''", contexts, 'success')).toBe(true);
  expect(isMet("inputs.yes != ''", contexts, 'failure')).toBe(false);
  expect(isMet("always() && inputs.yes != ''", contexts, 'cancelled')).toBe(true);
  expect(isMet('failure()', contexts, 'success')).toBe(false);
});
