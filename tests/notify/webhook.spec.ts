import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { exchange } from '../../contract/http/transport.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { messageOf } from '../../monitor/notify/alert.ts';
import { receiverOf } from '../../monitor/notify/receiver.ts';
import { answering, type Behaviour, expect, test } from '../client/stage.ts';
import { needs } from '../programs.ts';
import {
  alertmanager,
  alertmanagerToken,
  type ReceivedRequest,
  type Receivers,
  receivers,
  webhook,
  webhookKey,
} from './receivers.ts';

needs('openssl');

const alert = {
  labels: { alertname: 'ContractMonitorContractBroken', target: 'zürich', clause: 'ERROR-3' },
  annotations: { summary: 'zürich breaks the contract: ERROR-3 “…”' },
  link: 'https://monitor.test/targets/zürich',
  startsAt: Date.UTC(2027, 2, 1),
};
const now = Date.UTC(2027, 2, 1, 0, 0, 1, 999);

/** The signature that OpenSSL computes. */
const signedByOpenSsl = (key: string, text: string): string =>
  execFileSync('openssl', ['dgst', '-sha256', '-hmac', key, '-binary'], { input: text }).toString(
    'base64',
  );

function firstOf({ received: [first] }: Receivers): ReceivedRequest {
  if (first === undefined) throw new Error('nothing was received');
  return first;
}

test('a message is signed over id, time and body, as OpenSSL confirms', async () => {
  const inbox = receivers();
  const message = messageOf('resolved', alert, alert.startsAt + 500);
  expect(await receiverOf(webhook, inbox.exchange).send([message], now)).toEqual({});
  const { headers, body, path: where } = firstOf(inbox);
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = headers;
  expect(signature).toBe(`v1,${signedByOpenSsl(webhookKey, `${id}.${time}.${body}`)}`);
  for (const other of [`${id}.${Number(time) + 1}.${body}`, `${id}.${time}.${body} `])
    expect(signature).not.toBe(`v1,${signedByOpenSsl(webhookKey, other)}`);
  expect(signature).not.toBe(`v1,${signedByOpenSsl('another key', `${id}.${time}.${body}`)}`);
  expect(time).toBe(`${Date.UTC(2027, 2, 1, 0, 0, 1) / 1000}`);
  expect(where).toBe('/contract?tenant=a');
  expect(JSON.parse(body)).toEqual({
    id,
    status: 'resolved',
    startsAt: '2027-03-01T00:00:00.000Z',
    endsAt: '2027-03-01T00:00:00.500Z',
    labels: alert.labels,
    annotations: alert.annotations,
    link: alert.link,
  });
});

test('the id of a message is the same for each attempt, and another for each message', () => {
  const { id } = messageOf('firing', alert);
  const labels = Object.fromEntries(Object.entries(alert.labels).reverse());
  expect(messageOf('firing', { ...alert, labels }).id).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  for (const other of [
    messageOf('resolved', alert),
    messageOf('firing', { ...alert, startsAt: alert.startsAt + 1 }),
    messageOf('firing', { ...alert, labels: { ...alert.labels, clause: 'ERROR-2' } }),
  ])
    expect(other.id).not.toBe(id);
});

test('an Alertmanager gets alerts that last for five minutes, below the path of its url', async () => {
  const inbox = receivers();
  const behind = { ...alertmanager, url: new URL('http://am.test/behind/') };
  const receiver = receiverOf(behind, inbox.exchange);
  await receiver.send([messageOf('firing', alert), messageOf('resolved', alert, now - 1)], now);
  await receiver.send([messageOf('test', alert)], now);
  expect(inbox.received.map((one) => one.path)).toEqual(Array(2).fill('/behind/api/v2/alerts'));
  expect(inbox.received[0]?.headers.Authorization).toBe(`Bearer ${alertmanagerToken}`);
  const ends = inbox.received.flatMap(({ body }) =>
    JSON.parse(body).map(({ endsAt }: { endsAt: string }) => Date.parse(endsAt) - now),
  );
  expect(ends).toEqual([300_000, -1, 60_000]);
});

test('an Alertmanager gets no times that are later than now, because it would refuse or prolong the alert', async () => {
  const inbox = receivers();
  const later = { ...alert, startsAt: now + 3_600_000 };
  const messages = [messageOf('firing', later), messageOf('resolved', later, later.startsAt)];
  await receiverOf(alertmanager, inbox.exchange).send(messages, now);
  const sent = JSON.parse(firstOf(inbox).body).map((one: { startsAt: string; endsAt: string }) =>
    [one.startsAt, one.endsAt].map(Date.parse),
  );
  expect(sent).toEqual([
    [now, now + 300_000],
    [now, now],
  ]);
});

for (const [status, isRefused] of [
  [400, true],
  [404, true],
  [408, false],
  [429, false],
  [500, false],
  [302, false],
] as const)
  test(`status ${status} of a webhook is a failure of ${isRefused ? 'the message' : 'the receiver'}`, async () => {
    const inbox = receivers();
    inbox.answer = () => status;
    const send = receiverOf(webhook, inbox.exchange);
    expect(await send.send([messageOf('firing', alert)], now)).toEqual({
      problem: `webhook at hooks.test answers with status ${status}`,
      isRefused,
    });
  });

for (const [aheadMs, is] of [
  [180_000, '3 minutes ahead of'],
  [-7_200_000, '120 minutes behind'],
] as const)
  test(`an Alertmanager whose clock is ${is} the clock of this machine is a failure`, async () => {
    const inbox = receivers();
    const send = () => receiverOf(alertmanager, inbox.exchange).send([], now);
    inbox.headers = [['Date', new Date(now + aheadMs).toUTCString()]];
    expect((await send()).problem).toBe(
      `Alertmanager at alertmanager.test:9093: its clock is ${is} the clock of this machine, so alerts end at wrong times: set both clocks`,
    );
    inbox.headers = [['Date', new Date(now + 100_000).toUTCString()]];
    expect(await send()).toEqual({});
  });

test('a failure names the receiver, and neither its path nor a secret', async () => {
  const silent = net.createServer((socket) => socket.destroy());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as net.AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/planted-path`);
  const odd = new Secret(`${webhookKey}\n`);
  const problems = await Promise.all([
    receiverOf({ kind: 'webhook', url, secret: odd }).send([messageOf('firing', alert)], now),
    receiverOf({ kind: 'alertmanager', url, authorization: odd }).send([], now),
  ]);
  silent.close();
  expect(problems).toEqual([
    { problem: expect.stringMatching(/^webhook at 127\.0\.0\.1:\d+: the connection was reset/) },
    {
      problem: `Alertmanager at 127.0.0.1:${port}: the request cannot be sent (Unsendable)`,
    },
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/planted/);
});

/** The behaviour of a receiver, its time limit (milliseconds), and the message of its failure. */
const hostile: readonly (readonly [
  title: string,
  behave: Behaviour,
  timeoutMs: number,
  problem: RegExp,
])[] = [
  ['never answers', () => {}, 300, /no complete answer in time \(300 ms\)/],
  [
    'answers without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const flood = (): boolean => !socket.destroyed && socket.write('x'.repeat(65_536), flood);
      flood();
    },
    10_000,
    /1048576 bytes/,
  ],
  ['answers no HTTP', answering('SSH-2.0-OpenSSH\r\n'), 10_000, /HTTP/],
];
for (const [title, behave, timeoutMs, problem] of hostile)
  test(`a receiver that ${title} is a failure, and keeps no connection`, async ({ raise }) => {
    const { origin: url, connections } = await raise(behave);
    const { send } = receiverOf({ ...webhook, url }, (connection, ...rest) =>
      exchange({ ...connection, timeoutMs }, ...rest),
    );
    expect((await send([messageOf('firing', alert)], now)).problem).toMatch(problem);
    await expect.poll(() => connections.open).toBe(0);
  });

test('a receiver that answers with a long page has the message', async ({ raise }) => {
  const page = 'x'.repeat(200_000);
  const length = `Content-Length: ${page.length}`;
  const { origin: url } = await raise(answering(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n${page}`));
  expect(await receiverOf({ ...webhook, url }).send([messageOf('firing', alert)], now)).toEqual({});
});

test('the receiver in monitor/README.md accepts what is signed, and nothing else', async () => {
  const readme = readFileSync(new URL('../../monitor/README.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(readme) ?? [];
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(10);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'receiver-'));
  writeFileSync(path.join(folder, 'receiver.mjs'), code);
  const { isAuthentic } = await import(path.join(folder, 'receiver.mjs'));
  const inbox = receivers();
  await receiverOf(webhook, inbox.exchange).send([messageOf('firing', alert)], Date.now());
  const { headers, body } = firstOf(inbox);
  expect(isAuthentic(headers, body, webhookKey)).toBe(true);
  expect(isAuthentic(headers, `${body} `, webhookKey)).toBe(false);
  expect(isAuthentic(headers, body, 'another key')).toBe(false);
  expect(isAuthentic({ ...headers, 'webhook-signature': 'v1,' }, body, webhookKey)).toBe(false);
  const late = { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) - 400}` };
  expect(isAuthentic(late, body, webhookKey)).toBe(false);
  const old = receivers();
  await receiverOf(webhook, old.exchange).send([messageOf('firing', alert)], Date.now() - 400_000);
  const replayed = firstOf(old);
  expect(isAuthentic(replayed.headers, replayed.body, webhookKey)).toBe(false);
});
