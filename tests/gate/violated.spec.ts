import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mustHold } from '../../contract/clauses.ts';
import { probes } from '../../probes/index.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { faulty } from '../faults/index.ts';
import { type Environment, fromRoot, nodeOn, typedInShell } from '../process.ts';
import { embedded } from './playwright-report.ts';
import {
  test as base,
  closingLine,
  expect,
  freshFolder,
  naming,
  type Run,
  removeFolder,
  report,
  startGate,
} from './process.ts';

/** Runs the first printed `again` command in a new shell that has only the credentials. */
async function againIn(folder: string, { stdout }: Run, env: Environment): Promise<Run> {
  const line = /^ {2}again {5}(.+)$/m.exec(stdout)?.[1] ?? '';
  const command = line.replace('npm run gate --', nodeOn(fromRoot('gate/main.ts')));
  const { PUBLIC_API_KEY = '', PUBLIC_API_SECRET_KEY = '' } = env;
  return {
    ...(await typedInShell(folder, command, { PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY })),
    folder,
  };
}

/** One run, as in GitHub Actions, on a provider whose tokens expire a second too late. */
const test = base.extend<object, { red: Run & { readonly again: () => Promise<Run> } }>({
  red: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      await using sandbox = await startSandbox({ behaviour: faulty('leeway-of-a-second') });
      const folder = await freshFolder();
      const summary = path.join(folder, 'summary.md');
      await writeFile(summary, 'What another step said.\n');
      const both = 'GET /public-api/v1/widgets, POST /public-api/v1/reports';
      const env = { ...naming(sandbox), PUBLIC_API_ENDPOINTS: both };
      const onGitHub = { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
      const run = await startGate(folder, [], onGitHub).ended;
      await use({ ...run, again: () => againIn(folder, run, env) });
      await removeFolder(folder);
    },
    { scope: 'worker' },
  ],
});

/** The first finding of the clause's first probe; findings are in the order of the probes. */
const finding = {
  when: 'at 24 h 00 min 00.000 s after the token was made, its 24 hours have elapsed',
  asked: 'GET /public-api/v1/widgets   Authorization: Bearer [secret]',
  expected: '401 {"success":false,"message":"Invalid or expired access token."}',
  received: '200 application/json, 37 bytes',
};

/** These values differ in each run. */
const trace = /^ {2}trace {5}([0-9a-f]{32})$/m;
const curl = /^ {2}curl {6}(curl -i --compressed http:\S+\/public-api\/v1\/widgets .*)$/m;

test('a violated clause is exit 1, and is printed with when, request, expected and received', ({
  red,
}) => {
  expect(red).toMatchObject({ exit: 1, stderr: '' });
  expect(red.stdout).toContain(`
EXPIRY-2  Once 24 hours have elapsed a token is expired, at that very instant
and after it
  Accepted until between 0 s and 30 s after the end: a leeway?
  at 24 h 00 min 00.000 s after the token was made, its 24 hours have elapsed
  asked     ${finding.asked}
  expected  ${finding.expected}
  received  ${finding.received}
  trace     ${trace.exec(red.stdout)?.[1]}
  curl      ${curl.exec(red.stdout)?.[1]}
  also      `);
  expect(red.stdout).toMatch(
    /\n {2}again {5}PUBLIC_API_BASE_URL=\S+ PUBLIC_API_ENDPOINTS='[^']+' PUBLIC_API_CLOCK_URL=\S+ npm run gate -- EXPIRY-2\n/,
  );
  expect(red.stdout).toMatch(
    new RegExp(
      `\n✗ Contract violated · ${mustHold.length - 4} held, 2 violated, 2 unverified · \\d,\\d{3} requests, \\d+\\.\\d+ s · http://127\\.0\\.0\\.1:\\d+/\n::error title=`,
    ),
  );
});

test('gate.json contains the violation as documented', async ({ red }) => {
  const { target, exit, clauses, startedAt, finishedAt } = JSON.parse(
    await report(red, 'gate.json'),
  );
  expect({ target, exit }).toEqual({ target: expect.stringMatching(/^http:\/\/127/), exit: 1 });
  expect(Date.parse(startedAt)).toBeLessThan(Date.parse(finishedAt));
  const broken = clauses.filter(({ verdict }: { verdict: string }) => verdict === 'violated');
  expect(broken.map(({ id }: { id: string }) => id)).toEqual(['EXPIRY-2', 'EXPIRY-4']);
  expect(broken[0]).toEqual({
    id: 'EXPIRY-2',
    text: 'Once 24 hours have elapsed a token is expired, at that very instant and after it',
    verdict: 'violated',
    diagnosis: 'Accepted until between 0 s and 30 s after the end: a leeway?',
    findings: [
      {
        probe: 'a-token-lives-24-hours',
        endpoint: 'GET /public-api/v1/widgets',
        ...finding,
        trace: trace.exec(red.stdout)?.[1],
        curl: curl.exec(red.stdout)?.[1],
        times: expect.any(Number),
        also: expect.arrayContaining([
          expect.objectContaining({ endpoint: 'POST /public-api/v1/reports' }),
        ]),
      },
    ],
  });
});

test('every report shows the violation, with its trace and its command', async ({ red }) => {
  const [, id = ''] = trace.exec(red.stdout) ?? [];
  const [, command = ''] = curl.exec(red.stdout) ?? [];
  const annotation = red.stdout
    .split('\n')
    .find((line) => line.startsWith('::error title=EXPIRY-2::'));
  for (const part of [finding.asked, command]) expect(annotation).toContain(`  ${part}%0A`);
  const summary = await readFile(path.join(red.folder, 'summary.md'), 'utf8');
  expect(summary).toMatch(/^What another step said\.\n\n.*\n {4}✗ Contract violated · .*\n$/s);
  const [xml, html] = await Promise.all([report(red, 'gate.xml'), report(red, 'gate.html')]);
  for (const text of [xml, html, summary]) expect(text).toContain(id);
});

/** The counts of Playwright's own report. */
async function playwrightStats(run: Run) {
  const files = embedded(await report(run, 'playwright-html/index.html'));
  return {
    stats: JSON.parse(files.get('report.json') ?? '').stats,
    text: [...files.values()].join(),
  };
}

interface Place {
  readonly probe: string;
}

test("Playwright's report has a test for each probe, which fails in our words", async ({ red }) => {
  const { clauses } = JSON.parse(await report(red, 'gate.json'));
  const finders = new Set(
    clauses.flatMap(({ findings }: { findings: (Place & { also?: Place[] })[] }) =>
      findings.flatMap(({ probe, also = [] }) => [probe, ...also.map((place) => place.probe)]),
    ),
  );
  const { stats, text } = await playwrightStats(red);
  expect(stats).toMatchObject({
    total: probes.length,
    unexpected: finders.size,
    flaky: 0,
  });
  expect(stats.expected + stats.skipped).toBe(probes.length - finders.size);
  expect(text).toContain(JSON.stringify(finding.when).slice(1, -1));
  expect(text).toContain('findings.json');
});

test('the printed command finds the same, and only its probes are tests', async ({ red }) => {
  const run = await red.again();
  expect(run).toMatchObject({ exit: 1, stderr: '' });
  expect(closingLine(run)).toMatch(/^✗ Contract violated · \d held, 1 violated · \d+ requests, /);
  const total = probes.filter(({ clauses }) => clauses.includes('EXPIRY-2')).length;
  expect((await playwrightStats(run)).stats.total).toBe(total);
});

test('every failure keeps its worker: twenty failures take no longer than one', async ({ red }) => {
  const { text } = await playwrightStats(red);
  expect(new Set([...text.matchAll(/"workerIndex":(\d+)/g)].map(([, index]) => index)).size).toBe(
    1,
  );
});
