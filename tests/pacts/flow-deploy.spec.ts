import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Broker } from '../../pacts/broker/start.ts';
import type { Broker as Client } from '../../pacts/flow/broker.ts';
import { environmentOf } from '../../pacts/flow/environment.ts';
import { brokerPacts } from '../../pacts/flow/source.ts';
import type { Ran } from '../process.ts';
import { needs } from '../programs.ts';
import { expect } from './broker/broker.ts';
import {
  by,
  environment,
  flow,
  leadingTo,
  pactDocument,
  put,
  resultOf,
  start,
  test,
} from './flow-stage.ts';

needs('pact-broker');
// This file shares one broker with other files, so each test has its own pacticipants and environments.

/** Creates the environment `e-NAME`, and publishes a pact of `NAME-consumer` with `NAME-provider`. */
async function stage(client: Client, name: string): Promise<void> {
  await environment(client, `e-${name}`);
  await put(client, pactDocument(`${name}-consumer`, { 'a call': 401 }, `${name}-provider`), '1');
}

/** Publishes the results of a provider version for its consumer's pact; the interactions in `failing` failed. */
async function verified(
  client: Client,
  provider: string,
  version: string,
  failing: readonly string[] = [],
): Promise<void> {
  const pacts = await brokerPacts(client, { provider, branch: 'main' });
  const endings = Object.fromEntries(
    failing.map((description) => [description, 'failed' as const]),
  );
  for (const source of pacts.sources) await pacts.publish(resultOf(source, endings), by(version));
}

const canIDeploy = (broker: Broker, words: string, version: string): Promise<Ran> =>
  flow(['can-i-deploy', ...words.split(' ')], leadingTo(broker, broker), version);

const record = (broker: Broker, words: string, version: string): Promise<Ran> =>
  flow(['record-deployment', ...words.split(' ')], leadingTo(broker, broker), version);

/** Runs Pact's own command, which has only two answers. @returns its exit code */
function official(broker: Broker, words: string): number | null {
  const program = fileURLToPath(new URL('../../node_modules/.bin/pact-broker', import.meta.url));
  return spawnSync(program, ['can-i-deploy', ...words.split(' ')], {
    env: { PATH: process.env.PATH, ...leadingTo(broker, broker), PACT_BROKER_HTTP_RETRIES: '1' },
    timeout: 90_000,
  }).status;
}

test('a consumer first changes from unknown to yes, and then its provider', async ({
  broker,
  client,
}) => {
  await stage(client, 'yes');
  const query = '--pacticipant yes-consumer --to-environment e-yes';
  expect(await canIDeploy(broker, query, '1')).toEqual({
    exit: 2,
    stderr: '',
    stdout: `first: yes-consumer 1 finds nothing to be verified against in e-yes
  no version of yes-provider is recorded in e-yes
  --first says that this is known
`,
  });
  expect(official(broker, `${query} --version 1`)).toBe(1);
  await verified(client, 'yes-provider', '5');
  const provider = '--pacticipant yes-provider --to-environment e-yes';
  expect((await canIDeploy(broker, provider, '5')).exit).toBe(2);
  expect((await canIDeploy(broker, `${provider} --first`, '5')).exit).toBe(0);
  await record(broker, '--pacticipant yes-provider --environment e-yes', '5');
  expect(await canIDeploy(broker, query, '1')).toEqual({
    exit: 0,
    stderr: '',
    stdout: `yes: yes-consumer 1 may go to e-yes
  yes-provider 5 keeps the pact of yes-consumer 1
`,
  });
  expect(official(broker, `${query} --version 1`)).toBe(0);
  await put(client, pactDocument('yes-consumer', { 'another call': 401 }, 'yes-provider'), '2');
  expect(await canIDeploy(broker, query, '2')).toMatchObject({
    exit: 2,
    stdout: `unknown: yes-consumer 2 is not verified against what is in e-yes
  yes-provider 5, which is in e-yes, has not verified the pact of yes-consumer 2
`,
  });
  expect(official(broker, `${query} --version 2`)).toBe(1);
});

test('the first deployment of all is accepted with a warning, until something is recorded there', async ({
  broker,
  client,
}) => {
  await stage(client, 'ever');
  const query = '--pacticipant ever-consumer --to-environment e-ever --first-ever';
  const first = await canIDeploy(broker, query, '1');
  expect([first.exit, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain(
    '\nwarning: nothing is recorded in e-ever yet, so ever-consumer 1 was compared with nothing: accepted until something is recorded there, once (--first-ever)\n',
  );
  const env = { ...leadingTo(broker, broker), GITHUB_ACTIONS: 'true' };
  const onGitHub = await flow(['can-i-deploy', ...query.split(' ')], env);
  expect(onGitHub.stdout).toContain(
    '\n::warning title=can-i-deploy::nothing is recorded in e-ever',
  );
  await record(broker, '--pacticipant ever-consumer --environment e-ever', '1');
  const second = await canIDeploy(broker, query, '1');
  expect([second.exit, second.stdout]).toEqual([
    2,
    expect.stringContaining('first: ever-consumer 1'),
  ]);
});

test("a provider that has not verified a deployed consumer's pact is unknown", async ({
  broker,
  client,
}) => {
  await stage(client, 'new');
  await record(broker, '--pacticipant new-consumer --environment e-new', '1');
  await client.request('PUT', '/pacticipants/new-provider/branches/main/versions/6', {});
  const query = '--pacticipant new-provider --to-environment e-new';
  expect(await canIDeploy(broker, query, '6')).toMatchObject({
    exit: 2,
    stdout: `unknown: new-provider 6 is not verified against what is in e-new
  new-provider 6 has not verified the pact of new-consumer 1
`,
  });
  expect(official(broker, `${query} --version 6`)).toBe(1);
});

test('a refusal names the interaction, its state and the difference', async ({
  broker,
  client,
}) => {
  await environment(client, 'e-no');
  const pact = pactDocument(
    'no-consumer',
    { 'a call': 401, 'a "quoted" call': 401 },
    'no-provider',
  );
  await put(client, pact, '1');
  await verified(client, 'no-provider', '5', ['a "quoted" call']);
  await record(broker, '--pacticipant no-consumer --environment e-no', '1');
  const why = `  no-provider 5 fails the pact of no-consumer 1:
    "a "quoted" call", given a token made 25 hours ago
      status: expected 401, received 200
`;
  expect(await canIDeploy(broker, '--pacticipant no-provider --to-environment e-no', '5')).toEqual({
    exit: 1,
    stderr: '',
    stdout: `no: no-provider 5 must not go to e-no\n${why}`,
  });
  await record(broker, '--pacticipant no-provider --environment e-no', '5');
  expect(await canIDeploy(broker, '--pacticipant no-consumer --to-environment e-no', '1')).toEqual({
    exit: 1,
    stderr: '',
    stdout: `no: no-consumer 1 must not go to e-no\n${why}`,
  });
  expect(official(broker, '--pacticipant no-consumer --version 1 --to-environment e-no')).toBe(1);
});

test('each of several provider versions counts, where the broker requires only one', async ({
  broker,
  client,
}) => {
  await environment(client, 'e-two');
  const { uuid } = await environmentOf(client, 'e-two');
  await put(client, pactDocument('two-consumer', { 'a call': 401 }, 'two-provider'), '1');
  await verified(client, 'two-provider', '5');
  await client.request('PUT', '/pacticipants/two-provider/branches/main/versions/4', {});
  for (const version of ['4', '5'])
    await client.request(
      'POST',
      `/pacticipants/two-provider/versions/${version}/deployed-versions/environment/${uuid}`,
      { applicationInstance: version },
    );
  const query = '--pacticipant two-consumer --to-environment e-two';
  expect(await canIDeploy(broker, query, '1')).toMatchObject({
    exit: 2,
    stdout: `unknown: two-consumer 1 is not verified against what is in e-two
  two-provider 4, which is in e-two, has not verified the pact of two-consumer 1
`,
  });
});

test('a success that omits interactions is not a success', async ({ broker, client }) => {
  await environment(client, 'e-part');
  const pact = pactDocument('part-consumer', { 'a call': 401, 'a second': 401 }, 'part-provider');
  await put(client, pact, '1');
  const pacts = await brokerPacts(client, { provider: 'part-provider', branch: 'main' });
  const [source] = pacts.sources;
  if (source === undefined) throw new Error('no pact');
  const whole = resultOf(source);
  await pacts.publish({ ...whole, interactions: whole.interactions.slice(0, 1) }, by('5'));
  await record(broker, '--pacticipant part-provider --environment e-part', '5');
  const words = '--pacticipant part-consumer --to-environment e-part';
  expect(await canIDeploy(broker, words, '1')).toMatchObject({
    exit: 2,
    stdout: `unknown: part-consumer 1 is not verified against what is in e-part
  part-provider 5 has left out of the pact of part-consumer 1:
    "a second", given a token made 25 hours ago
`,
  });
  expect(official(broker, `${words} --version 1`)).toBe(0);
});

test('an unknown result is requested again, with a line each time', async ({ broker, client }) => {
  await stage(client, 'wait');
  await client.request('PUT', '/pacticipants/wait-provider/branches/main/versions/5', {});
  await record(broker, '--pacticipant wait-provider --environment e-wait', '5');
  const { child, ended } = start(
    'pacts/flow/main.ts',
    '--pacticipant wait-consumer --to-environment e-wait --retry-while-unknown 20 --retry-interval 1'
      .split(' ')
      .toSpliced(0, 0, 'can-i-deploy'),
    { GIT_COMMIT: '1', ...leadingTo(broker, broker) },
  );
  const received = new Promise((resolve) => child.stdout.once('data', resolve));
  expect(String(await received)).toBe('unknown yet, asking again in 1 s (1 of 20)\n');
  await verified(client, 'wait-provider', '5');
  const { exit, stdout } = await ended;
  expect(exit).toBe(0);
  expect(stdout).toContain('yes: wait-consumer 1 may go to e-wait');
});

test('an unknown environment, pacticipant or version is reported', async ({ broker, client }) => {
  await stage(client, 'wrong');
  for (const [words, version, line] of [
    ['--pacticipant wrong-consumer --to-environment nowhere', '1', 'has no environment "nowhere"'],
    [
      '--pacticipant wrong-consummer --to-environment e-wrong',
      '1',
      'the Pact Broker has no pacticipant "wrong-consummer" (it has wrong-consumer, ',
    ],
    ['--pacticipant wrong-consumer --to-environment e-wrong', '9', 'has no version 9 of wrong-'],
    ['--pacticipant wrong-consumer', '1', '--to-environment is missing'],
    ['--pacticipant x --to-environment y --retry-interval 21', '1', 'a whole number, 1 to 20'],
    ['--pacticipants x', '1', "Unknown option '--pacticipants'"],
  ] as const) {
    const { exit, stdout, stderr } = await canIDeploy(broker, words, version);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(line);
    expect(stderr.trim()).not.toContain('\n');
  }
});
