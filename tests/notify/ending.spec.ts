import { expect, test } from '@playwright/test';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { Notifier } from '../../monitor/notify/notifier.ts';
import { openStateStore } from '../../monitor/state/state.ts';
import { simulatedTime } from '../monitor/simulated-time.ts';
import { configOf, receivers } from './receivers.ts';
import { minute, second } from './stage.ts';

/** Sends an alert for each of 30 targets to a webhook that needs five seconds for each. */
async function sending() {
  const time = simulatedTime();
  const inbox = receivers();
  const logged: string[] = [];
  const known = Array.from({ length: 30 }, (_, index) => ({
    name: `target-${index}`,
    labels: undefined,
    verdicts: [],
    inMaintenance: false,
    isHttps: true,
    outage: 'no answer',
    isNew: false,
  }));
  const notifier = new Notifier(
    {
      time,
      known: () => known,
      state: openStateStore(':memory:'),
      metrics: new Metrics({ version: '1.2.3' }),
      log: { note: (line) => void logged.push(line), recovered: (line) => void logged.push(line) },
      async exchange(...request) {
        await new Promise<void>((resolve) => void time.after(5 * second, resolve));
        return inbox.exchange(...request);
      },
    },
    configOf(),
  );
  notifier.start('monitor.test:9797');
  while (inbox.received.length === 0) await time.pass(second);
  return { time, inbox, logged, notifier };
}

test('a monitor that stops waits for the delivery in progress, and not for all that wait', async () => {
  const { time, inbox, notifier } = await sending();
  let hasStopped = false;
  void notifier.stop().then(() => {
    hasStopped = true;
  });
  await time.pass(10 * second);
  expect(hasStopped).toBe(true);
  const { length } = inbox.received;
  expect(length).toBeLessThanOrEqual(3);
  await time.pass(5 * minute);
  expect(inbox.received).toHaveLength(length);
});

test('a receiver that a reload removes gets no further messages', async () => {
  const { time, inbox, notifier } = await sending();
  notifier.configure(undefined);
  await time.pass(5 * minute);
  expect(inbox.received.length).toBeLessThanOrEqual(3);
});

test('a reload repeats no message that is being sent to a receiver that stays', async () => {
  const { time, inbox, notifier } = await sending();
  for (let seconds = 0; seconds < 200; seconds += 2) {
    notifier.configure(configOf());
    await time.pass(2 * second);
  }
  const ids = inbox.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.length).toBe(30);
  expect(new Set(ids).size).toBe(30);
});

test('a receiver that fails counts as failing after a reload, and its recovery is logged', async () => {
  const { time, inbox, logged, notifier } = await sending();
  inbox.answer = () => 500;
  await time.pass(minute);
  notifier.configure(configOf());
  const problem = 'webhook at hooks.test answers with status 500';
  expect(notifier.status()?.receivers).toMatchObject([{ problem }]);
  inbox.answer = () => 200;
  await time.pass(5 * minute);
  expect(logged).toEqual([
    `notifications are not delivered: ${problem}`,
    'notifications: webhook at hooks.test accepts them again',
  ]);
});

test('a reload during an attempt that fails lets the next attempt follow at once', async () => {
  const { time, inbox, notifier } = await sending();
  inbox.answer = () => 500;
  await time.pass(10 * minute);
  const before = inbox.received.length;
  while (inbox.received.length === before) await time.pass(second);
  await time.pass(63 * second);
  notifier.configure(configOf());
  await time.pass(12 * second);
  expect(inbox.received.length).toBe(before + 3);
});
