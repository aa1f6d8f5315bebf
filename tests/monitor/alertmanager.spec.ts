import { readFileSync } from 'node:fs';
import { mustHold } from '../../contract/clauses.ts';
import type { exchange } from '../../contract/http/exchange.ts';
import { encodeBody } from '../../contract/http/http-request.ts';
import { endpointName } from '../../contract/http/request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { alertNameFor, alertSender, unreachableAlert } from '../../monitor/alertmanager.ts';
import type { TargetView } from '../../monitor/status/view.ts';
import { aTokenOpensTheEndpoint as control } from '../../probes/bearer.ts';
import { startInbox } from '../operations/inbox.ts';
import { startAlertmanager } from '../operations/stack.ts';
import { needs } from '../programs.ts';
import { alerts, raisedBy } from '../rules/rules.ts';
import { expect, test } from '../test.ts';
import { findAddress, startMonitor } from './process.ts';
import { account, leaky, startProvider, tokenMark } from './provider.ts';
import { broken, kept, target, unreachable } from './runs.ts';
import { simulatedTime } from './simulated-time.ts';
import { now, statusAfter, viewWith } from './statuses.ts';
import { targetsFile } from './targets-file.ts';

const minute = 60_000;
const bearer = 'planted-BEARER-91c2';
const alertname = alertNameFor('BEARER-2');
const webhook = { url: new URL('https://hooks.test/a?b=c') };
const alertmanager = { url: new URL('http://am.test/api/v2/alerts') };
const both = [`hooks.test ${alertname}`, `am.test ${alertname}`];

const silent = target.endpoints.map((endpoint) =>
  unreachable(control, 'timeout', { endpoint: endpointName(endpoint), at: now }),
);
const labels = { team: 'payments' };
const holding = viewWith(statusAfter([kept(control, { at: now })]));
// It began later than the clock says now, which was set back.
const violating = viewWith(statusAfter([broken(control, 'BEARER-2', { at: now + 1 })]), { labels });
const silenced = viewWith(statusAfter(silent));

const phases = { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 };

/** A sender with two receivers, in memory and in simulated time. @param targets may be changed later */
function stage(...targets: TargetView[]) {
  const time = simulatedTime(now);
  const posted: { host: string; all: { labels: { alertname: string } }[] }[] = [];
  const logged: string[] = [];
  // Of the webhook's answers; 0 refuses the connection.
  const hook = { status: 200 as number | Promise<number> };
  const network: typeof exchange = async ({ origin: { host }, timeoutMs }, request, where) => {
    expect(timeoutMs).toBe(10_000);
    posted.push({ host, all: JSON.parse(`${encodeBody(request)}`) });
    const status = host === 'hooks.test' ? await hook.status : 200;
    if (status === 0) throw new UnreachableError('connect', where, 'ECONNREFUSED');
    return { status, headers: [], body: Buffer.alloc(0), phases };
  };
  const note = (line: string): void => void logged.push(line);
  const sender = alertSender({
    time,
    targets: () => targets,
    exchange: network,
    log: { warn: note, info: note },
  });
  sender.sendTo([webhook, alertmanager]);
  const during = async (ms: number): Promise<string[]> => {
    const before = posted.length;
    await time.pass(ms);
    const later = posted.slice(before);
    return later.flatMap(({ host, all }) =>
      all.map((alert) => `${host} ${alert.labels.alertname}`),
    );
  };
  return { targets, posted, logged, hook, sender, during };
}

test('a violated clause is posted each minute while it is violated, to end in five minutes', async () => {
  const { targets, posted, during, sender } = stage(violating);
  expect(posted[0]?.all).toEqual([
    {
      labels: { ...labels, alertname, severity: 'page', target: target.name, clause: 'BEARER-2' },
      annotations: {
        summary: `${target.name} breaks the contract: BEARER-2`,
        description: expect.stringMatching(/^This does not hold on .*: .*: expected 401/),
        runbook_url: `ops/runbook.md#${alertname.toLowerCase()}`,
      },
      startsAt: new Date(now).toISOString(),
      endsAt: new Date(now + 5 * minute).toISOString(),
    },
  ]);
  expect(await during(minute)).toEqual(both);
  expect(posted[2]?.all[0]).toMatchObject({ endsAt: new Date(now + 6 * minute).toISOString() });
  targets[0] = { ...violating, maintenance: { from: 0, until: now } };
  expect(await during(5 * minute)).toEqual([]);
  targets[0] = violating;
  sender.stop();
  expect(await during(5 * minute)).toEqual([]);
});

test('an outage of all endpoints is posted after two minutes, until it is over or maintenance begins', async () => {
  const { targets, posted, during } = stage(silenced);
  expect(await during(2 * minute - 1)).toEqual([]);
  expect(await during(minute)).toContain(`am.test ${unreachableAlert}`);
  expect(JSON.stringify(posted[0]?.all)).toContain('no complete answer in time');
  const maintenance = { from: 0, until: now };
  const partly = viewWith(statusAfter(silent.slice(0, 1)));
  for (const quiet of [holding, partly, { ...silenced, maintenance }]) {
    targets[0] = quiet;
    expect(await during(5 * minute)).toEqual([]);
  }
});

test('a receiver that fails or hangs is logged once, delays no other, and may recover', async () => {
  const { logged, hook, during } = stage(violating);
  hook.status = 503;
  await during(5 * minute);
  const failing = 'alerts are not delivered: receiver at hooks.test';
  expect(logged).toEqual([`${failing} answers with status 503`]);
  hook.status = new Promise(() => {});
  expect(await during(2 * minute)).toEqual([...both, ...both]);
  hook.status = 200;
  await during(2 * minute);
  expect(logged[1]).toBe('receiver at hooks.test accepts alerts again');
  hook.status = 0;
  await during(5 * minute);
  expect(logged[2]).toBe(`${failing}: no connection (ECONNREFUSED)`);
});

test('each clause raises the alert that the rules raise', () => {
  for (const { id } of mustHold) expect(raisedBy(id), id).toEqual([alertNameFor(id)]);
  expect(alerts.map(({ alert }) => alert)).toContain(unreachableAlert);
});

test('a monitor posts at a reload, and shows no secret', async () => {
  await using provider = await startProvider();
  await using inbox = await startInbox();
  provider.become(leaky);
  const file = targetsFile(provider.baseUrl);
  file.name('one');
  const content = JSON.parse(readFileSync(file.env.PUBLIC_API_TARGETS, 'utf8'));
  await using monitor = startMonitor({ ...file.env, HOOK: bearer });
  const page = await findAddress(monitor);
  const status = async () => (await fetch(new URL('/status.json', page))).text();
  await expect.poll(status, { timeout: 240_000 }).toContain('"violated"');
  const urls = [`${inbox.address.origin}/another`, 'http://127.0.0.1:1/planted-path'];
  const notify = urls.map((url) => ({ url, bearerEnv: 'HOOK' }));
  file.write(JSON.stringify({ ...content, notify }));
  expect((await fetch(new URL('/-/reload', page), { method: 'POST' })).status).toBe(200);
  await expect.poll(() => inbox.received[0]?.path).toBe('/another');
  await expect.poll(monitor.stdout).toContain('receiver at 127.0.0.1:1: no connection');
  expect(inbox.received[0]?.headers.authorization).toBe(`Bearer ${bearer}`);
  expect(await monitor.stop()).toBe(0);
  const shown = monitor.stdout() + monitor.stderr() + inbox.received.map(({ body }) => body);
  for (const secret of [account.apiKey, account.secretKey, tokenMark, bearer, 'planted-path'])
    expect(shown).not.toContain(secret);
});

test.describe('a real Alertmanager', () => {
  needs('alertmanager');

  test('takes an alert, and ends it five minutes after the last post', async () => {
    const config = 'route: { receiver: none }\nreceivers: [{ name: none }]\n';
    await using daemon = await startAlertmanager(config);
    const url = new URL('/api/v2/alerts', daemon.address);
    const active = async () => (await fetch(url)).json();
    const options = { targets: () => [violating], log: { warn: () => {}, info: () => {} } };
    const postAt = (atMs: number): void => {
      const sender = alertSender({ ...options, time: { wall: () => atMs, after: () => () => {} } });
      sender.sendTo([{ url }]);
    };
    postAt(Date.now());
    await expect.poll(active).toMatchObject([{ labels: { alertname, target: target.name } }]);
    // To this Alertmanager it is a post of five minutes ago.
    postAt(Date.now() - 5 * minute);
    await expect.poll(active).toEqual([]);
  });
});
