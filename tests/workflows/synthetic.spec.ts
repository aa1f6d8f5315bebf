import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { faulty } from '../../sandbox/faults/index.ts';
import { account, leaksOf } from '../gate/leaks.ts';
import type { Job } from './document.ts';
import { isMet } from './expression.ts';
import type { Forge, Issue } from './gh.ts';
import { type Outcome, runJob } from './runner.ts';
import {
  annotationsOf,
  contextsWith,
  expect,
  type Stage,
  secrets,
  test,
  workflow,
} from './stage.ts';

const { gate = {} } = workflow('synthetic.yml').jobs;
const title = 'The public API violates its contract';

const contexts = (baseUrl: string) =>
  contextsWith({
    inputs: {},
    secrets,
    vars: {
      PUBLIC_API_BASE_URL: baseUrl,
      PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets',
    },
  });

/** One scheduled run. Each has its own artifacts, as on GitHub. */
function runSynthetic(stage: Stage, baseUrl: URL): Promise<Outcome> {
  stage.artifacts.clear();
  return runJob(gate, contexts(baseUrl.href), stage);
}

/** The requests to the forge since the last call of this function. */
function requests(stage: Stage): string[] {
  const forge = stage.forge.read();
  stage.forge.write({ ...forge, calls: [] });
  return forge.calls;
}

const link = 'https://forge.example/owner/api/actions/runs/42';
const opening = ['issue list', 'label create contract', 'issue create'];

/** The result of a gate: its verdict, and the verdicts of clauses. */
type Found = readonly [verdict: string, verdicts: Readonly<Record<string, string>>];
const holds: Found = ['holds', { 'BEARER-2': 'holds', 'BEARER-4': 'holds' }];
const anyScheme: Found = ['violated', { 'BEARER-4': 'violated' }];
const inQuery: Found = ['violated', { 'BEARER-2': 'violated', 'BEARER-4': 'holds' }];

/** Successive runs: the gate's result, the exit code of the job, and the requests to the forge. */
const story: readonly (readonly [found: Found, exit: number, calls: readonly string[]])[] = [
  [anyScheme, 0, ['issue list', 'issue edit 1']],
  [inQuery, 0, ['issue list', 'issue edit 1', 'issue comment 1']],
  [['unjudged', { 'BEARER-2': 'unverified' }], 0, []],
  [holds, 0, ['issue list', 'issue close 1']],
  [anyScheme, 0, opening],
];

test('a single issue is open from violation to violation, and is updated only when something changes', async ({
  stage,
  serve,
}) => {
  const sandbox = await serve({ behaviour: faulty('scheme-with-colon') });
  const { exit: code, stdout, stderr, summary } = await runSynthetic(stage, sandbox.baseUrl);
  expect(code).toBe(1);
  expect(requests(stage)).toEqual(opening);
  const [{ body } = issue()] = stage.forge.read().issues;
  expect(body).toContain('## ❌ The contract is violated in 1 clause\n');
  expect(body).toContain(`Last seen by ${link}\n`);
  const leaks = leaksOf([account.apiKey, account.secretKey, ...sandbox.state.tokens.keys()]);
  expect(leaks([stdout, stderr, summary, body].join('\n'))).toEqual([]);
  for (const [index, [[verdict, verdicts], exit, calls]] of story.entries()) {
    const outcome = await runLast(stage, verdict, verdicts, stage.forge.read());
    const about = `run ${index + 2}, ${verdict}`;
    expect(outcome.exit, about).toBe(exit);
    expect(requests(stage), about).toEqual(calls);
  }
  const { issues } = stage.forge.read();
  expect(issues).toMatchObject([
    { number: 1, title, state: 'closed' },
    { number: 2, title, state: 'open', labels: ['contract'], comments: [] },
  ]);
  expect(issues[0]?.comments).toEqual([
    `Now violated: BEARER-2. Before: BEARER-4. ${link}\n`,
    `The contract holds again: ${link}`,
  ]);
  expect(issues[1]?.body).toContain(`Last seen by ${link}\n`);
});

for (const [provider, exit] of [
  ['right', 0],
  ['down', 2],
] as const)
  test(`the job ends with ${exit} where the provider is ${provider}, and opens no issue`, async ({
    stage,
    serve,
  }) => {
    const sandbox = await serve();
    if (provider === 'down') await sandbox.close();
    expect((await runSynthetic(stage, sandbox.baseUrl)).exit).toBe(exit);
    expect(requests(stage)).toEqual(provider === 'down' ? [] : ['issue list']);
  });

test('no step runs without an address, and a cancelled run changes nothing', () => {
  expect(isMet(gate.if ?? '', contexts(''), 'success')).toBe(false);
  expect(isMet(gate.if ?? '', contexts('https://api.example.com'), 'success')).toBe(true);
  const steps = { values: { 'gate.outputs.verdict': 'violated' }, known: ['gate'] };
  const condition = gate.steps?.at(-1)?.if ?? '';
  expect(isMet(condition, { steps }, 'failure')).toBe(true);
  expect(isMet(condition, { steps }, 'cancelled')).toBe(false);
  expect(isMet(condition, { steps: { values: {}, known: ['gate'] } }, 'failure')).toBe(false);
});

const issue = (about: Partial<Issue> = {}): Issue => ({
  number: 7,
  title,
  body: '<!-- violated: BEARER-2 -->\n…',
  state: 'open',
  labels: ['contract'],
  comments: [],
  ...about,
});

/** Runs only the last step, after a gate with these verdicts, on the given forge. */
async function runLast(
  stage: Stage,
  verdict: string,
  verdicts: Readonly<Record<string, string>>,
  { summary = '## ❌\n', ...forge }: Partial<Forge> & { readonly summary?: string } = {},
): Promise<Outcome> {
  stage.forge.write(forge);
  const report = path.join(stage.workspace, 'contract-gate-1');
  const clauses = Object.entries(verdicts).map(([id, message]) => ({ id, verdict: message }));
  mkdirSync(report, { recursive: true });
  writeFileSync(path.join(report, 'gate.json'), JSON.stringify({ clauses }));
  writeFileSync(path.join(report, 'summary.md'), summary);
  const { steps = [] } = gate;
  const { if: _, env = {}, ...last } = steps.at(-1) ?? {};
  const alone: Job = {
    steps: [...steps.slice(0, 1), { ...last, env: { ...env, VERDICT: verdict, REPORT: report } }],
  };
  return runJob(alone, contexts('http://127.0.0.1:1'), stage);
}

test('an unverified clause keeps the issue open', async ({ stage }) => {
  const verdicts = { 'TOKEN-1': 'holds', 'BEARER-2': 'unverified' };
  const kept = await runLast(stage, 'holds', verdicts, { issues: [issue()] });
  expect(kept).toMatchObject({
    exit: 0,
    stdout: '#7 stays open: BEARER-2 was not verified\n',
    stderr: '',
  });
  expect(requests(stage)).toEqual(['issue list']);
});

test('an unverified clause is kept in the issue while another one is violated', async ({
  stage,
}) => {
  const issues = [issue({ body: '<!-- violated: BEARER-2 BEARER-4 -->\n…' })];
  const partly = { 'BEARER-2': 'unverified', 'BEARER-4': 'violated' };
  await runLast(stage, 'violated', partly, { issues });
  expect(requests(stage)).toEqual(['issue list', 'issue edit 7']);
  const others = { 'TOKEN-1': 'violated', 'BEARER-2': 'unverified', 'BEARER-4': 'holds' };
  await runLast(stage, 'violated', others, stage.forge.read());
  expect(stage.forge.read().issues[0]?.comments).toEqual([
    `Now violated: TOKEN-1. Not verified: BEARER-2. Before: BEARER-4, BEARER-2. ${link}\n`,
  ]);
  const last = { 'TOKEN-1': 'holds', 'BEARER-2': 'unverified', 'BEARER-4': 'holds' };
  const kept = await runLast(stage, 'holds', last, stage.forge.read());
  expect(kept.stdout).toBe('#7 stays open: BEARER-2 was not verified\n');
});

for (const verdict of ['unjudged', 'defect'])
  test(`the verdict ${verdict} changes no issue`, async ({ stage }) => {
    const kept = await runLast(stage, verdict, { 'BEARER-2': 'violated' }, { issues: [issue()] });
    expect(kept).toMatchObject({ exit: 0, stderr: '' });
    expect(requests(stage)).toEqual([]);
  });

test('other issues stay unchanged: another title, another label, one beside ours', async ({
  stage,
}) => {
  const issues = [
    issue({ number: 1, title: 'BEARER-2 is violated' }),
    issue({ number: 2, labels: [] }),
    issue({ number: 9 }),
    issue({ number: 8 }),
  ];
  await runLast(stage, 'holds', { 'BEARER-2': 'holds' }, { issues });
  expect(requests(stage)).toEqual(['issue list', 'issue close 8']);
});

test('our issue is found behind hundreds of later ones with the same label', async ({ stage }) => {
  const later = Array.from({ length: 250 }, (_, index) =>
    issue({ number: 100 + index, title: 'Another matter' }),
  );
  await runLast(stage, 'holds', { 'BEARER-2': 'holds' }, { issues: [issue(), ...later] });
  expect(requests(stage)).toEqual(['issue list', 'issue close 7']);
});

test('an issue body that a user has edited is restored', async ({ stage }) => {
  const issues = [issue({ body: 'I have seen this too.' })];
  await runLast(stage, 'violated', { 'BEARER-2': 'violated' }, { issues });
  expect(requests(stage)).toEqual(['issue list', 'issue edit 7', 'issue comment 7']);
  expect(stage.forge.read().issues[0]?.body).toContain('<!-- violated: BEARER-2 -->');
});

test('an existing label stays unchanged', async ({ stage }) => {
  await runLast(stage, 'violated', { 'BEARER-2': 'violated' }, { labels: ['contract'] });
  expect(requests(stage)).toEqual(['issue list', 'label create contract', 'issue create']);
  expect(stage.forge.read().issues).toHaveLength(1);
});

test('a summary longer than an issue allows loses whole blocks at its end', async ({ stage }) => {
  const block = `\n\n<details><summary>x</summary>\n${'y'.repeat(9_000)}\n</details>`;
  const summary = `## ❌ Head${block.repeat(8)}\n`;
  const opened = await runLast(stage, 'violated', { 'BEARER-2': 'violated' }, { summary });
  expect(opened).toMatchObject({ exit: 0, stderr: '' });
  const [{ body } = issue()] = stage.forge.read().issues;
  expect(body.length).toBeLessThan(65_536);
  expect(body.match(/<details>/g)).toHaveLength(6);
  expect(body.match(/<\/details>/g)).toHaveLength(6);
  expect(body).toContain('</details>\n\nThe run has the rest.\n\nLast seen by https://');
});

test('a forge that is down fails the step in one annotation', async ({ stage }) => {
  const failed = await runLast(stage, 'violated', { 'BEARER-2': 'violated' }, { broken: 'create' });
  expect(failed).toMatchObject({ standing: 'failure', exit: 1 });
  expect(annotationsOf(failed)).toEqual([
    '::error title=The issue could not be kept up to date::gh issue create failed: exit code 1',
  ]);
  expect(failed.stderr).toContain('HTTP 503: Service Unavailable\n');
});
