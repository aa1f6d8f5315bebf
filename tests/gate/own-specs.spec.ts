import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { faulty } from '../faults/index.ts';
import { closingLine, expect, naming, namingWithoutClock, report, test } from './process.ts';

const spec = `
import { expect, test } from 'public-api-contract';

test('a token opens the endpoint', async ({ api, endpoints }) => {
  for (const endpoint of endpoints)
    expect((await api.call(endpoint, await api.token())).status).toBe(200);
});

test('anybody may call it', async ({ api, endpoints: [first] }) => {
  expect((await api.call(first)).status).toBe(200);
});

test('a token lives for a day', async ({ api, clock, endpoints: [first] }) => {
  const token = await api.token();
  await clock.pass(24 * 3_600_000 - 1);
  expect((await api.call(first, token)).status).toBe(200);
  await clock.pass(1);
  expect((await api.call(first, token)).status).toBe(401);
});
`;

/** Writes a spec into a folder of its own. */
function specsIn(folder: string, text = spec): string {
  const specs = path.join(folder, 'checks');
  mkdirSync(specs);
  writeFileSync(path.join(specs, 'widgets.spec.ts'), text);
  return specs;
}

test("a team's specs run on the same provider before simulated time, and a failure is exit 1 in every report", async ({
  folder,
  gate,
  serve,
}) => {
  const sandbox = await serve();
  const args = ['--specs', specsIn(folder), 'EXPIRY-2', '--reporter=line'];
  const run = await gate(args, { ...naming(sandbox), GITHUB_ACTIONS: 'true' });
  expect(run).toMatchObject({ exit: 1, stderr: '' });
  expect(closingLine({ ...run, stdout: run.stdout.split('\n::')[0] ?? '' })).toMatch(
    /^✗ Own check failed · \d held · /,
  );
  expect(run.stdout).toContain('  ✗ anybody may call it  checks/widgets.spec.ts:9\n');
  expect(run.stdout).toMatch(/\n::error title=anybody may call it::checks\/widgets\.spec\.ts:9%0A/);
  const { exit, checks, clauses } = JSON.parse(await report(run, 'gate.json'));
  expect(exit).toBe(1);
  expect(checks.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
    ...['holds', 'violated', 'holds'],
  ]);
  expect(clauses.map(({ verdict }: { verdict: string }) => verdict)).not.toContain('violated');
  expect(await report(run, 'gate.xml')).toContain('anybody may call it');
});

const judging = `
import { test } from 'public-api-contract';
import { madeUp } from './requests';

test('the gate judges', async ({ api, contract, endpoints: [first] }) => {
  await contract.admits(first, await api.token());
  await contract.refuses(first);
  await contract.refusesEach(first, [
    madeUp,
    { reason: 'its token is in a cookie', headers: { Cookie: 'token=made-up' } },
  ], 'BEARER-3');
});

test('nothing is there', async ({ contract }) => {
  await contract.refuses({ method: 'GET', path: '/public-api/v1/nothing' });
});
`;

const requests = `export const madeUp = { reason: 'its token is made up', authorization: 'Bearer made-up' };`;

test('a check judges as a probe does: it repeats, goes on after a finding, and says what proves nothing', async ({
  folder,
  gate,
  serve,
}) => {
  const sandbox = await serve(faulty('any-token'));
  const specs = specsIn(folder, judging);
  // As `npm init` and Playwright's own documentation have it.
  writeFileSync(path.join(specs, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(path.join(specs, 'requests.ts'), requests);
  const args = ['--specs', specs, '-g', 'judges|nothing'];
  const run = await gate(args, naming(sandbox));
  expect(run).toMatchObject({ exit: 1, stderr: '' });
  expect(run.stdout).toContain('  ✗ the gate judges  checks/widgets.spec.ts:5\n');
  expect(run.stdout).toContain(
    '    its token is made up\n    asked     GET /public-api/v1/widgets',
  );
  const { checks } = JSON.parse(await report(run, 'gate.json'));
  expect(checks).toMatchObject([{ verdict: 'violated' }, { verdict: 'unverified' }]);
});

test('without a test clock a check that needs one is skipped', async ({ folder, gate, serve }) => {
  const { baseUrl, state } = await serve();
  const args = ['--specs', specsIn(folder), '-g', 'for a day'];
  const run = await gate(args, namingWithoutClock(baseUrl, state.account));
  expect(run).toExitWith(0);
  const { checks } = JSON.parse(await report(run, 'gate.json'));
  expect(checks).toMatchObject([{ verdict: 'unverified' }]);
});

test('a folder without specs is refused in one line', async ({ folder, gate }) => {
  expect(await gate(['--specs', folder])).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: `--specs ${folder} is not a folder with spec files (**/*.{spec,test}.{ts,mts,js,mjs})\n`,
  });
});
