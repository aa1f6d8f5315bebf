import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startBroker } from '../../pacts/broker/start.ts';
import { needs } from '../programs.ts';
import { serve } from './fake-broker.ts';
import { clientOf, put } from './flow-stage.ts';
import {
  called,
  changed,
  examples,
  expect,
  openWorld,
  provider,
  test,
  widgets,
} from './story-stage.ts';

needs('pact-broker');
const example = 'sandbox/widget-report-public-api.json';

/** The example's pact with a new name for an interaction that the provider already satisfies. */
const renamed = (description: string): string =>
  changed(example, 'a request for the widgets', (interaction) => {
    interaction.description = description;
  });

/** The example's pact, which now expects a field of each widget that the provider does not have. */
const breaking = (): string =>
  changed(example, 'a request for the widgets', (interaction) => {
    const text = JSON.stringify(interaction.response).replace('"name":', '"price":5,"name":');
    interaction.response = JSON.parse(text);
  });

test('work in progress is verified on the main branch, and a second environment has its own answers', async ({
  settledWorld: world,
}) => {
  const { run, verify } = world;
  await run(`publish ${renamed('a request that is being written')}`, 'w3 on feat/new');
  const onBranch = await verify('p3 on feat/x', {}, '--no-publish');
  expect(onBranch.stdout).not.toContain('a request that is being written');
  const onMain = await verify('p3 on main');
  expect(onMain.exit).toBe(0);
  expect(onMain.stdout).toContain('a request that is being written');
  const toProduction = `can-i-deploy ${provider} --to-environment production`;
  expect((await run(toProduction, 'p3')).stdout).toContain('first: public-api p3');
  expect((await run(`${toProduction} --first`, 'p3')).exit).toBe(0);
  await run(`record-deployment ${widgets} --environment production`, 'w1');
  expect((await run(toProduction, 'p3')).stdout).toContain(
    'yes: public-api p3 may go to production\n  public-api p3 keeps the pact of widget-report w1',
  );
  const consumer = `can-i-deploy ${widgets} --to-environment`;
  expect((await run(`${consumer} test`, 'w3')).exit).toBe(2);
  await run(`record-deployment ${provider} --environment production`, 'p3');
  expect((await run(`${consumer} production`, 'w3')).exit).toBe(0);
  expect((await run(`${consumer} test`, 'w3')).stdout).toContain('unknown: widget-report w3');
});

test('a failed pact about tokens leaves no token in the broker', async ({ world }) => {
  const { run, verify } = world;
  const pact = 'public-api-monitor-public-api.json';
  const file = changed(pact, 'the credentials of an account', (interaction) => {
    const text = JSON.stringify(interaction.response).replace('"regex":".+"', '"regex":"[0-9]{3}"');
    interaction.response = JSON.parse(text);
  });
  expect((await run(`publish ${file}`, 'm1 on main')).exit).toBe(0);
  const verified = await verify('p1 on main');
  expect(verified.stdout).toContain(
    'published: public-api p1 fails the pact of public-api-monitor',
  );
  expect(verified.stdout).toContain('[0-9]{3}');
  expect(world.leaks()).toEqual([]);
});

test('a result that the broker refuses is a failure, whatever the provider has passed', async ({
  world,
}) => {
  const { run, verify, broker } = world;
  await run('publish', 'm1 on main');
  await run(`publish ${examples}`, 'w1 on main');
  const { username, password } = broker.readOnly;
  const reader = { PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password };
  const verified = await verify('p1 on main', reader);
  expect(verified.exit).toBe(2);
  expect(verified.stdout).toContain('lets these credentials');
  const wrong = await verify('p1 on main', { PACT_BROKER_PASSWORD: 'wrong' });
  expect(wrong).toMatchObject({ exit: 2, stdout: '' });
  expect(wrong.stderr).toContain('refuses the credentials: it answers 401');
  const question = 'can-i-deploy --pacticipant public-api --to-environment test';
  expect((await run(question, 'p1')).exit).toBe(2);
});

test('a broker that disappears halfway is reported, and its result is missing', async ({
  folder,
  settled,
}) => {
  copyFileSync(settled.copy, path.join(folder, 'pact_broker.sqlite3'));
  await using broker = await startBroker({ folder });
  await using world = await openWorld(broker);
  const { verify, sandbox } = world;
  const verifying = verify('p2 on main', { PUBLIC_API_RATE: '20' });
  const before = sandbox.state.tokens.size;
  await expect.poll(() => sandbox.state.tokens.size).toBeGreaterThan(before);
  await broker.stop();
  const { exit, stdout } = await verifying;
  expect(exit).toBe(2);
  expect(stdout).toContain('does not answer');
  expect(await verify('p2 on main')).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: expect.stringContaining('does not answer: GET /: no connection (ECONNREFUSED)'),
  });
});

/** A file with the example's pact and one more interaction. */
function extended(interaction: object): string {
  const pact = JSON.parse(readFileSync(path.join(examples, path.basename(example)), 'utf8'));
  pact.interactions.push(interaction);
  const file = test.info().outputPath(`extended-${Date.now()}.json`);
  writeFileSync(file, JSON.stringify(pact));
  return file;
}

const redWidgets = {
  type: 'Synchronous/HTTP',
  description: 'a request for the red widgets',
  providerStates: [
    { name: 'a widget exists', params: { colour: 'red' } },
    { name: 'a valid token' },
  ],
  request: {
    method: 'GET',
    path: '/public-api/v1/widgets',
    query: { colour: ['red'] },
    headers: { Authorization: ['Bearer <ACCESS_TOKEN>'] },
  },
  response: { status: 200 },
};

test('two consumers and a provider with states of its own go through an addition, a breaking change and a refusal', async ({
  settledWorld: world,
}) => {
  const { run, verify, broker } = world;
  await using handler = await serve(() => ({ body: {} }));
  const PACT_STATES_URL = `${handler.url}/states`;
  const question = `can-i-deploy ${widgets} --to-environment test`;

  // An addition: its result is unknown until the provider team's state handler is configured.
  await run(`publish ${extended(redWidgets)}`, 'w2 on main');
  const { PACT_URL, as } = await called(world, 'widget-report');
  expect(as).toBe('p1 on main');
  const stateless = await verify(as, { PACT_URL });
  expect(stateless.exit).toBe(2);
  expect(stateless.stdout).toContain('a widget exists');
  expect((await run(question, 'w2')).stdout).toContain('unknown: widget-report w2');
  const verified = await verify(as, { PACT_URL, PACT_STATES_URL });
  expect(verified.exit).toBe(0);
  expect(verified.stdout).toContain('published: public-api p1 keeps the pact of widget-report');
  expect(verified.stdout).not.toContain('public-api-monitor');
  const changes = handler.arrived.map(({ body }) => JSON.parse(body));
  const state = { state: 'a widget exists', params: { colour: 'red' } };
  expect(changes).toMatchObject([
    { ...state, action: 'setup' },
    { ...state, action: 'teardown' },
  ]);
  expect((await run(question, 'w2')).stdout).toContain('yes: widget-report w2 may go to test');
  expect((await run(`record-deployment ${widgets} --environment test`, 'w2')).exit).toBe(0);

  // A breaking change blocks only its own consumer. No provider version has kept it yet, so it is pending.
  await run(`publish ${breaking()}`, 'w3 on main');
  const broken = await verify('p2 on main', { PACT_STATES_URL });
  expect(broken.exit).toBe(0);
  expect(broken.stdout).toContain('published: public-api p2 fails the pact of widget-report');
  expect(broken.stdout).toContain('published: public-api p2 keeps the pact of public-api-monitor');
  await run(`record-deployment ${provider} --environment test`, 'p2');
  const refused = await run(question, 'w3');
  expect(refused.exit).toBe(1);
  expect(refused.stdout).toContain(`no: widget-report w3 must not go to test
  public-api p2 fails the pact of widget-report w3:
    "a request for the widgets", given a valid token
      `);
  expect(refused.stdout).toContain('price');
  expect((await run(`can-i-deploy ${provider} --to-environment test`, 'p2')).exit).toBe(0);
  // The webhook requests exactly this pact, so its failure counts.
  const latest = '/pacts/provider/public-api/consumer/widget-report/latest';
  const broke = { PACT_URL: new URL(latest, broker.baseUrl).href, PACT_STATES_URL };
  expect((await verify('p2 on main', broke)).exit).toBe(1);
  const monitor = 'can-i-deploy --pacticipant public-api-monitor --to-environment test';
  expect((await run(monitor, 'm1')).exit).toBe(0);

  // Another tool published an invalid pact: can-i-deploy shows its consumer the reason.
  const stray = { ...redWidgets, request: { method: 'GET', path: '/widgets' } };
  const pact = JSON.parse(readFileSync(extended(stray), 'utf8'));
  await put(await clientOf(broker), pact, 'w4');
  const refusing = await verify('p2 on main', { PACT_STATES_URL });
  expect(refusing.stdout).toContain('published: public-api p2 refuses the pact of widget-report');
  const answer = await run(question, 'w4');
  expect(answer.exit).toBe(1);
  expect(answer.stdout).toContain('"a request for the red widgets"');
  expect(answer.stdout).toContain('its path does not lie below /public-api/v1/');
  expect((await run(monitor, 'm1')).exit).toBe(0);
  expect(world.leaks()).toEqual([]);
});
