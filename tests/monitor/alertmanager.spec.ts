import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { bodyOf } from '../../contract/http/request-encoding.ts';
import type { exchange } from '../../contract/http/transport.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { alertSender } from '../../monitor/alertmanager.ts';
import { alertNameOf, unreachableAlert } from '../../monitor/target/alert-name.ts';
import { aRequestWithoutATokenIsRefused as refused } from '../../probes/a-request-without-a-token-is-refused.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { startInbox } from '../operations/inbox.ts';
import { startAlertmanager } from '../operations/stack.ts';
import { needs } from '../programs.ts';
import { alerts as rules } from '../rules/rules.ts';
import { exampleConfig } from './example-config.ts';
import { down, quiet, watching } from './in-memory.ts';
import { addressOf, startMonitor } from './process.ts';
import { account, leaky, startProvider, tokenMark } from './provider.ts';
import { targetsFile } from './targets-file.ts';

const minute = 60_000;
const bearer = 'planted-BEARER-91c2';
const admitted = `${alertNameOf('BEARER-2')} BEARER-2`;
const webhook = { title: 'webhook at hooks.test', url: new URL('https://hooks.test/a?b=c') };
const alertmanager = {
  title: 'Alertmanager at am.test',
  url: new URL('http://am.test/api/v2/alerts'),
};

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** A monitor of one provider, and its receivers, all in memory and in simulated time. */
function stage(change: Parameters<typeof quiet>[0] = {}) {
  const { time, provider, target } = quiet(change);
  const posted: { readonly host: string; readonly alerts: readonly Alert[] }[] = [];
  const logged: string[] = [];
  /** The status of an answer; 0 refuses the connection. */
  const receivers = { answer: (_host: string): number | Promise<number> => 200 };
  const network: typeof exchange = async ({ origin: { host }, timeoutMs }, request, where) => {
    expect(timeoutMs).toBe(10_000);
    posted.push({ host, alerts: JSON.parse(`${bodyOf(request)}`) });
    const status = await receivers.answer(host);
    if (status === 0) throw new Unreachable('connect', where, 'ECONNREFUSED');
    const phases = { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 };
    return { status, httpVersion: '1.1', headers: [], body: Buffer.alloc(0), phases };
  };
  const { known } = watching([refused, opens], { time, provider, targets: [target] });
  const log = {
    note: (line: string) => void logged.push(line),
    recovered: (line: string) => void logged.push(line),
  };
  const sender = alertSender({ time, known, log, exchange: network });
  sender.sendTo([webhook, alertmanager]);
  return {
    time,
    provider,
    posted,
    logged,
    receivers,
    sender,
    /** Admits requests without a token from now on, or refuses them. */
    admit(is: boolean) {
      provider.answer = (line, token) =>
        is && token === undefined && line.startsWith('GET') ? {} : undefined;
    },
    /** The receivers and alerts of the posts in this time. */
    async during(ms: number): Promise<string[]> {
      const before = posted.length;
      await time.pass(ms);
      return posted.slice(before).map(({ host, alerts }) => {
        const names = alerts.map(({ labels: { alertname, clause } }) => [alertname, clause]);
        return [host, ...names.flat()].filter((part) => part !== undefined).join(' ');
      });
    },
  };
}

test('a violated clause is posted each minute while it is violated, to end in five minutes', async () => {
  const { time, posted, admit, during, sender } = stage({ labels: { team: 'payments' } });
  expect(await during(3 * minute)).toEqual([]);
  admit(true);
  await time.pass(3 * minute);
  expect(await during(minute)).toEqual([`hooks.test ${admitted}`, `am.test ${admitted}`]);
  const [first, last] = [posted[0]?.alerts[0], posted.at(-1)?.alerts[0]];
  const alertname = alertNameOf('BEARER-2');
  expect(last).toEqual({
    labels: {
      team: 'payments',
      alertname,
      severity: 'page',
      target: 'under-test',
      clause: 'BEARER-2',
    },
    annotations: {
      summary: 'under-test breaks the contract: BEARER-2',
      description: expect.stringMatching(/^This does not hold on under-test: .*: expected 401/),
      runbook_url: `ops/runbook.md#${alertname.toLowerCase()}`,
    },
    startsAt: first?.startsAt,
    endsAt: new Date(Date.parse(first?.endsAt ?? '') + 3 * minute).toISOString(),
  });
  expect(time.wall() - Date.parse(last?.startsAt ?? '')).toBeGreaterThan(3 * minute);
  const aheadMs = Date.parse(last?.endsAt ?? '') - time.wall();
  expect(aheadMs).toBeGreaterThan(4 * minute);
  expect(aheadMs).toBeLessThanOrEqual(5 * minute);
  admit(false);
  await time.pass(2 * minute);
  expect(await during(10 * minute)).toEqual([]);
  sender.stop();
  admit(true);
  expect(await during(5 * minute)).toEqual([]);
});

test('an outage is posted after two minutes, and no longer once it is over', async () => {
  const { time, posted, provider, during } = stage();
  await time.pass(3 * minute);
  provider.answer = down;
  expect(await during(2 * minute)).toEqual([]);
  expect(await during(2 * minute)).toContain(`am.test ${unreachableAlert}`);
  expect(posted[0]?.alerts[0]?.annotations.description).toContain('(ECONNREFUSED)');
  provider.answer = () => undefined;
  await time.pass(2 * minute);
  expect(await during(5 * minute)).toEqual([]);
});

test('no alert is posted in maintenance', async () => {
  const from = Date.UTC(2027, 2, 1);
  const { admit, during } = stage({ maintenance: [{ from, until: from + 10 * minute }] });
  admit(true);
  expect(await during(9 * minute)).toEqual([]);
  expect(await during(2 * minute)).toContain(`am.test ${admitted}`);
});

test('a receiver that fails or hangs is logged once, delays no other, and may recover', async () => {
  const { time, admit, logged, receivers, during } = stage();
  admit(true);
  receivers.answer = (host) => (host === 'am.test' ? 200 : 503);
  await time.pass(5 * minute);
  const failing = 'alerts are not delivered: webhook at hooks.test';
  expect(logged).toEqual([`${failing} answers with status 503`]);
  receivers.answer = (host) => (host === 'am.test' ? 200 : new Promise(() => {}));
  const both = [`hooks.test ${admitted}`, `am.test ${admitted}`];
  expect(await during(2 * minute)).toEqual([...both, ...both]);
  receivers.answer = () => 200;
  await time.pass(2 * minute);
  receivers.answer = (host) => (host === 'am.test' ? 200 : 0);
  await time.pass(5 * minute);
  expect(logged.slice(1)).toEqual([
    'webhook at hooks.test accepts alerts again',
    `${failing}: no connection (ECONNREFUSED)`,
  ]);
});

test('new receivers get at once what holds, and earlier ones get nothing more', async () => {
  const { time, admit, posted, sender, during } = stage();
  admit(true);
  await time.pass(3 * minute);
  const before = posted.length;
  sender.sendTo([alertmanager]);
  expect(posted.slice(before).map(({ host }) => host)).toEqual(['am.test']);
  expect(await during(minute)).toEqual([`am.test ${admitted}`]);
  sender.sendTo([]);
  expect(await during(5 * minute)).toEqual([]);
});

test('each clause raises the alert that the rules raise', () => {
  const pattern = /target_clause:contract_broken:lately\{clause(=~?|!~)"(.*)"\}/;
  const ruleOf = (clause: string): string | undefined =>
    rules.find(({ expr }) => {
      const [, is, names = ''] = pattern.exec(expr) ?? [];
      return is !== undefined && new RegExp(`^(?:${names})$`).test(clause) === (is !== '!~');
    })?.alert;
  for (const { id } of mustHold) expect(alertNameOf(id), id).toBe(ruleOf(id));
  expect(rules.map(({ alert }) => alert)).toContain(unreachableAlert);
});

test('the receivers of monitor.example.yaml take effect, with their credentials', () => {
  const { notify } = exampleConfig(test.info().outputPath('there'));
  expect(notify).toMatchObject([
    { title: 'Alertmanager at alertmanager.example.com', authorization: expect.any(Secret) },
    {
      url: new URL('https://alertmanager-2.example.com/behind/a/path/api/v2/alerts'),
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
    },
    { title: 'webhook at hooks.example.com', url: new URL('https://hooks.example.com/contract') },
  ]);
  for (const index of [0, 2])
    expect(notify[index]?.authorization?.equals(new Secret('Bearer <TOKEN>'))).toBe(true);
});

test('a monitor posts to the receivers that a reload names, and shows no secret', async () => {
  await using provider = await startProvider();
  await using inbox = await startInbox();
  provider.become(leaky);
  const file = targetsFile(provider.baseUrl);
  file.name('one');
  const content = JSON.parse(readFileSync(file.env.MONITOR_CONFIG, 'utf8'));
  await using monitor = startMonitor({ ...file.env, HOOK: bearer });
  const page = await addressOf(monitor);
  const status = async (): Promise<string> => (await fetch(new URL('/status.json', page))).text();
  await expect.poll(status, { timeout: 240_000 }).toContain('"violated"');
  const urls = [`${inbox.address.origin}/planted-path`, 'http://127.0.0.1:1/planted-path'];
  const notify = urls.map((url) => ({ webhook: url, bearerEnv: 'HOOK' }));
  writeFileSync(file.env.MONITOR_CONFIG, JSON.stringify({ ...content, notify }));
  expect((await fetch(new URL('/-/reload', page), { method: 'POST' })).status).toBe(200);
  await expect.poll(() => inbox.received.length).toBe(1);
  await expect.poll(monitor.stdout).toContain('webhook at 127.0.0.1:1: no connection');
  const [posted] = inbox.received;
  expect(posted?.path).toBe('/planted-path');
  expect(posted?.headers.authorization).toBe(`Bearer ${bearer}`);
  expect(await monitor.stop()).toBe(0);
  const shown = [monitor.stdout(), monitor.stderr(), posted?.body].join('\n');
  for (const secret of [account.apiKey, account.secretKey, tokenMark, bearer, 'planted-path'])
    expect(shown).not.toContain(secret);
});

test.describe('a real Alertmanager', () => {
  needs('alertmanager');

  test('takes an alert, and ends it five minutes after the last post', async () => {
    const config = 'route: { receiver: none }\nreceivers: [{ name: none }]\n';
    await using daemon = await startAlertmanager(config);
    const url = new URL('/api/v2/alerts', daemon.address);
    const kept = async (): Promise<Alert[]> => JSON.parse(await (await fetch(url)).text());
    const outage = { detail: 'timeout', since: 0 };
    const known = () => [{ name: 'api', verdicts: [], inMaintenance: false, outage }];
    const log = { note: () => {}, recovered: () => {} };
    const postedAt = (wall: () => number) =>
      alertSender({ known, log, time: { wall, after: () => () => {} } }).sendTo([
        { title: 'Alertmanager', url },
      ]);
    postedAt(Date.now);
    await expect.poll(async () => (await kept()).length).toBe(1);
    const [alert] = await kept();
    expect(alert?.labels).toMatchObject({ alertname: unreachableAlert, target: 'api' });
    const aheadMs = Date.parse(alert?.endsAt ?? '') - Date.now();
    expect(aheadMs).toBeGreaterThan(minute);
    expect(aheadMs).toBeLessThanOrEqual(5 * minute);
    // To this Alertmanager it is a post of five minutes ago.
    postedAt(() => Date.now() - 5 * minute);
    await expect.poll(kept).toEqual([]);
  });
});
