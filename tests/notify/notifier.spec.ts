import { expect, test } from '@playwright/test';
import { openStateStore } from '../../monitor/state/state.ts';
import { down } from '../monitor/in-memory.ts';
import { simulatedTime } from '../monitor/simulated-time.ts';
import { alertmanager, configOf, webhook } from './receivers.ts';
import { admitted, minute, second, stage, unreachable } from './stage.ts';

test('a violated clause is reported once, and once when it has held for long enough', async () => {
  const { time, inbox, admit } = stage();
  await time.pass(3 * minute);
  expect(inbox.accepted()).toEqual([]);
  admit(true);
  await time.pass(10 * minute);
  expect(inbox.accepted()).toEqual([`firing ${admitted}`]);
  admit(false);
  await time.pass(12 * minute);
  expect(inbox.accepted()).toHaveLength(1);
  await time.pass(6 * minute);
  expect(inbox.accepted()).toEqual([`firing ${admitted}`, `resolved ${admitted}`]);
  const [begun, ended] = inbox.received.map(({ body }) => JSON.parse(body));
  expect(begun.startsAt).toBe(ended.startsAt);
  expect(begun.endsAt).toBeUndefined();
  // The end is the time at which the clause held again, not the time of the report.
  expect(time.wall() - Date.parse(ended.endsAt)).toBeGreaterThan(15 * minute);
  expect(begun.id).not.toBe(ended.id);
  expect(begun.annotations).toMatchObject({
    summary: 'under-test accepts unauthorized requests: BEARER-2',
    finding: expect.stringContaining('expected 401'),
  });
});

test('an outage is reported after two minutes, and its end at once', async () => {
  const { time, inbox, provider } = stage();
  await time.pass(3 * minute);
  provider.answer = down;
  await time.pass(2 * minute);
  expect(inbox.accepted()).toEqual([]);
  await time.pass(3 * minute);
  expect(inbox.accepted()).toEqual([`firing ${unreachable}`]);
  expect(inbox.received[0]?.body).toContain('(ECONNREFUSED)');
  provider.answer = () => undefined;
  await time.pass(2 * minute);
  expect(inbox.accepted()).toEqual([`firing ${unreachable}`, `resolved ${unreachable}`]);
});

test('an outage is reported once if it goes on at another address', async () => {
  const { time, inbox, provider, watch } = stage();
  const moveTo = (address: string): void => {
    const connection = { ...provider.target.connection, origin: new URL(address) };
    const [endpoint] = provider.target.endpoints;
    watch.retarget([{ ...provider.target, connection, endpoints: [endpoint], canaries: 'off' }]);
  };
  provider.answer = down;
  await time.pass(5 * minute);
  moveTo('http://still-wrong');
  await time.pass(5 * minute);
  expect(inbox.accepted()).toEqual([`firing ${unreachable}`]);
  provider.answer = () => undefined;
  moveTo('http://right');
  await time.pass(5 * second);
  expect(inbox.accepted()).toEqual([`firing ${unreachable}`, `resolved ${unreachable}`]);
});

test('an outage that ends within two minutes is not reported, and neither is a suspended machine', async () => {
  const { time, inbox, provider } = stage();
  await time.pass(3 * minute);
  provider.answer = down;
  await time.pass(80 * second);
  provider.answer = () => undefined;
  await time.pass(3 * minute);
  provider.answer = down;
  await time.pass(80 * second);
  time.suspend(60 * minute);
  time.step(60 * minute);
  await time.pass(2 * second);
  provider.answer = () => undefined;
  await time.pass(3 * minute);
  expect(inbox.accepted()).toEqual([]);
});

test('a clause that is violated before an outage keeps its alert until it is seen to hold', async () => {
  const one = stage();
  const { time, inbox, provider, admit } = one;
  await time.pass(3 * minute);
  admit(true);
  await time.pass(3 * minute);
  provider.answer = down;
  await time.pass(60 * minute);
  expect(inbox.accepted()).toEqual([`firing ${admitted}`, `firing ${unreachable}`]);
  admit(false);
  await time.pass(20 * minute);
  const ends = [`resolved ${unreachable}`, `resolved ${admitted}`];
  expect(inbox.accepted()).toEqual([`firing ${admitted}`, `firing ${unreachable}`, ...ends]);
});

test('a state that cannot be written is reported after five minutes, although nothing can be stored', async () => {
  const state = openStateStore(':memory:');
  let problem: string | undefined;
  const broken = { ...state, problem: () => problem };
  const { time, inbox } = stage({ state: broken });
  await time.pass(minute);
  problem = 'the state file cannot be written: database or disk is full: make room there';
  await time.pass(4 * minute);
  expect(inbox.accepted()).toEqual([]);
  await time.pass(2 * minute);
  expect(inbox.accepted()).toEqual(['firing ContractMonitorStateNotWritable']);
  const { labels } = JSON.parse(inbox.received[0]?.body ?? '');
  expect(labels.instance).toBe('monitor.test:9797');
  problem = undefined;
  await time.pass(5 * second);
  expect(inbox.accepted()).toHaveLength(2);
});

test('nothing is sent in maintenance, and what is still so after it is', async () => {
  const from = simulatedTime().wall() + 10 * minute;
  const maintenance = [{ from, until: from + 60 * minute }];
  const { time, inbox, provider, admit } = stage({ change: { maintenance } });
  await time.pass(11 * minute);
  provider.answer = down;
  await time.pass(20 * minute);
  admit(true);
  await time.pass(38 * minute);
  expect(inbox.received).toEqual([]);
  await time.pass(20 * minute);
  expect(inbox.accepted()).toEqual([`firing ${admitted}`]);
});

test('a restart repeats nothing, and forgets nothing', async () => {
  const file = test.info().outputPath('monitor.sqlite');
  const first = openStateStore(file);
  const one = stage({ state: first });
  const { time, inbox, admit } = one;
  await time.pass(3 * minute);
  admit(true);
  await time.pass(3 * minute);
  expect(inbox.accepted()).toEqual([`firing ${admitted}`]);
  first.close();
  const second = openStateStore(file);
  one.restart(second);
  await time.pass(10 * minute);
  admit(false);
  await time.pass(2 * minute);
  second.close();
  const third = openStateStore(file);
  one.restart(third);
  await time.pass(20 * minute);
  expect(inbox.accepted()).toEqual([`firing ${admitted}`, `resolved ${admitted}`]);
  expect(third.entries('under-test', 'alert').size).toBe(0);
  expect(third.entries('under-test', 'message').size).toBe(0);
  third.close();
});

test('an outage of the receiver loses nothing, over a restart too', async () => {
  const file = test.info().outputPath('monitor.sqlite');
  const first = openStateStore(file);
  const one = stage({ state: first });
  const { time, inbox, admit, logged } = one;
  inbox.answer = () => undefined;
  await time.pass(3 * minute);
  admit(true);
  await time.pass(3 * minute);
  admit(false);
  await time.pass(20 * minute);
  const attempts = inbox.received.length;
  expect(attempts).toBeGreaterThan(10);
  expect(attempts).toBeLessThan(40);
  expect(one.notifier.status()).toEqual({
    receivers: [
      {
        receiver: 'webhook at hooks.test',
        waiting: 2,
        problem: 'webhook at hooks.test: no connection (ECONNREFUSED)',
      },
    ],
    dropped: 0,
  });
  first.close();
  const second = openStateStore(file);
  one.restart(second);
  inbox.answer = () => 200;
  await time.pass(minute);
  expect(inbox.accepted()).toEqual([`firing ${admitted}`, `resolved ${admitted}`]);
  const ids = inbox.received.slice(0, attempts).map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  expect(logged).toEqual([
    'warn notifications are not delivered: webhook at hooks.test: no connection (ECONNREFUSED)',
  ]);
  second.close();
});

test('a message that a receiver refuses does not hold up the others, and is tried again', async () => {
  const one = stage();
  const { time, inbox, provider, admit } = one;
  await time.pass(3 * minute);
  inbox.answer = (_, body) => (body.includes('BEARER-2') ? 400 : 200);
  admit(true);
  await time.pass(3 * minute);
  provider.answer = down;
  await time.pass(10 * minute);
  expect(inbox.accepted()).toEqual([`firing ${unreachable}`]);
  inbox.answer = () => 200;
  await time.pass(2 * minute);
  expect(inbox.accepted()).toEqual([`firing ${unreachable}`, `firing ${admitted}`]);
  expect(one.logged.at(-1)).toBe('info notifications: webhook at hooks.test accepts them again');
});

test('metrics count what was delivered, what failed and what waits', async () => {
  const one = stage({ config: configOf([webhook, alertmanager]) });
  const { time, inbox, admit } = one;
  inbox.answer = (host) => (host === 'hooks.test' ? 503 : 200);
  await time.pass(3 * minute);
  admit(true);
  await time.pass(3 * minute);
  const text = await one.watch.metrics.text();
  for (const line of [
    'monitor_notifications_delivered_total{receiver="alertmanager"} 1',
    'monitor_notifications_delivered_total{receiver="webhook"} 0',
    'monitor_notifications_failed_total{receiver="alertmanager"} 0',
    'monitor_notifications_waiting{receiver="alertmanager"} 0',
    'monitor_notifications_waiting{receiver="webhook"} 1',
    'monitor_notifications_last_delivery_successful{receiver="alertmanager"} 1',
    'monitor_notifications_last_delivery_successful{receiver="webhook"} 0',
  ])
    expect(text.split('\n')).toContain(line);
  one.notifier.configure(configOf([alertmanager]));
  await time.pass(5 * second);
  const later = await one.watch.metrics.text();
  expect(later).toContain('monitor_notifications_last_delivery_successful{receiver="webhook"} 1');
  expect(one.watch.state.entries('under-test', 'message').size).toBe(0);
});

test('nothing is sent after the monitor has stopped, or while no receiver is configured', async () => {
  const one = stage();
  const { time, inbox, admit } = one;
  await time.pass(3 * minute);
  await one.notifier.stop();
  admit(true);
  await time.pass(5 * minute);
  expect(inbox.received).toEqual([]);
  const other = stage({ config: 'none' });
  other.admit(true);
  await other.time.pass(5 * minute);
  expect(other.inbox.received).toEqual([]);
  other.notifier.configure(configOf());
  await other.time.pass(5 * second);
  expect(other.inbox.accepted()).toEqual([`firing ${admitted}`]);
});
