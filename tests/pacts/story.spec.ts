import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type LocalBroker, startBroker } from '../../tools/broker/start.ts';
import { needs } from '../programs.ts';
import { clientOf } from './broker-stage.ts';
import { serve } from './fake-broker.ts';
import {
  called,
  changed,
  examplePact,
  expect,
  monitorPact,
  openWorld,
  test,
} from './story-stage.ts';

needs('pact-broker');
const unverifiedIn = (version: string): string =>
  `There is no verified pact between version ${version} of widget-report and the version of public-api`;
const says = (answer: 'yes' | 'no') => expect.stringContaining(`Computer says ${answer}`);

/** The example's pact with a new name for an interaction that the provider already satisfies. */
const renamed = (description: string): string =>
  changed(examplePact, 'a request for the widgets', (interaction) => {
    interaction.description = description;
  });

/** The example's pact, which now expects a field of each widget that the provider does not have. */
const breaking = (): string =>
  changed(examplePact, 'a request for the widgets', (interaction) => {
    const text = JSON.stringify(interaction.response).replace('"name":', '"price":5,"name":');
    interaction.response = JSON.parse(text);
  });

test('work in progress is verified on the main branch, and a second environment has its own answers', async ({
  settledWorld: world,
}) => {
  const { publish, canIDeploy, deploy, verify } = world;
  await publish(renamed('a request that is being written'), 'w3 on feat/new');
  const onBranch = await verify('p3 on feat/x', {}, '--no-publish');
  expect(onBranch.stdout).not.toContain('a request that is being written');
  const onMain = await verify('p3 on main');
  expect(onMain.exit).toBe(0);
  expect(onMain.stdout).toContain('a request that is being written');
  const first = await canIDeploy('public-api', 'p3', 'production');
  expect(first.stdout).toContain('There are no missing dependencies');
  expect(first).toMatchObject({ exit: 0, stdout: says('yes') });
  await deploy('widget-report', 'w1', 'production');
  const second = await canIDeploy('public-api', 'p3', 'production');
  expect(second.stdout).toMatch(/ widget-report ┆ w1 +┆ public-api ┆ p3 +┆ true /);
  expect(second).toMatchObject({ exit: 0, stdout: says('yes') });
  expect((await canIDeploy('widget-report', 'w3', 'test')).exit).toBe(1);
  await deploy('public-api', 'p3', 'production');
  expect((await canIDeploy('widget-report', 'w3', 'production')).exit).toBe(0);
  const unverified = await canIDeploy('widget-report', 'w3', 'test');
  expect(unverified.stdout).toContain(`${unverifiedIn('w3')} currently in test (p1)`);
  expect(unverified).toMatchObject({ exit: 1, stdout: says('no') });
});

test('a failed pact about tokens leaves no token in the broker', async ({ world }) => {
  const { publish, verify } = world;
  const file = changed(monitorPact, 'the credentials of an account', (interaction) => {
    const text = JSON.stringify(interaction.response).replace('"regex":".+"', '"regex":"[0-9]{3}"');
    interaction.response = JSON.parse(text);
  });
  expect((await publish(file, 'm1 on main')).exit).toBe(0);
  const verified = await verify('p1 on main');
  expect(verified.stdout).toContain(
    'published: public-api p1 fails the pact of public-api-monitor',
  );
  expect(verified.stdout).toContain('[0-9]{3}');
  expect(world.leaks()).toEqual([]);
});

test('a result that the broker refuses fails a run that passed', async ({ world }) => {
  const { run, publish, canIDeploy, verify, broker } = world;
  await run('create-environment', '--name', 'test');
  await publish(monitorPact, 'm1 on main');
  await publish(examplePact, 'w1 on main');
  const { username, password } = broker.readOnly;
  const reader = { PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password };
  const verified = await verify('p1 on main', reader);
  expect(verified.exit).toBe(2);
  expect(verified.stdout).toMatch(/refuses the\s+credentials: it answers 401/);
  const wrong = await verify('p1 on main', { PACT_BROKER_PASSWORD: 'wrong' });
  expect(wrong).toMatchObject({ exit: 2, stdout: '' });
  expect(wrong.stderr).toContain('refuses the credentials: it answers 401');
  expect(await canIDeploy('public-api', 'p1', 'test')).toMatchObject({
    exit: 1,
    stdout: says('no'),
  });
});

test('a broker that disappears halfway is reported, with a missing result', async ({
  folder,
  settled,
}) => {
  copyFileSync(settled.copy, path.join(folder, 'pact_broker.sqlite3'));
  await using broker = await startBroker(folder);
  await using world = await openWorld(broker);
  const { verify, sandbox } = world;
  const verifying = verify('p2 on main', { PUBLIC_API_RATE: '20' });
  const before = sandbox.state.tokens.size;
  await expect.poll(() => sandbox.state.tokens.size).toBeGreaterThan(before);
  await broker[Symbol.asyncDispose]();
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
  const pact = JSON.parse(readFileSync(examplePact, 'utf8'));
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

/** The latest result of the example's latest pact, as the broker has it. */
async function reasonAtBroker(broker: LocalBroker): Promise<string> {
  const latest = '/pacts/provider/public-api/consumer/widget-report/latest';
  const client = await clientOf(broker);
  return JSON.stringify(await client.get(`${latest}/verification-results/latest`, 'result'));
}

test('two consumers and a provider with states of its own go through an addition, a breaking change and a refusal', async ({
  settledWorld: world,
}) => {
  const { publish, canIDeploy, deploy, verify, broker } = world;
  await using handler = await serve(() => ({ body: {} }));
  const PACT_STATES_URL = `${handler.url}/states`;

  // An addition: its result is a failure with its reason until the provider team's state handler is configured.
  await publish(extended(redWidgets), 'w2 on main');
  const { PACT_URL, as } = await called(world, 'widget-report');
  expect(as).toBe('p1 on main');
  const stateless = await verify(as, { PACT_URL });
  expect(stateless.exit).toBe(2);
  expect(stateless.stdout).toContain('a widget exists');
  const unknown = await canIDeploy('widget-report', 'w2', 'test');
  expect(unknown.stdout).toMatch(/ widget-report ┆ w2 +┆ public-api ┆ p1 +┆ false /);
  expect(unknown).toMatchObject({ exit: 1, stdout: says('no') });
  expect(await reasonAtBroker(broker)).toContain('set PACT_STATES_URL');
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
  const known = await canIDeploy('widget-report', 'w2', 'test');
  expect(known).toMatchObject({ exit: 0, stdout: says('yes') });
  await deploy('widget-report', 'w2', 'test');

  // A breaking change blocks only its own consumer. No provider version has kept it yet, so it is pending.
  await publish(breaking(), 'w3 on main');
  const broken = await verify('p2 on main', { PACT_STATES_URL });
  expect(broken.exit).toBe(0);
  expect(broken.stdout).toContain('published: public-api p2 fails the pact of widget-report');
  expect(broken.stdout).toContain('published: public-api p2 keeps the pact of public-api-monitor');
  expect(broken.stdout).toContain('price');
  await deploy('public-api', 'p2', 'test');
  const refused = await canIDeploy('widget-report', 'w3', 'test');
  expect(refused.stdout).toMatch(/ widget-report ┆ w3 +┆ public-api ┆ p2 +┆ false /);
  expect(refused).toMatchObject({ exit: 1, stdout: says('no') });
  expect(await reasonAtBroker(broker)).toContain('price');
  expect((await canIDeploy('public-api', 'p2', 'test')).exit).toBe(0);
  // The webhook requests exactly this pact, so its failure counts.
  const latest = '/pacts/provider/public-api/consumer/widget-report/latest';
  const broke = { PACT_URL: new URL(latest, broker.baseUrl).href, PACT_STATES_URL };
  expect((await verify('p2 on main', broke)).exit).toBe(1);
  expect((await canIDeploy('public-api-monitor', 'm1', 'test')).exit).toBe(0);

  // A consumer published a pact of another path: the result at the broker tells it the reason.
  const stray = { ...redWidgets, request: { method: 'GET', path: '/widgets' } };
  await publish(extended(stray), 'w4 on main');
  const refusing = await verify('p2 on main', { PACT_STATES_URL });
  expect(refusing.stdout).toContain('published: public-api p2 fails the pact of widget-report');
  const answer = await canIDeploy('widget-report', 'w4', 'test');
  expect(answer).toMatchObject({ exit: 1, stdout: says('no') });
  expect(await reasonAtBroker(broker)).toContain('the path /widgets is not below /public-api/v1/');
  expect((await canIDeploy('public-api-monitor', 'm1', 'test')).exit).toBe(0);
  expect(world.leaks()).toEqual([]);
});
