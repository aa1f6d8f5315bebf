import { DatabaseSync } from 'node:sqlite';
import type { StateStore } from '../../monitor/state/state.ts';
import { contents, expect, test } from './state-file.ts';

const hour = 3_600_000;
const day = 24 * hour;
const entries = (state: StateStore, target = 'one'): unknown =>
  Object.fromEntries(state.entries(target, 'slot'));

test('a value is read before it is written, after it, and by the next process', ({ open }) => {
  const state = open();
  state.put('one', 'slot', 'a', { nested: [1, 'two', null, true] });
  state.put('one', 'slot', 'b', 'last year');
  state.put('one', 'slot', 'b', 'today');
  state.put('one', 'run', 'a', 0);
  state.put('other', 'slot', 'a', 'another');
  const all = { a: { nested: [1, 'two', null, true] }, b: 'today' };
  expect(entries(state)).toEqual(all);
  expect(state.targets().sort()).toEqual(['one', 'other']);
  expect(state.flush()).toBe(true);
  expect(entries(state)).toEqual(all);
  state.close();
  const next = open();
  expect(entries(next)).toEqual(all);
  expect(entries(next, 'other')).toEqual({ a: 'another' });
  expect([...next.entries('one', 'run')]).toEqual([['a', 0]]);
  expect(next.targets().sort()).toEqual(['one', 'other']);
});

test('a removed value is gone, and may be added again', ({ open }) => {
  const state = open();
  state.put('one', 'slot', 'a', 1);
  state.put('one', 'slot', 'b', 2);
  state.flush();
  state.remove('one', 'slot', 'a');
  expect(entries(state)).toEqual({ b: 2 });
  state.remove('one', 'slot', 'b');
  state.put('one', 'slot', 'b', 3);
  state.close();
  expect(entries(open())).toEqual({ b: 3 });
});

test('a stored value is a copy, unaffected by later changes', ({ open }) => {
  const state = open();
  const value = { is: 'then' };
  state.put('one', 'slot', 'a', value);
  value.is = 'now';
  expect(entries(state)).toEqual({ a: { is: 'then' } });
});

test('closing writes waiting data, and leaves one file', ({ open, file }) => {
  const state = open();
  state.put('one', 'slot', 'a', 1);
  expect(state.close()).toBe(true);
  expect(contents(`${file}-wal`)).toBeUndefined();
  expect(entries(open())).toEqual({ a: 1 });
});

test('a closed state throws nothing, and confirms nothing', ({ open }) => {
  const state = open();
  state.close();
  expect(state.close()).toBe(true);
  state.put('one', 'slot', 'a', 1);
  expect(state.flush()).toBe(false);
  expect(state.events('one', { limit: 1 })).toEqual([]);
});

test('a state in memory needs no file', ({ open, file }) => {
  const state = open(':memory:');
  state.put('one', 'slot', 'a', 1);
  expect(state.flush()).toBe(true);
  expect(entries(state)).toEqual({ a: 1 });
  for (const each of [file, ':memory:']) expect(contents(each)).toBeUndefined();
});

test('the event that was recorded last comes first, also after the clock was set back', ({
  open,
}) => {
  const state = open();
  const order = (one: StateStore, limit = 9): number[] =>
    one.events('one', { limit }).map(({ at }) => at);
  for (const at of [10, 30]) state.record('one', at, { at });
  state.flush();
  for (const at of [20, 30]) state.record('one', at, { at });
  state.record('other', 99, 'another');
  expect([order(state), order(state, 3)]).toEqual([
    [30, 20, 30, 10],
    [30, 20, 30],
  ]);
  state.close();
  const next = open();
  expect(order(next)).toEqual([30, 20, 30, 10]);
  expect(next.events('one', { limit: 1 })).toEqual([{ at: 30, event: { at: 30 } }]);
});

test('runs are counted per hour in UTC, across flushes and restarts', ({ open }) => {
  const start = Date.UTC(2026, 2, 29);
  const state = open();
  state.count('one', start, 'passed');
  state.count('one', start + hour - 1, 'failed');
  state.flush();
  state.count('one', start + hour - 1, 'failed');
  state.count('one', start + hour, 'unreachable');
  state.count('one', start + day, 'defect');
  state.count('other', start, 'passed');
  const none = { kept: 0, broken: 0, unreachable: 0, defect: 0 };
  const hours = [
    { ...none, from: start, kept: 1, broken: 2 },
    { ...none, from: start + hour, unreachable: 1 },
    { ...none, from: start + day, defect: 1 },
  ];
  expect(state.hours('one', 0)).toEqual(hours);
  expect(state.hours('one', start + 2 * hour)).toEqual(hours.slice(2));
  state.close();
  const next = open();
  expect(next.hours('one', 0)).toEqual(hours);
  expect(next.hours('one', start + hour)).toEqual(hours.slice(1));
});

for (const written of [true, false])
  test(`an expired row is removed, ${written ? 'also from the file' : 'also before it is written'}`, ({
    open,
  }) => {
    const now = 500 * day;
    const state = open();
    for (const at of [now - 2 * day - 1, now - 2 * day, now]) state.count('one', at, 'passed');
    state.put('one', 'slot', 'a', 1);
    if (written) state.flush();
    expect(state.tidy(now)).toBe(true);
    expect(state.hours('one', 0).map(({ from }) => from)).toEqual([now - 2 * day, now]);
    expect(entries(state)).toEqual({ a: 1 });
  });

test('the last 200 events of each target are kept', ({ open }) => {
  const state = open();
  for (let at = 1; at <= 250; at += 1)
    for (const target of at > 100 ? ['one'] : ['one', 'other']) state.record(target, at, at);
  expect(state.tidy(0)).toBe(true);
  const [one = [], other = []] = ['one', 'other'].map((target) =>
    state.events(target, { limit: 999 }),
  );
  expect([one.length, one[0]?.at, one.at(-1)?.at]).toEqual([200, 250, 51]);
  expect([other.length, other[0]?.at]).toEqual([100, 100]);
});

test('a removed target leaves nothing, and starts anew when it is added again', ({ open }) => {
  const state = open();
  const fill = (target: string): void => {
    state.put(target, 'slot', 'a', 1);
    state.record(target, 1, 'event');
    state.count(target, 1, 'passed');
  };
  const sizes = (one: StateStore, target: string): number[] =>
    [one.entries(target, 'slot'), one.events(target, { limit: 9 }), one.hours(target, 0)].map(
      (rows) => [...rows].length,
    );
  for (const target of ['one', 'other']) fill(target);
  state.flush();
  fill('one');
  state.forget('one');
  expect(sizes(state, 'one')).toEqual([0, 0, 0]);
  state.remove('one', 'slot', 'b');
  expect(state.targets()).toEqual(['other']);
  state.put('one', 'slot', 'b', 2);
  state.flush();
  state.close();
  const next = open();
  expect(entries(next)).toEqual({ b: 2 });
  expect(sizes(next, 'one')).toEqual([1, 0, 0]);
  expect(sizes(next, 'other')).toEqual([1, 1, 1]);
});

test('a row that is not JSON is skipped', ({ open, file }) => {
  const state = open();
  for (const key of ['a', 'b']) {
    state.put('one', 'slot', key, { key });
    state.record('one', 1, { key });
  }
  state.close();
  const db = new DatabaseSync(file);
  db.exec(`update entries set value = '{"key' where key = 'a'`);
  db.exec(`update events set event = '' where event like '%a%'`);
  db.close();
  const next = open();
  expect(entries(next)).toEqual({ b: { key: 'b' } });
  expect(next.events('one', { limit: 9 })).toEqual([{ at: 1, event: { key: 'b' } }]);
});

test('names and values may hold any text', ({ open }) => {
  const state = open();
  const text = `it's "a" \u0000 \\ ; drop table entries; -- \u{1f512} \ud800`;
  state.put(text.toWellFormed(), 'slot', text.toWellFormed(), { text });
  state.close();
  const next = open();
  expect([...next.entries(text.toWellFormed(), 'slot')]).toEqual([[text.toWellFormed(), { text }]]);
});
