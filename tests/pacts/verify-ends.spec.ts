import { readdirSync } from 'node:fs';
import path from 'node:path';
import { right } from '../../sandbox/behaviour.ts';
import { account, foundIn, leaksOf, leftBehind } from '../gate/leaks.ts';
import { startParrot } from '../gate/parrot.ts';
import type { Environment } from '../process.ts';
import { fromState, jsonBody } from './made-up.ts';
import { teamHandler } from './team-handler.ts';
import { expect, naming, put, start, test, typed } from './verify-process.ts';
import { callWithToken, interaction, withToken } from './verifying.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} releases the clock at once, and leaves nothing behind`, async ({
    folder,
    serve,
  }) => {
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
    child.kill(signal);
    const run = await ended;
    expect([run.exit, run.stderr]).toEqual([130, 'interrupted\n']);
    expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(5000);
    expect(readdirSync(path.join(folder, 'tmp'))).toEqual([]);
  });

const onGitHub = (folder: string): Environment => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md'),
});

test('no run leaves a secret behind, whatever a provider repeats', async ({
  folder,
  pactVerify,
  serve,
}) => {
  const sandbox = await serve({ account });
  const green = await pactVerify([], { ...naming(sandbox), ...onGitHub(folder) });
  expect(green.exit).toBe(0);
  expect([...leftBehind(green).keys()].sort()).toEqual([
    ...[
      'reports/pacts.html',
      'reports/pacts.json',
      'reports/pacts.xml',
      'stderr',
      'stdout',
      'summary.md',
    ],
  ]);
  expect(sandbox.state.tokens.size).toBeGreaterThan(10);
  expect(foundIn(green, sandbox.state.tokens.keys())).toEqual([]);
  await using parrot = await startParrot(account, true);
  const red = await pactVerify([], { ...naming(parrot), ...onGitHub(folder) });
  expect([red.exit, red.stderr]).toEqual([1, '']);
  expect(red.stdout).toContain('::error title=');
  expect(leaksOf([...parrot.state.tokens.keys()])(parrot.replies.join())).not.toEqual([]);
  expect(foundIn(red, parrot.state.tokens.keys())).toEqual([]);
});

const state = { name: 'a user of the team', params: { role: 'reader' } };
const request = {
  ...withToken,
  headers: { ...withToken.headers, 'X-User': ['eve'] },
  generators: { header: { ...withToken.generators.header, 'X-User': fromState('${user}') } },
};
const body = jsonBody({ user: 'eve' });

test('no run leaves a value of a state handler behind', async ({ folder, pactVerify, serve }) => {
  const user = 'planted USER "Vela" 71c9/zeta+kiwi';
  const accessToken = 'planted-TOKEN-4fd1a97be2';
  await using handler = await teamHandler(() => ({ body: { user, accessToken } }));
  const sandbox = await serve({
    ...right,
    find: (text, states, call) =>
      text === accessToken
        ? { text, madeAt: call.now, memo: new Map() }
        : right.find(text, states, call),
    authorised: (_resource, { headers }) => ({
      status: 200,
      json: { user: headers['x-user'], sent: headers.authorization },
    }),
  });
  put(folder, 'pacts/pact.json', interaction('a user', [state], { request, response: { body } }));
  const env = { ...naming(sandbox), PACT_STATES_URL: handler.url.href };
  const run = await pactVerify(['pacts'], { ...env, GITHUB_ACTIONS: 'true' });
  expect([run.exit, run.stderr]).toEqual([1, '']);
  expect(run.stdout).toContain('x-user: [secret]');
  expect(handler.changes).toEqual([
    'setup a user of the team {"role":"reader"}',
    'teardown a user of the team {"role":"reader"}',
  ]);
  const leaks = leaksOf([user, accessToken]);
  for (const [name, text] of leftBehind(run)) expect(leaks(text), name).toEqual([]);
});

test('the printed command finds a description of any characters', async ({
  pactVerify,
  folder,
}) => {
  for (const [at, description] of [
    'a call \u200f\u05d0 from the right',
    'a call\nof two lines',
    '- a call of a list',
    `a call that is ${'very '.repeat(200)}long`,
  ].entries()) {
    const file = put(folder, `${at}.json`, callWithToken(description, undefined, { status: 299 }));
    const { stdout } = await pactVerify([file]);
    const again = / {2}again {5}(.+)\n/.exec(stdout)?.[1] ?? '';
    const run = await typed(folder, again, {});
    expect([run.exit, run.stderr], again).toEqual([1, '']);
  }
});

test('the printed command names all files, even many', async ({ pactVerify, folder }) => {
  const name = (at: number): string => `a-folder-of-pacts/the-pact-of-consumer-${at}.json`;
  const failing = callWithToken('a call', undefined, { status: 299 });
  const files = Array.from({ length: 30 }, (_, at) => put(folder, name(at), failing));
  const { stdout } = await pactVerify(files);
  const again = / {2}again {5}(.+)\n/.exec(stdout)?.[1];
  expect(again).toBe(`npm run pact:verify -- ${files.join(' ')} --interaction 'a call'`);
});
