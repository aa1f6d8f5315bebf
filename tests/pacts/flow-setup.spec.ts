import { writeFileSync } from 'node:fs';
import type { Broker } from '../../pacts/broker/start.ts';
import type { Broker as Client } from '../../pacts/flow/broker.ts';
import { needs } from '../programs.ts';
import { expect } from './broker/broker.ts';
import { serveBroker } from './fake-broker.ts';
import { flow, leadingTo, test } from './flow-stage.ts';

needs('pact-broker');
// This file shares one broker with other files, so objects may exist already unless a test uses its own names.

const setup = (broker: Broker, ...words: readonly string[]) =>
  flow(['setup', ...words], leadingTo(broker, broker));

const webhookOf = (client: Client): Promise<unknown> =>
  client.get('/webhooks/verification-of-public-api', 'webhook');

test('missing objects are created once, and left unchanged the second time', async ({
  client,
  emptyBroker: broker,
}) => {
  const words = ['--environments', 'near, production', '--pacticipants', 'zero'];
  const hook = ['--webhook', 'http://127.0.0.1:1/hook'];
  const first = await setup(broker, ...words, ...hook);
  expect([first.exit, first.stderr]).toEqual([0, '']);
  expect(first.stdout.split('\n')).toEqual([
    'environment near: made',
    'environment production: made',
    expect.stringMatching(/^pacticipant public-api: /),
    'pacticipant zero: made, its main branch is main',
    expect.stringMatching(/^webhook to 127.0.0.1:1: (made|written again)$/),
    '',
  ]);
  const before = await webhookOf(client);
  expect((await setup(broker, ...words, ...hook)).stdout).toBe(`environment near: is there
environment production: is there
pacticipant public-api: is there
pacticipant zero: is there
webhook to 127.0.0.1:1: is there
`);
  expect(await webhookOf(client)).toEqual(before);
  for (const [name, production] of [
    ['near', false],
    ['production', true],
  ] as const)
    expect(await client.get(`/environments?name=${name}`, 'environment')).toMatchObject({
      _embedded: { environments: [{ name, production }] },
    });
});

test('a main branch is changed only when it is named', async ({ broker }) => {
  const words = ['--pacticipants', 'one,two'];
  await setup(broker, ...words, '--main-branch', 'trunk');
  expect((await setup(broker, ...words)).stdout).toContain('pacticipant two: is there\n');
  expect((await setup(broker, ...words, '--main-branch', 'trunk')).stdout).toContain(
    'pacticipant one: is there\n',
  );
  expect((await setup(broker, ...words, '--main-branch', 'next')).stdout).toContain(
    'pacticipant one: changed, its main branch is next\n',
  );
});

test('a repository at GitHub gets a dispatch that names one pact, in the format of its API', async () => {
  await using server = await serveBroker(({ url, method }) => {
    if (url.startsWith('/pacticipants/')) return { body: { mainBranch: 'main' } };
    return method === 'GET' ? { status: 404, body: {} } : { body: {} };
  });
  const words = ['--webhook-github', 'one/api', '--webhook-token-secret', 'githubToken'];
  const ran = await flow(['setup', ...words], { PACT_BROKER_BASE_URL: server.url });
  expect(ran.stdout).toContain('webhook to api.github.com: made');
  const put = server.arrived.find(({ method }) => method === 'PUT');
  expect(put?.url).toBe('/webhooks/verification-of-public-api');
  expect(JSON.parse(put?.body ?? '')).toMatchObject({
    provider: { name: 'public-api' },
    enabled: true,
    events: [{ name: 'contract_requiring_verification_published' }],
    request: {
      method: 'POST',
      url: 'https://api.github.com/repos/one/api/dispatches',
      headers: { Authorization: `Bearer \${user.githubToken}` },
      body: {
        event_type: 'contract_requiring_verification_published',
        client_payload: { pact_url: `\${pactbroker.pactUrl}` },
      },
    },
  });
});

test('a webhook token is read from a file, is never shown, and is not lost', async ({
  broker,
  client,
}) => {
  const file = test.info().outputPath('token');
  writeFileSync(file, 'tp-7361-9254-0182\n');
  const to = (port: number) => ['--webhook', `http://127.0.0.1:${port}/hook`];
  const first = await setup(broker, ...to(2), '--webhook-token-file', file);
  expect([first.exit, first.stderr]).toEqual([0, '']);
  expect(first.stdout).not.toContain('-7361');
  expect(await webhookOf(client)).toMatchObject({
    request: { headers: { authorization: '**********' } },
  });
  expect((await setup(broker, ...to(2))).stdout).toContain('webhook to 127.0.0.1:2: is there');
  expect(await setup(broker, ...to(3))).toMatchObject({
    exit: 2,
    stderr:
      'the webhook is another one now, and its token would be lost: give it with --webhook-token-file\n',
  });
  const again = await setup(broker, ...to(3), '--webhook-token-file', file);
  expect(again.stdout).toContain('webhook to 127.0.0.1:3: written again');
});

test("a webhook that the broker does not allow is reported in the broker's words", async ({
  broker,
}) => {
  const file = test.info().outputPath('token');
  writeFileSync(file, 'tp-7361-9254-0182');
  const ran = await setup(
    broker,
    '--webhook',
    'https://hooks.example.com/tp-7361-9254-0182',
    '--webhook-token-file',
    file,
  );
  expect([ran.exit, ran.stdout]).toEqual([2, expect.stringMatching(/^pacticipant [^\n]*\n$/)]);
  expect(ran.stderr).toContain('host must be in the whitelist');
  expect(ran.stderr).not.toContain('-7361');
});

test('a webhook to GitHub without a token is refused, because GitHub would refuse its calls', async () => {
  await using server = await serveBroker(({ url }) => {
    if (url.startsWith('/pacticipants/')) return { body: { mainBranch: 'main' } };
    return { status: 404, body: {} };
  });
  const env = { PACT_BROKER_BASE_URL: server.url };
  const ran = await flow(['setup', '--webhook-github', 'one/api'], env);
  expect(ran).toMatchObject({
    exit: 2,
    stderr:
      'GitHub refuses calls without a token: name its file with --webhook-token-file, or a secret of the broker with --webhook-token-secret\n',
  });
  expect(server.arrived.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('a token of the webhook that the broker repeats is not shown', async () => {
  const file = test.info().outputPath('token');
  writeFileSync(file, 'tp-7361-9254-0182');
  await using server = await serveBroker(({ url, method, body }) => {
    if (!url.startsWith('/webhooks/')) return { body: {} };
    return method === 'PUT' ? { status: 400, body: { error: body } } : { status: 404, body: {} };
  });
  const words = ['--webhook', 'http://127.0.0.1:1/', '--webhook-token-file', file];
  const env = { PACT_BROKER_BASE_URL: server.url };
  const ran = await flow(['setup', ...words], env);
  const put = server.arrived.find(({ method }) => method === 'PUT');
  expect(put?.body).toContain('"Authorization":"Bearer tp-7361-9254-0182"');
  expect(ran.stderr).toContain('does not take ');
  expect(ran.stdout + ran.stderr).not.toContain('-7361');
});

for (const [words, line] of [
  [['--webhook', 'nowhere'], '--webhook takes an http or https address'],
  [
    ['--webhook', 'https://a:p4ssw0rd@example.com'],
    '--webhook takes an address without credentials: --webhook-token-file',
  ],
  [['--webhook-github', 'api'], '--webhook-github takes OWNER/REPO'],
  [
    ['--webhook', 'http://x', '--webhook-github', 'a/b'],
    '--webhook and --webhook-github are both given: keep one of them',
  ],
  [
    ['--webhook', 'http://x', '--webhook-token-file', 'no-such-file'],
    '--webhook-token-file names a file that cannot be read (ENOENT): it takes a readable UTF-8 file that holds the value and at most one newline after it',
  ],
  [
    ['--webhook', 'http://x', '--webhook-token-secret', 'a b'],
    '--webhook-token-secret takes the name of a secret: letters and digits',
  ],
  [['--webhook-token-secret', 'x'], 'a token is given, but no --webhook and no --webhook-github'],
  [
    ['--webhook', 'http://x', '--webhook-token-secret', 'x', '--webhook-token-file', 'y'],
    '--webhook-token-file and --webhook-token-secret are both given: keep one',
  ],
] as const)
  test(`setup refuses ${words.join(' ')}`, async ({ broker }) => {
    expect(await setup(broker, ...words)).toEqual({ exit: 2, stdout: '', stderr: `${line}\n` });
  });
