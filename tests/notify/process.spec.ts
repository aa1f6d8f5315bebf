import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { addressOf, startMonitor } from '../monitor/process.ts';
import { account, closedPort, leaky, startProvider, tokenMark } from '../monitor/provider.ts';
import { needs } from '../programs.ts';
import { alertmanagerToken, webhookKey } from './receivers.ts';
import { seen, settings, startWebhook } from './webhook-server.ts';

needs('openssl');

const secrets = [account.apiKey, account.secretKey, tokenMark, webhookKey, alertmanagerToken];

const soon = { timeout: 240_000, intervals: [100] };

test('a monitor that is killed again and again reports each event once, signed and without a secret', async () => {
  await using provider = await startProvider();
  await using hook = await startWebhook();
  const env = settings(provider.baseUrl, hook.address);
  const printed: string[] = [];
  const kill = async (monitor: ReturnType<typeof startMonitor>): Promise<void> => {
    await monitor.stop('SIGKILL');
    printed.push(monitor.stdout(), monitor.stderr());
  };
  provider.become(leaky);
  const first = startMonitor(env);
  await expect.poll(() => seen(hook), soon).toContain('firing ERROR-3');
  await kill(first);
  const second = startMonitor(env);
  await expect
    .poll(async () => (await fetch(await addressOf(second))).text(), soon)
    .toContain('ERROR-3');
  hook.status = 503;
  provider.become({});
  const page = await addressOf(second);
  await expect
    .poll(async () => (await fetch(page)).text(), soon)
    .toMatch(
      /Notifications are not delivered: webhook at 127\.0\.0\.1:\d+ answers with status 503/,
    );
  const status = await (await fetch(new URL('/status.json', page))).text();
  expect(JSON.parse(status).notifications.receivers[0]).toMatchObject({
    waiting: expect.any(Number),
  });
  const failing = 'monitor_notifications_last_delivery_successful{receiver="webhook"} 0';
  const metrics = async (): Promise<string> => (await fetch(new URL('/metrics', page))).text();
  await expect.poll(async () => (await metrics()).includes(failing), soon).toBe(true);
  printed.push(status, await metrics(), await (await fetch(page)).text());
  await kill(second);
  hook.status = 200;
  const third = startMonitor(env);
  await expect.poll(() => seen(hook), soon).toContain('resolved ERROR-3');
  await expect.poll(() => third.stdout(), soon).toContain('watching');
  expect(await third.stop()).toBe(0);
  await kill(third);
  for (const line of ['firing ERROR-3', 'resolved ERROR-3'])
    expect(seen(hook).filter((one) => one === line)).toEqual([line]);

  for (const { headers, body } of hook.posted) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const args = ['dgst', '-sha256', '-hmac', webhookKey, '-binary'];
    const signature = execFileSync('openssl', args, { input: signed }).toString('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    printed.push(JSON.stringify(headers), body);
  }
  printed.push(readFileSync(env.MONITOR_STATE, 'latin1'));
  for (const secret of [...secrets, 'planted-path'])
    expect(printed.filter((text) => text.includes(secret))).toEqual([]);
});

test('SIGTERM stops the runs at once, also while a receiver does not answer', async () => {
  await using provider = await startProvider();
  await using hook = await startWebhook();
  const { promise, resolve } = Promise.withResolvers<void>();
  hook.held = promise;
  provider.become(leaky);
  const monitor = startMonitor(settings(provider.baseUrl, hook.address));
  const ready = new URL('/-/ready', await addressOf(monitor));
  await expect.poll(() => hook.posted.length, soon).toBe(1);
  const ended = monitor.stop();
  const status = async (): Promise<number> => (await fetch(ready)).status;
  await expect.poll(status, soon).toBe(503);
  resolve();
  expect(await ended).toBe(0);
});

test('--check --notify sends a test message, and plain --check sends none', async () => {
  await using hook = await startWebhook();
  const alertmanager = `  alertmanagers: [{ url: "${closedPort.href}", bearerEnv: TOKEN }]\n`;
  const env = settings(closedPort, hook.address);
  const silent = startMonitor(env, ['--check']);
  expect(await silent.ended).toBe(0);
  expect(silent.stdout()).toContain('notifications  webhook at 127.0.0.1:');
  expect(hook.posted).toEqual([]);
  const sends = startMonitor(env, ['--check', '--notify']);
  expect(await sends.ended).toBe(0);
  expect(sends.stdout()).toMatch(/\nwebhook at 127\.0\.0\.1:\d+ accepts the test message\n$/);
  const body = JSON.parse(hook.posted[0]?.body ?? '');
  expect(body).toMatchObject({
    status: 'test',
    labels: { alertname: 'ContractMonitorTestNotification', severity: 'ticket' },
    annotations: { runbook_url: 'ops/runbook.md#contractmonitortestnotification' },
  });
  const fails = startMonitor(settings(closedPort, hook.address, alertmanager), [
    '--check',
    '--notify',
  ]);
  expect(await fails.ended).toBe(2);
  expect(fails.stderr()).toBe('Alertmanager at 127.0.0.1:1: no connection (ECONNREFUSED)\n');
  expect(hook.posted).toHaveLength(2);
  const output = [silent, sends, fails].flatMap((one) => [one.stdout(), one.stderr()]);
  for (const secret of secrets) expect(output.filter((text) => text.includes(secret))).toEqual([]);
});

for (const [args, line] of [
  [
    ['--check', '--notify'],
    '--notify needs a notify section in the targets file: see MONITOR_CONFIG',
  ],
  [['--check', '--all'], 'unknown argument --all: npm start -- --help lists the options'],
  [['--notify'], 'unknown argument --notify: npm start -- --help lists the options'],
  [['--check', '--notify', 'x'], 'unknown argument x: npm start -- --help lists the options'],
] as const)
  test(`${args.join(' ')} without notifications is refused in one line`, async () => {
    const monitor = startMonitor({}, args);
    expect(await monitor.ended).toBe(2);
    expect(monitor.stderr()).toBe(`${line}\n`);
  });
