import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { foundIn, leftBehind } from '../gate/leaks.ts';
import { startParrot } from '../gate/parrot.ts';
import { account, leaksOf } from '../planted.ts';
import { aged, callWithToken } from './pact-builder.ts';
import {
  closingLine,
  expect,
  naming,
  put,
  type Run,
  start,
  test,
  typeAgain,
} from './verify-process.ts';

const report = ({ folder }: Run) =>
  JSON.parse(readFileSync(path.join(folder, 'reports', 'pacts.json'), 'utf8'));
const consumersIn = (run: Run): string[] =>
  report(run).pacts.map(({ consumer }: { consumer: string }) => consumer);
const call = callWithToken();

test('the sandbox passes the pacts of this project; that of the example is for it alone', async ({
  pactVerify,
  serve,
}) => {
  const run = await pactVerify();
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(closingLine(run)).toMatch(
    /^✓ Every pact is kept · \d+ verified · \d+ requests, \d+\.\d+ s · sandbox$/,
  );
  expect(consumersIn(run).sort()).toEqual(['public-api-monitor', 'widget-report']);
  expect(readdirSync(path.join(run.folder, 'tmp'))).toEqual([]);
  const some = await pactVerify(['--strict', '--interaction', 'OF AN ACCOUNT']);
  expect(closingLine(some)).toContain(
    '✓ Every pact is kept · 2 verified · only "OF AN ACCOUNT" · ',
  );
  const other = await pactVerify([], naming(await serve(faulty('endpoints-without-success'))));
  expect(other).toMatchObject({ exit: 0, stderr: '' });
  expect(consumersIn(other)).toEqual(['public-api-monitor']);
});

test('a broken pact ends in 1, and so does the printed command, which finds any description', async ({
  pactVerify,
  folder,
  serve,
}) => {
  const description = "a token\u05d0 that's expired";
  const expired = callWithToken(description, [aged(24)], { status: 401 });
  const file = put(folder, 'a pact.json', call, expired);
  const env = naming(await serve(faulty('leeway-of-a-second')));
  const broken = await pactVerify([file], env);
  expect(broken).toMatchObject({ exit: 1, stderr: '' });
  expect(report(broken).exit).toBe(1);
  const { PUBLIC_API_KEY = '', PUBLIC_API_SECRET_KEY = '' } = env;
  const again = await typeAgain(broken, { PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY });
  expect(again).toMatchObject({ exit: 1, stderr: '' });
  expect(closingLine(again)).toContain(' · 0 verified, 1 failed · ');
});

for (const [what, args, env, line] of [
  ['an unknown option', ['--nonsense'], {}, '--nonsense'],
  ['an empty address', [], { PUBLIC_API_BASE_URL: '' }, 'PUBLIC_API_BASE_URL is an empty text: '],
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

test('SIGTERM releases the clock at once, and leaves nothing behind', async ({ folder, serve }) => {
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
  child.kill('SIGTERM');
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
