import { expect, test } from '@playwright/test';
import { type Message, messageOf } from '../../monitor/notify/alert.ts';
import { Delivery, type FiringOf } from '../../monitor/notify/delivery.ts';
import { Outbox } from '../../monitor/notify/outbox.ts';
import type { Attempt, Receiver } from '../../monitor/notify/receiver.ts';
import { openStateStore } from '../../monitor/state/state.ts';
import { simulatedTime } from '../monitor/simulated-time.ts';

const alertOf = (alertname: string, startsAt = 1) => ({
  labels: { alertname },
  annotations: {},
  startsAt,
});
const begins = (name: string, at?: number): Message => messageOf('firing', alertOf(name, at));
const ends = (name: string, at = 1): Message => messageOf('resolved', alertOf(name, at), at + 1);

/** A delivery that runs once a second, to a receiver whose answers the test decides. */
function stage(more: Partial<Receiver> = {}) {
  const time = simulatedTime();
  const outbox = new Outbox(openStateStore(':memory:'), time.monotonic);
  const sent: string[] = [];
  const problems: (string | undefined)[] = [];
  const made = {
    time,
    outbox,
    sent,
    problems,
    attempt: {} as Attempt,
    firing: [] as FiringOf[],
    isHeld: true,
    /** Advances time. @returns what was sent in this time, each line with its second */
    async pass(seconds: number): Promise<string[]> {
      const before = sent.length;
      for (let count = 0; count < seconds; count += 1) {
        delivery.send(outbox.waitingFor('r'), made.firing);
        await delivery.settled();
        await time.pass(1_000);
      }
      return sent.slice(before);
    },
  };
  const receiver: Receiver = {
    name: 'r',
    kind: 'webhook',
    title: 'the receiver',
    most: 1,
    spacingMs: 0,
    ...more,
    async send(messages) {
      const names = messages.map(({ status, alert }) => `${status} ${alert.labels.alertname}`);
      sent.push(`${time.truth() / 1000} ${names.join(', ')}`);
      return made.attempt;
    },
  };
  const delivery = new Delivery(receiver, {
    time,
    sendsSince: () => (made.isHeld ? 0 : undefined),
    isSafe: () => true,
    onDelivered: (waiting) => outbox.remove(waiting),
    onFailed: () => {},
    onProblem: (problem) => void problems.push(problem),
  });
  return made;
}

test('messages of an alert are delivered in their order, and those of other alerts beside them', async () => {
  const { outbox, pass } = stage();
  for (const message of [begins('a'), ends('a'), begins('b')]) outbox.add('t', 'r', message);
  expect(await pass(3)).toEqual(['0 firing a', '0 firing b', '1 resolved a']);
  expect(await pass(60)).toEqual([]);
});

test('attempts after failures come less and less often, and at least once a minute', async () => {
  const one = stage();
  one.attempt = { problem: 'it is down' };
  one.outbox.add('t', 'r', begins('a'));
  const at = (await one.pass(300)).map((line) => Number(line.split(' ')[0]));
  expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  one.attempt = {};
  expect(await one.pass(60)).toEqual(['303 firing a']);
  expect(one.problems).toEqual(['it is down', undefined]);
});

test('an Alertmanager gets an end a minute after the beginning, so that it reports both', async () => {
  const { outbox, pass } = stage({ spacingMs: 60_000, most: 100 });
  for (const message of [begins('a'), ends('a'), begins('b')]) outbox.add('t', 'r', message);
  expect(await pass(200)).toEqual(['0 firing a, firing b', '60 resolved a']);
});

test('an end waits for a minute after a restart, since the beginning may just have been sent', async () => {
  const { outbox, pass } = stage({ spacingMs: 60_000 });
  outbox.add('t', 'r', ends('a'));
  expect(await pass(200)).toEqual(['60 resolved a']);
});

test('alerts that fire are sent again each minute, except those whose end is waiting', async () => {
  const one = stage({ spacingMs: 60_000, repeatMs: 60_000, most: 2 });
  one.firing = ['a', 'b', 'c'].map((name) => ({ target: 't', alert: alertOf(name) }));
  one.outbox.add('t', 'r', ends('c'));
  expect(await one.pass(59)).toEqual(['0 firing a, firing b']);
  one.firing = one.firing.slice(0, 2);
  expect(await one.pass(62)).toEqual([
    '60 resolved c',
    '60 firing a, firing b',
    '120 firing a, firing b',
  ]);
});

test('alerts that could not be sent again are sent as soon as the receiver is back', async () => {
  const one = stage({ repeatMs: 60_000, most: 100 });
  one.firing = [{ target: 't', alert: alertOf('a') }];
  one.attempt = { problem: 'it is down' };
  expect(await one.pass(4)).toEqual(['0 firing a', '1 firing a', '3 firing a']);
  one.attempt = {};
  expect(await one.pass(60)).toEqual(['7 firing a']);
});

test('nothing is sent of a target that another monitor has taken', async () => {
  const one = stage({ repeatMs: 60_000 });
  one.firing = [{ target: 't', alert: alertOf('b') }];
  one.outbox.add('t', 'r', begins('a'));
  one.isHeld = false;
  expect(await one.pass(60)).toEqual([]);
});

test('an outbox holds 64 messages for each target and receiver, and drops the oldest', () => {
  const state = openStateStore(':memory:');
  const outbox = new Outbox(state, () => 0);
  for (let at = 0; at < 70; at += 1) outbox.add('t', 'r', begins('a', at));
  outbox.add('t', 'other', begins('a', 1));
  outbox.add('u', 'r', begins('a', 2));
  const waiting = outbox.waitingFor('r').map(({ message }) => message.alert.startsAt);
  expect(waiting).toEqual([...Array.from({ length: 64 }, (_, index) => index + 6), 2]);
  expect(outbox.dropped).toBe(6);
  expect(state.entries('t', 'message').size).toBe(65);
  const later = new Outbox(state, () => 0);
  later.begin('t');
  expect(later.waitingFor('r').map(({ message }) => message.alert.startsAt)).toEqual(
    waiting.slice(0, -1),
  );
});

test('rows that are damaged, or of another version, are left out', () => {
  const state = openStateStore(':memory:');
  const outbox = new Outbox(state, () => 0);
  outbox.add('t', 'r', begins('a'));
  for (const [index, row] of [
    1,
    null,
    { order: 1, receiver: 'r' },
    { order: 'x', receiver: 'r', message: begins('b') },
    { order: 2, receiver: 'r', message: { ...begins('c'), status: 'odd' } },
    { order: 3, receiver: 'r', message: { ...begins('d'), alert: { labels: { a: 1 } } } },
  ].entries())
    state.put('t', 'message', `damaged ${index}`, row);
  const later = new Outbox(state, () => 0);
  later.begin('t');
  expect(later.waitingFor('r').map(({ message }) => message.alert.labels.alertname)).toEqual(['a']);
});
