import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import type { exchange } from '../../contract/http/exchange.ts';
import { bodyOf } from '../../contract/http/http-request.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { alertNameOf, unreachableAlert } from '../../monitor/alert-name.ts';
import { alertSender } from '../../monitor/alertmanager.ts';
import {
  aTokenOpensTheEndpoint as opens,
  aRequestWithoutATokenIsRefused as refused,
} from '../../probes/bearer.ts';
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
const alertname = alertNameOf('BEARER-2');
const webhook = { title: 'webhook at hooks.test', url: new URL('https://hooks.test/a?b=c') };
const alertmanager = { title: 'Alertmanager', url: new URL('http://am.test/api/v2/alerts') };
/** A post to each of them about a request that was admitted without a token. */
const both = [`hooks.test ${alertname}`, `am.test ${alertname}`];

type Texts = Readonly<Record<string, string>>;

interface Alert {
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** A monitor of one provider, and two receivers, all in memory and in simulated time. */
function stage(change: Parameters<typeof quiet>[0] = {}) {
  const { time, provider, target } = quiet(change);
  const posted: { readonly host: string; readonly alerts: readonly Alert[] }[] = [];
  const logged: string[] = [];
  /** The status of the webhook's answers; 0 refuses the connection. */
  const hook = { status: 200 as number | Promise<number> };
  const network: typeof exchange = async ({ origin: { host }, timeoutMs }, request, where) => {
    expect(timeoutMs).toBe(10_000);
    posted.push({ host, alerts: JSON.parse(`${bodyOf(request)}`) });
    const status = host === 'hooks.test' ? await hook.status : 200;
    if (status === 0) throw new Unreachable('connect', where, 'ECONNREFUSED');
    const phases = { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 };
    return { status, httpVersion: '1.1', headers: [], body: Buffer.alloc(0), phases };
  };
  const note = (line: string): void => void logged.push(line);
  const { known } = watching([refused, opens], { time, provider, targets: [target] });
  const sender = alertSender({ time, known, log: { note, recovered: note }, exchange: network });
  sender.sendTo([webhook, alertmanager]);
  /** Admits requests without a token from now on, or refuses them. */
  const admit = (is: boolean): void => {
    provider.answer = (line, token) =>
      is && token === undefined && line.startsWith('GET') ? {} : undefined;
  };
  /** The receivers and alerts of the posts in this time. */
  const during = async (ms: number): Promise<string[]> => {
    const before = posted.length;
    await time.pass(ms);
    return posted
      .slice(before)
      .map(({ host, alerts }) => [host, ...alerts.map(({ labels }) => labels.alertname)].join(' '));
  };
  return { time, provider, posted, logged, hook, sender, admit, during };
}

test('a violated clause is posted each minute while it is violated, to end in five minutes', async () => {
  const { time, posted, admit, during, sender } = stage({ labels: { team: 'payments' } });
  expect(await during(3 * minute)).toEqual([]);
  admit(true);
  await time.pass(3 * minute);
  expect(await during(minute)).toEqual(both);
  const [first, last] = [posted[0]?.alerts[0], posted.at(-1)?.alerts[0]];
  const begunMs = Date.parse(last?.startsAt ?? '');
  const endMs = Date.parse(last?.endsAt ?? '');
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
    endsAt: expect.any(String),
  });
  expect(time.wall() - begunMs).toBeGreaterThan(3 * minute);
  expect(endMs - Date.parse(first?.endsAt ?? '')).toBe(3 * minute);
  expect(endMs - time.wall()).toBeGreaterThan(4 * minute);
  expect(endMs - time.wall()).toBeLessThanOrEqual(5 * minute);
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
  expect(await during(2 * minute)).toEqual(expect.arrayContaining(both));
});

test('a receiver that fails or hangs is logged once, delays no other, and may recover', async () => {
  const { time, admit, logged, hook, during } = stage();
  admit(true);
  hook.status = 503;
  await time.pass(5 * minute);
  const failing = 'alerts are not delivered: webhook at hooks.test';
  expect(logged).toEqual([`${failing} answers with status 503`]);
  hook.status = new Promise(() => {});
  expect(await during(2 * minute)).toEqual([...both, ...both]);
  hook.status = 200;
  await time.pass(2 * minute);
  hook.status = 0;
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
  expect(await during(minute)).toEqual([`am.test ${alertname}`]);
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

test('a monitor posts at its start and at a reload, and shows no secret', async () => {
  await using provider = await startProvider();
  await using inbox = await startInbox();
  provider.become(leaky);
  const file = targetsFile(provider.baseUrl);
  file.name('one');
  const content = JSON.parse(readFileSync(file.env.MONITOR_CONFIG, 'utf8'));
  const notifying = (...urls: readonly string[]): void => {
    const notify = urls.map((webhook) => ({ webhook, bearerEnv: 'HOOK' }));
    file.write(JSON.stringify({ ...content, notify }));
  };
  const env = { ...file.env, HOOK: bearer, MONITOR_STATE: `${file.folder}/monitor.sqlite` };
  await using first = startMonitor(env);
  const status = new URL('/status.json', await addressOf(first));
  const violated = async () => (await (await fetch(status)).text()).includes('"violated"');
  await expect.poll(violated, { timeout: 240_000 }).toBe(true);
  expect(await first.stop()).toBe(0);
  notifying(`${inbox.address.origin}/planted-path`);
  await using second = startMonitor(env);
  const page = await addressOf(second);
  const paths = () => [...new Set(inbox.received.map(({ path }) => path))];
  await expect.poll(paths).toEqual(['/planted-path']);
  notifying(`${inbox.address.origin}/another`, 'http://127.0.0.1:1/planted-path');
  expect((await fetch(new URL('/-/reload', page), { method: 'POST' })).status).toBe(200);
  await expect.poll(paths).toEqual(['/planted-path', '/another']);
  await expect.poll(second.stdout).toContain('webhook at 127.0.0.1:1: no connection');
  expect(inbox.received[0]?.headers.authorization).toBe(`Bearer ${bearer}`);
  expect(await second.stop()).toBe(0);
  const shown = [
    second.stdout(),
    second.stderr(),
    ...inbox.received.map(({ body }) => body),
  ].join();
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
