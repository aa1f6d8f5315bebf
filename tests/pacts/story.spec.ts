import type { Ran } from '../process.ts';
import { needs } from '../programs.ts';
import { serve } from './fake-server.ts';
import { callWithToken } from './pact-builder.ts';
import { clientOf, leadingTo } from './real-broker.ts';
import {
  changed,
  examplePact,
  expect,
  monitorPact,
  test,
  type World,
  webhookAbout,
} from './story-world.ts';

needs('pact-broker');

const description = '"a request for the widgets"';
const yes = { exit: 0, stdout: expect.stringContaining('Computer says yes') };
const no = { exit: 1, stdout: expect.stringContaining('Computer says no') };
const latest = '/pacts/provider/public-api/consumer/widget-report/latest';

/** The result of the example's latest pact, as the broker has it. */
async function resultAt({ broker }: World) {
  const client = await clientOf(broker);
  return Object(await client.get(`${latest}/verification-results/latest`, 'result'));
}

const widget = { name: 'a widget exists', params: { colour: 'red' } };
const redWidgets = callWithToken('the red widgets', [widget, 'a valid token']);
const keeps = (consumer: string) => expect.stringContaining(`keeps the pact of ${consumer}`);
const fails = (consumer: string) => expect.stringContaining(`fails the pact of ${consumer}`);

test('an interaction with a state of the team fails until its state handler is configured', async ({
  world,
}) => {
  const { publish, canIDeploy, verify } = world;
  await using handler = await serve(() => ({ body: {} }));
  await publish(changed(examplePact, '', '', redWidgets), 'w2 on main');
  const { PACT_URL, as } = await webhookAbout(world, 'widget-report');
  expect(as).toBe('p1 on main');
  const stateless = await verify(as, { PACT_URL });
  expect(stateless).toMatchObject({ exit: 2, stdout: expect.stringContaining('a widget exists') });
  expect(await canIDeploy('widget-report', 'w2')).toMatchObject(no);
  expect(JSON.stringify(await resultAt(world))).toContain('set PACT_STATES_URL');
  const verified = await verify(as, { PACT_URL, PACT_STATES_URL: `${handler.url}/states` });
  expect(verified).toMatchObject({ exit: 0, stdout: keeps('widget-report') });
  expect(verified.stdout).not.toContain('public-api-monitor');
  const state = { state: 'a widget exists', params: { colour: 'red' } };
  expect(handler.arrived.map(({ body }) => JSON.parse(body))).toMatchObject([
    { ...state, action: 'setup' },
    { ...state, action: 'teardown' },
  ]);
  expect(await canIDeploy('widget-report', 'w2')).toMatchObject(yes);
});

let next: Promise<Ran> | undefined;

/** Publishes work in progress, a breaking change and a mistake about tokens; verifies them once, for the next version. */
const nextVersion = (world: World): Promise<Ran> => (next ??= verifyNext(world));

async function verifyNext({ publish, verify }: World): Promise<Ran> {
  await publish(changed(examplePact, description, '"a request in progress"'), 'w3 on feat/new');
  await publish(changed(examplePact, '"id":1', '"id":1,"price":5'), 'w4 on main');
  await publish(changed(monitorPact, '"regex":".+"', '"regex":"[0-9]{3}"'), 'm2 on main');
  return verify('p2 on main');
}

test('work in progress is verified on the main branch only', async ({ world }) => {
  expect((await nextVersion(world)).stdout).toContain('a request in progress');
  const onBranch = await world.verify('p2 on feat/x', {}, '--no-publish');
  expect(onBranch.stdout).not.toContain('a request in progress');
});

test('a breaking change blocks only its own consumer', async ({ world }) => {
  const { canIDeploy, deploy, verify, broker } = world;
  // No provider version has kept it yet, so it is pending.
  const broken = await nextVersion(world);
  expect(broken).toMatchObject({ exit: 0, stdout: fails('widget-report w4') });
  expect(broken.stdout).toEqual(keeps('public-api-monitor m1'));
  await deploy('public-api', 'p2');
  expect(await canIDeploy('widget-report', 'w4')).toMatchObject(no);
  const { testResults, ...result } = await resultAt(world);
  const version = expect.any(String);
  const verifiedBy = { implementation: 'public-api-contract', version };
  expect(result).toMatchObject({ success: false, providerApplicationVersion: 'p2', verifiedBy });
  expect(testResults).toContainEqual({
    interactionId: expect.stringMatching(/^[0-9a-f]{40}$/),
    interactionDescription: 'a request for the widgets',
    success: false,
    remarks: [],
    exceptions: [{ message: expect.stringMatching(/^the body of the response: \{/) }],
    mismatches: [
      {
        ...{ attribute: 'body', identifier: '$.widgets[0]', expected: expect.any(String) },
        description: expect.stringContaining('price'),
        actual: expect.any(String),
      },
    ],
  });
  expect(await canIDeploy('public-api', 'p2')).toMatchObject(yes);
  expect(await canIDeploy('public-api-monitor', 'm1')).toMatchObject(yes);
  // A webhook requests exactly this pact, so its failure counts.
  const PACT_URL = new URL(latest, broker.baseUrl).href;
  expect(await verify('p2 on main', { PACT_URL })).toExitWith(1);
});

test('a failed pact about tokens leaves no token in the broker', async ({ world }) => {
  const { leaks, sandbox } = world;
  const verified = await nextVersion(world);
  expect(verified.stdout).toEqual(fails('public-api-monitor m2'));
  expect(verified.stdout).toContain('[0-9]{3}');
  expect(sandbox.state.tokens.size).toBeGreaterThan(10);
  expect(await leaks()).toEqual([]);
});

test('a result that the broker refuses fails a run that passed', async ({ world }) => {
  const { verify, broker, canIDeploy } = world;
  const [verified, wrong] = await Promise.all([
    verify('p3 on main', leadingTo(broker, broker.readOnly)),
    verify('p3 on main', { PACT_BROKER_PASSWORD: 'wrong' }),
  ]);
  expect(verified).toExitWith(2);
  expect(verified.stdout).toMatch(/refuses the\s+credentials: it answers 401/);
  expect(wrong).toMatchObject({ exit: 2, stdout: '' });
  expect(wrong.stderr).toContain('refuses the credentials: it answers 401');
  expect(await canIDeploy('public-api', 'p3')).toMatchObject(no);
});

test('a broker that disappears halfway is reported, with a missing result', async ({ world }) => {
  const { verify, sandbox, broker } = world;
  const verifying = verify('p4 on main', { PUBLIC_API_RATE: '20' });
  const before = sandbox.state.tokens.size;
  await expect.poll(() => sandbox.state.tokens.size).toBeGreaterThan(before);
  await broker[Symbol.asyncDispose]();
  const missing = expect.stringContaining('does not answer');
  expect(await verifying).toMatchObject({ exit: 2, stdout: missing });
  const stderr = expect.stringContaining('does not answer: GET /: no connection (ECONNREFUSED)');
  expect(await verify('p4 on main')).toMatchObject({ exit: 2, stdout: '', stderr });
});
