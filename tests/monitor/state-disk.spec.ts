import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../monitor/state/opening.ts';
import { openStateStore, type StateStore, stateIn } from '../../monitor/state/state.ts';
import { expect, test } from './state-file.ts';

const text = 'x'.repeat(1000);

/** Writes data of every kind, more than fits on the disk. */
function fill(state: StateStore): void {
  for (let key = 0; key < 2000; key++) state.put('one', 'run', `${key}`, { key, text });
  state.remove('one', 'slot', 'removed');
  state.record('one', 1, 'event');
  state.count('one', 1, 'passed');
}

/** Checks that all data is there exactly once. */
function expectAll(state: StateStore): void {
  expect(state.entries('one', 'run').size).toBe(2000);
  expect(state.entries('one', 'run').get('1999')).toEqual({ key: 1999, text });
  expect([...state.entries('one', 'slot').keys()]).toEqual(['before']);
  expect(state.events('one', { limit: 9 })).toEqual([{ at: 1, event: 'event' }]);
  expect(state.hours('one', 0)).toEqual([
    { from: 0, kept: 2, broken: 0, unreachable: 0, defect: 0 },
  ]);
}

function prepare(state: StateStore): void {
  for (const key of ['before', 'removed']) state.put('one', 'slot', key, 1);
  state.count('one', 1, 'passed');
  expect(state.flush()).toBe(true);
}

const full = 'the state file cannot be written: database or disk is full: make room there';

test('a full database loses nothing, and all is written once space is free', ({ file, open }) => {
  const db = openDatabase(file);
  const state = stateIn(db);
  prepare(state);
  db.exec('pragma max_page_count = 40');
  fill(state);
  for (const failures of [1, 2, 3]) {
    expect(state.flush()).toBe(false);
    expect(state.problem()).toBe(full);
    expect(state.failures()).toBe(failures);
    expectAll(state);
  }
  expect(state.tidy(1)).toBe(false);
  db.exec('pragma max_page_count = 4000');
  expect(state.flush()).toBe(true);
  expect(state.problem()).toBeUndefined();
  expect(state.failures()).toBe(4);
  expectAll(state);
  expect(state.close()).toBe(true);
  expectAll(open());
});

test.describe('on a disk of two megabytes', () => {
  const disk = test.extend<{ disk: string }>({
    disk: async ({ folder }, use, { skip }) => {
      const at = path.join(folder, 'disk');
      mkdirSync(at);
      const mounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', at]);
      skip(mounted.status !== 0, 'this user may not mount a disk');
      await use(at);
      spawnSync('/bin/umount', ['--lazy', at]);
    },
  });

  disk('no file is begun when nothing fits', ({ disk }) => {
    expect(() => {
      for (let file = 0; ; file++) writeFileSync(path.join(disk, `${file}`), Buffer.alloc(4096));
    }).toThrow('ENOSPC');
    expect(() => openStateStore(path.join(disk, 'monitor.sqlite'))).toThrow(
      'monitor.sqlite cannot be written, its disk is full: make room there',
    );
  });
});

test('a write that fails halfway is rolled back, and its reason quotes no value', ({
  file,
  open,
}) => {
  const db = openDatabase(file);
  const state = stateIn(db);
  prepare(state);
  db.exec(`create trigger no_hours before insert on hours
    begin select raise(abort, 'some value'); end`);
  fill(state);
  expect(state.flush()).toBe(false);
  expect(state.problem()).toBe('the state file cannot be written: constraint failed');
  expectAll(state);
  db.exec('drop trigger no_hours');
  expect(state.flush()).toBe(true);
  expectAll(state);
  state.close();
  expectAll(open());
});

test('data that grows too old while writing fails is dropped', ({ file, open }) => {
  const state = open();
  rmSync(file);
  const days = (number: number): number => number * 86_400_000;
  for (const at of [days(1), days(4)]) state.count('one', at, 'passed');
  expect(state.tidy(days(5))).toBe(false);
  expect(state.hours('one', 0).map(({ from }) => from)).toEqual([days(4)]);
});

test('a limited number of events waits while writing fails, and that is reported', ({ file }) => {
  const state = openStateStore(file);
  renameSync(file, `${file}-moved`);
  for (let at = 0; at < 10_002; at++) state.record('one', at, at);
  expect(state.flush()).toBe(false);
  expect(state.problem()).toMatch(/ \(2 events that had to wait are lost\)$/);
  renameSync(`${file}-moved`, file);
  expect(state.flush()).toBe(true);
  expect(state.events('one', { limit: 99_999 }).map(({ at }) => at)).toEqual(
    Array.from({ length: 10_000 }, (_, index) => 10_001 - index),
  );
  state.close();
});

for (const [what, change] of [
  ['removed', rmSync],
  [
    'replaced',
    (file: string) => {
      renameSync(file, `${file}-moved`);
      writeFileSync(file, '');
    },
  ],
] as const)
  test(`a file that is ${what} while it is used is a problem, and not a crash`, ({ file }) => {
    const state = openStateStore(file);
    state.put('one', 'slot', 'a', 1);
    expect(state.flush()).toBe(true);
    change(file);
    state.put('one', 'slot', 'b', 2);
    expect(state.flush()).toBe(false);
    expect(state.problem()).toBe('the state file was removed or replaced: start the monitor again');
    expect(state.entries('one', 'slot').size).toBe(2);
    expect(state.close()).toBe(false);
  });

test('a log that a large write has grown is truncated', ({ file, open }) => {
  const state = open();
  for (let key = 0; key < 8000; key++) state.put('one', 'run', `${key}`, { text });
  state.flush();
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(6_000_000);
  for (const number of [1, 2]) {
    state.put('one', 'run', 'another', number);
    state.flush();
  }
  expect(statSync(`${file}-wal`).size).toBeLessThan(2_100_000);
});
