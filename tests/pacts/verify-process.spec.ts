import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { foundIn, leftBehind } from '../gate/leaks.ts';
import { startParrot } from '../gate/parrot.ts';
import { account, leaksOf } from '../planted.ts';
import { serve as serveBroker } from './fake-broker.ts';
import { aged, callWithToken } from './pact-builder.ts';
import {
  closingLine,
  expect,
  naming,
  namingWithoutClock,
  put,
  type Run,
  start,
  test,
  typeAgain,
} from './verify-process.ts';

const report = ({ folder }: Run) =>
  JSON.parse(readFileSync(path.join(folder, 'reports', 'pacts.json'), 'utf8'));
const call = callWithToken();
const failing = (description: string) => callWithToken(description, undefined, { status: 299 });

test('the sandbox passes the pacts of this project', async ({ pactVerify }) => {
  const run = await pactVerify();
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(closingLine(run)).toMatch(
    /^✓ Every pact is kept · \d+ verified · \d+ requests, \d+\.\d+ s · sandbox$/,
  );
  const consumers = report(run).pacts.map(({ consumer }: { consumer: string }) => consumer);
  expect(consumers.sort()).toEqual(['public-api-monitor', 'widget-report']);
  expect(readdirSync(path.join(run.folder, 'tmp'))).toEqual([]);
});

test("the example's pact is for the sandbox alone", async ({ pactVerify, serve }) => {
  const run = await pactVerify([], naming(await serve(faulty('endpoints-without-success'))));
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(report(run).pacts).toEqual([expect.objectContaining({ consumer: 'public-api-monitor' })]);
});

test('a broken pact ends in 1, and so does the printed command', async ({
  pactVerify,
  folder,
  serve,
}) => {
  const expired = callWithToken("a token that's expired", [aged(24)], { status: 401 });
  const file = put(folder, 'a pact.json', call, expired);
  const env = naming(await serve(faulty('leeway-of-a-second')));
  const broken = await pactVerify([file], env);
  expect(broken).toMatchObject({ exit: 1, stderr: '' });
  expect(report(broken).exit).toBe(1);
  expect(broken.stdout).toContain("  ✗ a token that's expired");
  const { PUBLIC_API_KEY = '', PUBLIC_API_SECRET_KEY = '' } = env;
  const again = await typeAgain(broken, { PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY });
  expect(again).toMatchObject({ exit: 1, stderr: '' });
  expect(closingLine(again)).toContain(' · 0 verified, 1 failed · ');
});

for (const description of ['- a call \u200f\u05d0\nof two lines', `a ${'very '.repeat(200)}`])
  test(`the printed command finds ${description.length} characters of any kind`, async ({
    pactVerify,
    folder,
  }) => {
    const run = await pactVerify([put(folder, 'pact.json', failing(description))]);
    expect(await typeAgain(run)).toMatchObject({ exit: 1, stderr: '' });
  });

for (const [what, args, env, line] of [
  ['an unknown option', ['--nonsense'], {}, '--nonsense'],
  ['a missing file', ['no-such-pact.json'], {}, 'no-such-pact.json: no such file or folder'],
  ['an empty address', [], { PUBLIC_API_BASE_URL: '' }, 'PUBLIC_API_BASE_URL is an empty text: '],
  ['a filter of Pact', [], { PACT_DESCRIPTION: 'a call' }, 'PACT_DESCRIPTION is set, which leaves'],
  ['unknown words', ['--interaction', 'x!'], {}, 'no interaction is described by "x!"'],
] as const)
  test(`${what} is reported in one line, and leaves no earlier report behind`, async ({
    pactVerify,
    folder,
  }) => {
    for (const name of ['pacts.json', 'pacts.xml']) put(folder, `reports/${name}`, call);
    const run = await pactVerify(args, env);
    expect(run).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(line) });
    expect(run.stderr.trim()).not.toContain('\n');
    expect(readdirSync(path.join(folder, 'reports'))).toEqual([]);
  });

test('an unreachable provider or wrong credentials end in 2 with one line', async ({
  pactVerify,
  serve,
}) => {
  const { baseUrl, close } = await serve();
  const wrong = await pactVerify([], namingWithoutClock(baseUrl));
  expect(wrong).toMatchObject({ exit: 2, stderr: '' });
  expect(wrong.stdout.trim().split('\n')).toEqual([
    expect.stringContaining('the token endpoint refused the credentials with status 400'),
  ]);
  await close();
  const gone = await pactVerify([], namingWithoutClock(baseUrl));
  expect(gone).toMatchObject({ exit: 2, stderr: '' });
  expect(gone.stdout.trim()).toMatch(
    /^! \S+ could not be judged: POST \/public-api\/v1\/auth\/token: no connection[^\n]*$/,
  );
});

test('a run without a clock passes unless it is strict', async ({ pactVerify, serve }) => {
  const sandbox = await serve();
  const env = namingWithoutClock(sandbox.baseUrl, sandbox.state.account);
  const lax = await pactVerify([], env);
  expect([lax.exit, closingLine(lax)]).toEqual([0, expect.stringContaining('✓ No pact is broken')]);
  expect(await pactVerify(['--strict'], env)).toExitWith(2);
  expect(await pactVerify([], { ...env, PUBLIC_API_STRICT: 'true' })).toExitWith(2);
});

test('words select interactions, which the run reports', async ({ pactVerify }) => {
  const run = await pactVerify(['--interaction', 'OF AN ACCOUNT']);
  expect(run).toExitWith(0);
  expect(closingLine(run)).toContain(
    '✓ Every pact is kept as far as selected · 2 verified · only "OF AN ACCOUNT" · ',
  );
  expect(report(run).only).toBe('OF AN ACCOUNT');
});

test('a configured broker supplies the pacts unless files are named', async ({
  folder,
  pactVerify,
}) => {
  await using broker = await serveBroker(() => ({ status: 404 }));
  const env = { PACT_BROKER_BASE_URL: broker.url, GIT_COMMIT: 'abc', GIT_BRANCH: 'main' };
  expect(await pactVerify(['--no-publish'], env)).toMatchObject({ exit: 2, stdout: '' });
  const requests = broker.arrived.length;
  expect(requests).toBeGreaterThan(0);
  put(folder, 'own.json', call);
  const named = await pactVerify(['own.json'], env);
  expect(named).toExitWith(0);
  expect(named.stdout).toContain('pacts were named: nothing is published');
  expect(broker.arrived).toHaveLength(requests);
});

test('headers of the settings go with every request to the provider, and are not shown', async ({
  pactVerify,
  serve,
}) => {
  const key = 'a-key-of-the-gateway-7361';
  const sandbox = await serve({
    ...right,
    finish: (reply, { headers }) =>
      headers['x-gateway'] === key ? reply : { status: 403, body: JSON.stringify(headers) },
  });
  const withKey = (text: string) =>
    pactVerify([], { ...naming(sandbox), PACT_PROVIDER_HEADERS: `{"X-Gateway":"${text}"}` });
  expect(await withKey(key)).toMatchObject({ exit: 0, stderr: '' });
  const refused = await withKey(`${key}x`);
  expect(refused).toExitWith(2);
  for (const text of leftBehind(refused).values()) expect(text).not.toContain(key);
});

test('Ctrl-C releases the clock at once, and leaves nothing behind', async ({ folder, serve }) => {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const sandbox = await serve({
    ...right,
    arrived: ({ now }) => {
      if (now < Date.now() + 3_600_000) return 0;
      resolve();
      return 20_000;
    },
  });
  const { child, ended } = start(folder, [], naming(sandbox));
  await held;
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exit: 130, stderr: 'interrupted\n' });
  expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(5000);
  expect(readdirSync(path.join(folder, 'tmp'))).toEqual([]);
});

test('no run leaves a secret behind, whatever a provider repeats', async ({
  folder,
  pactVerify,
  serve,
}) => {
  const onGitHub = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md') };
  const sandbox = await serve({ account });
  const green = await pactVerify([], { ...naming(sandbox), ...onGitHub });
  expect(green).toExitWith(0);
  const reports = ['pacts.html', 'pacts.json', 'pacts.xml'].map((name) => `reports/${name}`);
  const left = [...reports, 'stderr', 'stdout', 'summary.md'];
  expect([...leftBehind(green).keys()].sort()).toEqual(left);
  expect(sandbox.state.tokens.size).toBeGreaterThan(10);
  expect(foundIn(green, sandbox.state.tokens.keys())).toEqual([]);
  await using parrot = await startParrot(account, true);
  const red = await pactVerify([], { ...naming(parrot), ...onGitHub });
  expect(red).toMatchObject({ exit: 1, stderr: '' });
  expect(red.stdout).toContain('::error title=');
  expect(leaksOf([...parrot.state.tokens.keys()])(parrot.replies.join())).not.toEqual([]);
  expect(foundIn(red, parrot.state.tokens.keys())).toEqual([]);
});
