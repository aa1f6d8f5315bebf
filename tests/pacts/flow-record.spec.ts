import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Broker } from '../../pacts/broker/start.ts';
import { type Broker as Client, openBroker } from '../../pacts/flow/broker.ts';
import { environmentOf, recordedIn } from '../../pacts/flow/environment.ts';
import type { Ran } from '../process.ts';
import { needs } from '../programs.ts';
import { expect } from './broker/broker.ts';
import { type Answer, type Arrived, index, serve, serveBroker } from './fake-broker.ts';
import {
  environment,
  flow,
  leadingTo,
  pactDocument,
  pactFile,
  put,
  start,
  test,
} from './flow-stage.ts';

needs('pact-broker');
// This file shares one broker with other files, so each test has its own pacticipants and environments.

const run = (broker: Broker, command: string, words: string, version = '1'): Promise<Ran> =>
  flow([command, ...words.split(' ')], leadingTo(broker, broker), version);

const record = (broker: Broker, words: string, version?: string): Promise<Ran> =>
  run(broker, 'record-deployment', words, version);

/** The versions in an environment: `deployed 1`, `released 2`, `deployed 3 blue`. */
async function contentsOf(client: Client, name: string): Promise<string[]> {
  const recorded = await recordedIn(client, await environmentOf(client, name));
  return recorded.map(({ as, version, instance = '' }) => `${as} ${version} ${instance}`.trim());
}

test('a deployment replaces the earlier one, and ends when it is undeployed', async ({
  broker,
  client,
}) => {
  await environment(client, 'e-replace');
  for (const version of ['1', '2'])
    await put(client, pactDocument('replacing', { 'a call': 401 }), version);
  const words = '--pacticipant replacing --environment e-replace';
  await record(broker, words, '1');
  expect(await record(broker, words, '2')).toEqual({
    exit: 0,
    stderr: '',
    stdout: 'recorded: replacing 2 is deployed in e-replace\n',
  });
  await record(broker, `${words} --application-instance blue`, '1');
  expect((await contentsOf(client, 'e-replace')).sort()).toEqual(['deployed 1 blue', 'deployed 2']);
  expect(await run(broker, 'undeploy', words)).toEqual({
    exit: 0,
    stderr: '',
    stdout: 'recorded: replacing is no longer deployed in e-replace\n',
  });
  expect(await contentsOf(client, 'e-replace')).toEqual(['deployed 1 blue']);
  const again = await run(broker, 'undeploy', words);
  expect([again.exit, again.stdout]).toEqual([2, '']);
  expect(again.stderr).toContain('the Pact Broker does not record it: Please specify one of the');
});

test('releases remain beside each other', async ({ broker, client }) => {
  await environment(client, 'e-release');
  const words = '--pacticipant released --environment e-release';
  for (const version of ['1', '2']) {
    await put(client, pactDocument('released', { 'a call': 401 }), version);
    expect((await run(broker, 'record-release', words, version)).stdout).toBe(
      `recorded: released ${version} is released in e-release\n`,
    );
  }
  expect((await contentsOf(client, 'e-release')).sort()).toEqual(['released 1', 'released 2']);
});

test('the provider is recorded if no pacticipant is named, but never undeployed', async ({
  broker,
  client,
}) => {
  await environment(client, 'e-default');
  await put(client, pactDocument('billing', { 'a call': 401 }), '1');
  const env = { ...leadingTo(broker, broker), PACT_PROVIDER_NAME: 'billing' };
  const unnamed = (command: string) => flow([command, '--environment', 'e-default'], env);
  expect((await unnamed('record-deployment')).stdout).toBe(
    'recorded: billing 1 is deployed in e-default\n',
  );
  expect((await unnamed('record-release')).stdout).toBe(
    'recorded: billing 1 is released in e-default\n',
  );
  expect((await unnamed('undeploy')).stderr).toContain('--pacticipant is missing');
  expect((await contentsOf(client, 'e-default')).sort()).toEqual(['deployed 1', 'released 1']);
});

test('a deployment that the broker does not know is not recorded', async ({ broker, client }) => {
  await environment(client, 'e-record');
  await put(client, pactDocument('record-consumer', { 'a call': 401 }, 'record-provider'), '2');
  expect(await record(broker, '--pacticipant record-consumer --environment e-record')).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'the Pact Broker has no version 1 of record-consumer: publish its pacts or its results first\n',
  });
  const nowhere = await record(broker, '--pacticipant unknown --environment nowhere');
  expect(nowhere.stderr).toContain('npm run pact:setup -- --environments nowhere makes it');
});

test('a deployment that the broker accepts and does not store is reported', async () => {
  await using server = await serve(({ url, method, headers }) => {
    const link = (place: string) => ({ href: `http://${headers.host}/${place}`, name: 'there' });
    if (url === '/')
      return {
        body: {
          _links: {
            ...index.body._links,
            'pb:environments': link('environments'),
            'pb:pacticipant-version': link('pacticipants/{pacticipant}/versions/{version}'),
          },
        },
      };
    const _links = { self: link(url), 'pb:record-deployment': [link('record')] };
    if (method === 'POST') return { status: 201, body: { _links } };
    const environments = [{ name: 'there', uuid: 'u', _links }];
    return { body: { _links, _embedded: url === '/environments' ? { environments } : {} } };
  });
  const words = ['record-deployment', '--pacticipant', 'x', '--environment', 'there'];
  expect(await flow(words, { PACT_BROKER_BASE_URL: server.url })).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'the Pact Broker does not have what it has just recorded\n',
  });
});

/** A broker that answers Pact's own client, which records a deployment, as the test decides. */
const recordingAt = (answer: Answer | ((arrived: Arrived) => Answer)) =>
  serveBroker((arrived) => {
    const { method, headers } = arrived;
    if (headers['user-agent'] !== undefined)
      return typeof answer === 'function' ? answer(arrived) : answer;
    const environments = [{ name: 'there', uuid: 'u' }];
    return { body: { _embedded: method === 'GET' ? { environments } : {} } };
  });

for (const [what, answer, line] of [
  ['that never answers', { hang: true }, 'was not done in time (6000 ms)'],
  ['that has gone', { reset: true }, 'the Pact Broker does not record it: '],
  ['that refuses it', { status: 403 }, 'lets these credentials read, but not do this'],
  ['that redirects', { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }, 'record it: '],
  ['that answers with a page', { body: '<html>' }, 'the Pact Broker does not record it: '],
  [
    'that repeats the token',
    ({ headers }: Arrived) => ({ status: 400, body: { errors: [headers.authorization] } }),
    'the Pact Broker does not record it: ',
  ],
] as const)
  test(`a broker ${what} to Pact's own client is reported in one line, without the token`, async () => {
    await using server = await recordingAt(answer);
    const ran = await flow(['record-deployment', '--pacticipant', 'x', '--environment', 'there'], {
      PACT_BROKER_BASE_URL: server.url,
      PACT_BROKER_TOKEN: 'tp-7361-9254-0182',
      PUBLIC_API_TIMEOUT_MS: what === 'that never answers' ? '1000' : '10000',
    });
    expect([ran.exit, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain(line);
    expect(ran.stderr.trim()).not.toContain('\n');
    expect(ran.stderr).not.toContain('-7361');
  });

test("Pact's own client gets the credentials in its environment, and none in its arguments", async () => {
  await using server = await serve(({ headers }) =>
    headers['user-agent'] === undefined ? index : { hang: true },
  );
  const access = {
    baseUrl: new URL(server.url),
    timeoutMs: 10_000,
    credentials: { token: new Secret('tp-7361-9254-0182') },
  };
  const controller = new AbortController();
  const broker = await openBroker(access, { signal: controller.signal });
  const arrived = server.arrived.length;
  const ended = broker.pact('list-environments', []).catch(() => {});
  await expect.poll(() => server.arrived.length).toBeGreaterThan(arrived);
  const commands = readdirSync('/proc').map((id) => textOf(`/proc/${id}/cmdline`));
  expect(commands.filter((text) => text.includes('list-environments'))).not.toEqual([]);
  expect(commands.join()).not.toContain('tp-7361-9254-0182');
  expect(server.arrived.at(-1)?.headers.authorization).toBe('Bearer tp-7361-9254-0182');
  controller.abort();
  await ended;
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends a command and Pact's own client at once`, async () => {
    await using server = await recordingAt({ hang: true });
    const words = ['record-deployment', '--pacticipant', `ended-${signal}`, '--environment'];
    const env = { PACT_BROKER_BASE_URL: server.url, GIT_COMMIT: '1' };
    const { child, ended } = start('pacts/flow/main.ts', [...words, 'there'], env);
    const waiting = () => server.arrived.some(({ headers }) => headers['user-agent'] !== undefined);
    await expect.poll(waiting).toBe(true);
    child.kill(signal);
    expect(await ended).toEqual({ exit: 130, stdout: '', stderr: 'interrupted\n' });
    const commands = readdirSync('/proc').map((id) => textOf(`/proc/${id}/cmdline`));
    expect(commands.filter((text) => text.includes(`ended-${signal}`))).toEqual([]);
  });

test("Pact's own client trusts the certificates of Node, and those of NODE_EXTRA_CA_CERTS", async () => {
  await using server = await recordingAt({ hang: true });
  const [extra = '', usual = ''] = rootCertificates;
  const file = test.info().outputPath('extra.pem');
  writeFileSync(file, extra);
  const words = ['record-deployment', '--pacticipant', 'trusting', '--environment', 'there'];
  const env = { PACT_BROKER_BASE_URL: server.url, GIT_COMMIT: '1', NODE_EXTRA_CA_CERTS: file };
  await using running = start('pacts/flow/main.ts', words, env);
  const own = (): string | undefined =>
    readdirSync('/proc').find((id) => /broker.*trusting/s.test(textOf(`/proc/${id}/cmdline`)));
  await expect.poll(own).toBeDefined();
  const [, trusted = ''] = /SSL_CERT_FILE=([^\0]+)/.exec(textOf(`/proc/${own()}/environ`)) ?? [];
  expect(readFileSync(trusted, 'utf8')).toContain(extra.trim());
  expect(readFileSync(trusted, 'utf8')).toContain(usual.trim());
  running.child.kill('SIGINT');
  await running.ended;
  expect(existsSync(trusted)).toBe(false);
});

/** Reads a file, or '' if its process has ended and the file no longer exists. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

test('a dry run checks all, names what would be published, and sends no pact', async () => {
  await using server = await serve(() => index);
  const env = { PACT_BROKER_BASE_URL: server.url };
  const file = pactFile('dry-consumer', { 'a call': 401 });
  expect(await flow(['publish', '--dry-run', file], env)).toEqual({
    exit: 0,
    stderr: '',
    stdout: `would be published: dry-consumer 1 with public-api, ${server.url}\n`,
  });
  expect(server.arrived.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /']);
});

test('a published version gets its tags, and that of its branch', async ({ broker, client }) => {
  const file = pactFile('tagged-consumer', { 'a call': 401 });
  const words = ['publish', file, '--tag', 'one', '--tag', 'a b', '--tag-with-git-branch'];
  const env = leadingTo(broker, broker);
  const ran = await flow([...words, '--auto-detect-version-properties'], env, '1', 'feat/x');
  expect([ran.exit, ran.stderr]).toEqual([0, '']);
  const place = '/pacticipants/tagged-consumer/versions/1';
  expect(await client.get(place, 'version')).toMatchObject({
    _embedded: {
      tags: expect.arrayContaining(
        ['one', 'a b', 'feat/x'].map((name) => expect.objectContaining({ name })),
      ),
    },
  });
});
