import { right } from '../../sandbox/behaviour.ts';
import { leaksOf, leftBehind } from '../gate/leaks.ts';
import { fromState, jsonBody } from './made-up.ts';
import { teamHandler } from './team-handler.ts';
import { expect, naming, put, test } from './verify-process.ts';
import { interaction, withToken } from './verifying.ts';

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
  expect(run.stdout).toContain('x-user: <user>');
  expect(handler.changes).toEqual([
    'setup a user of the team {"role":"reader"}',
    'teardown a user of the team {"role":"reader"}',
  ]);
  const leaks = leaksOf([user, accessToken]);
  for (const [name, text] of leftBehind(run)) expect(leaks(text), name).toEqual([]);
});
