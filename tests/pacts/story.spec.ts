import { needs } from '../programs.ts';
import { clientOf } from '../setup/real-broker.ts';
import { serve } from './fake-server.ts';
import { callWithToken } from './pact-builder.ts';
import { changed, examplePact, expect, test, type World, webhookAbout } from './story-world.ts';

needs('pact-broker');

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
  expect(await canIDeploy('widget-report', 'w2')).toMatchObject(yes);
});

test('a breaking change blocks only its own consumer', async ({ world }) => {
  const { publish, canIDeploy, deploy, verify, broker } = world;
  await publish(changed(examplePact, '"id":1', '"id":1,"price":5'), 'w4 on main');
  // No provider version has kept it yet, so it is pending.
  const broken = await verify('p2 on main');
  expect(broken).toMatchObject({ exit: 0, stdout: fails('widget-report w4') });
  expect(broken.stdout).toEqual(keeps('public-api-monitor m1'));
  await deploy('public-api', 'p2');
  expect(await canIDeploy('widget-report', 'w4')).toMatchObject(no);
  expect(await canIDeploy('public-api', 'p2')).toMatchObject(yes);
  // A webhook requests exactly this pact, so its failure counts.
  const PACT_URL = new URL(latest, broker.baseUrl).href;
  expect(await verify('p2 on main', { PACT_URL })).toExitWith(1);
});
