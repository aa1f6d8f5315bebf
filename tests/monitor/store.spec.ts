import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { describeOpenError, openDatabase, StateOpenError } from '../../monitor/store/opening.ts';
import { Store } from '../../monitor/store/store.ts';
import { makeVersion1 } from './state-version-1.ts';

const inFolder = (name: string): string => test.info().outputPath(name);
const fileOfTest = (): string => inFolder('monitor.sqlite');
const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);

const loadStatus = (store: Store, target = 'one') => store.load(target).status;
const save = (store: Store, number: number, target = 'one', text = ''): void =>
  store.save(target, { number, text }, number);

/** A state file of about a hundred kilobytes, and its bytes. */
function filled(file: string): Buffer {
  const store = new Store(openDatabase(file));
  for (let id = 0; id < 500; id += 1) store.saveCanary('one', `${id}`, { text: 'x'.repeat(99) });
  store.close();
  return readFileSync(file);
}

/** The reason why a file is refused, whose content must not change. */
function refusal(file: string): string {
  const content = () => (statSync(file).isFile() ? readFileSync(file) : undefined);
  const before = content();
  try {
    openDatabase(file).close();
  } catch (error) {
    if (!(error instanceof StateOpenError)) throw error;
    expect(content()).toEqual(before);
    return error.message.replaceAll(path.dirname(file), '');
  }
  throw new Error('it was opened');
}

test('each save is read again at once, and by the next process; a row of nobody is none', () => {
  const store = new Store(openDatabase(fileOfTest()));
  const status = { nested: [1, 'two', null] };
  const name = `it's "a" \\ ; drop table targets; -- \u{1f512}`;
  store.save(name, status, 1);
  save(store, 1);
  save(store, 2);
  for (const id of ['a', 'b']) store.saveCanary(name, id, { id });
  store.saveCanary(name, 'a', undefined);
  const check = (store: Store) => {
    expect(store.load(name)).toEqual({ status, canaries: new Map([['b', { id: 'b' }]]) });
    expect(loadStatus(store)).toEqual({ number: 2, text: '' });
    expect(store.load('two')).toEqual({ canaries: new Map() });
  };
  check(store);
  store.close();
  expect(existsSync(`${fileOfTest()}-wal`)).toBe(false);
  check(new Store(openDatabase(fileOfTest())));
});

test('a state in memory has no file, and a row that is not JSON is none', () => {
  save(new Store(openDatabase(':memory:')), 1);
  expect([fileOfTest(), ':memory:'].filter(existsSync)).toEqual([]);
  const db = openDatabase(fileOfTest());
  db.exec(`insert into targets values ('one', 1, '{"number')`);
  db.exec(`insert into canaries values ('one', 'a', '{"number')`);
  expect(new Store(db).load('one')).toEqual({ canaries: new Map([['a', undefined]]) });
});

test('a target that was not saved for a while is forgotten with its canaries, unless it is watched', () => {
  const store = new Store(openDatabase(':memory:'));
  for (const [at, target] of ['old', 'watched', 'new'].entries()) {
    save(store, at === 2 ? 5 : 4, target);
    store.saveCanary(target, 'a', {});
  }
  // Its first round has not ended.
  store.saveCanary('begun', 'a', {});
  store.forget(5, new Set(['watched', 'begun']));
  const left = ['old', 'watched', 'new'].filter(
    (target) => loadStatus(store, target) !== undefined,
  );
  expect(left).toEqual(['watched', 'new']);
  for (const [target, canaries] of Object.entries({ old: 0, watched: 1, new: 1, begun: 1 }))
    expect(store.load(target).canaries.size, target).toBe(canaries);
});

test('the file and its log are private to their owner, and so is a new folder; two processes cannot share it', () => {
  const file = inFolder('new/deep/monitor.sqlite');
  for (const _ of ['a new file', 'one that others could read']) {
    const store = new Store(openDatabase(file));
    save(store, 1);
    expect([file, `${file}-wal`].map(mode)).toEqual(['600', '600']);
    store.close();
    chmodSync(file, 0o644);
  }
  expect([path.dirname(file), inFolder('new')].map(mode)).toEqual(['700', '700']);
  new Store(openDatabase(file));
  expect(() => new Store(openDatabase(file))).toThrow(
    ' is in use, most likely by another monitor: stop that one, or set MONITOR_STATE to another file',
  );
});

test('a full disk loses nothing that was written, and the state is written again once there is room', () => {
  const problems: unknown[] = [];
  const db = openDatabase(fileOfTest());
  const store = new Store(db, {
    info: (line, fields) => problems.push(['info', line, fields]),
    error: (line, fields) => problems.push(['error', line, fields]),
  });
  save(store, 1);
  db.exec('pragma max_page_count = 12');
  for (let number = 2; number < 9; number += 1) save(store, number, 'one', 'x'.repeat(40_000));
  const full = 'the state file cannot be written, its disk is full: make room there';
  expect(store.health()).toEqual({ isStateWritable: false, failedWrites: 7 });
  expect(loadStatus(store)).toMatchObject({ number: 1 });
  db.exec('pragma max_page_count = 4000');
  save(store, 9, 'one');
  expect(store.health().isStateWritable).toBe(true);
  expect(problems).toEqual([
    ['error', full, { event: 'state', problem: full }],
    ['info', 'the state is writable again', { event: 'state' }],
  ]);
  expect(loadStatus(store)).toMatchObject({ number: 9 });
  expect(`the state file ${describeOpenError({ code: 'ENOSPC' })}`).toBe(full);
  expect(describeOpenError({ errcode: 261, errstr: 'locked' })).toContain('is in use');
});

test('a file of the first version keeps its canaries, and since when each clause has its verdict', () => {
  makeVersion1(fileOfTest());
  const old = new DatabaseSync(fileOfTest());
  const add = old.prepare('insert into entries values (?, ?, ?, ?)');
  add.run('one', 'canary', 'c1', '{"sealed":"x"}');
  add.run('one', 'verdict', 'BEARER-2', '{"verdict":"violated","since":5}');
  add.run('one', 'standing', 'address', '"http://127.0.0.1:1/"');
  add.run('one', 'standing', 'since', '"yesterday"');
  add.run('one', 'verdict', 'BEARER-1', 'no JSON');
  add.run('two', 'verdict', 'BEARER-1', '{"verdict":"holds","since":6}');
  old.close();
  const store = new Store(openDatabase(fileOfTest()));
  expect(store.load('one')).toEqual({
    canaries: new Map([['c1', { sealed: 'x' }]]),
    status: {
      address: 'http://127.0.0.1:1/',
      clauses: { 'BEARER-2': { verdict: 'violated', since: 5, findings: [] } },
    },
  });
  expect(loadStatus(store, 'two')).toMatchObject({ clauses: { 'BEARER-1': { since: 6 } } });
  // It counts as saved now.
  store.forget(Date.now() - 60_000, new Set());
  expect(store.load('one').canaries.size).toBe(1);
  save(store, 1);
  expect(loadStatus(store)).toMatchObject({ number: 1 });
  store.close();
  const tables = new DatabaseSync(fileOfTest()).prepare(
    "select name from sqlite_schema where type = 'table' order by name",
  );
  expect(tables.all()).toEqual([{ name: 'canaries' }, { name: 'targets' }]);
});

test('the log stays small however much is written, and survives a loss of power', () => {
  const db = openDatabase(fileOfTest());
  const store = new Store(db);
  for (let number = 0; number < 200; number += 1) save(store, number, 'one', 'x'.repeat(40_000));
  expect(statSync(`${fileOfTest()}-wal`).size).toBeLessThan(3_000_000);
  expect(db.prepare('pragma synchronous').get()).toEqual({ synchronous: 1 });
  store.close();
});

test('a newer version is refused, and so is a migration that fails: the file is unchanged', () => {
  makeVersion1(fileOfTest());
  const change = (sql: string): void => {
    const db = new DatabaseSync(fileOfTest());
    db.exec(sql);
    db.close();
  };
  change('create table canaries (one text)');
  expect(refusal(fileOfTest())).toMatch(/ cannot be used \(SQL logic error\): /);
  change('drop table canaries');
  openDatabase(fileOfTest()).close();
  change('pragma user_version = 6');
  expect(refusal(fileOfTest())).toBe(
    'the state file /monitor.sqlite was written by a newer monitor (version 6, ' +
      'this one knows 5): run that one, or set MONITOR_STATE to another file',
  );
});

const damaged =
  'is damaged: move it away together with its -wal file, then begin anew or bring back a copy';
const foreign =
  'is not an SQLite database: set MONITOR_STATE to another file, or move it away to begin anew';
for (const [what, damage, why] of [
  ['a text', () => Buffer.from('targets:\n  - name: one\n'), foreign],
  ['a damaged schema', (whole: Buffer) => whole.fill(0xff, 100, 1000), damaged],
  ['a damaged row', (whole: Buffer) => whole.fill(0xff, 40_000, 50_000), damaged],
  ['a file that ends in the middle', (whole: Buffer) => whole.subarray(0, 40_000), damaged],
] as const)
  test(`${what} is refused in one line, and left unchanged`, () => {
    writeFileSync(fileOfTest(), damage(filled(inFolder('whole.sqlite'))));
    expect(refusal(fileOfTest())).toBe(`the state file /monitor.sqlite ${why}`);
  });

test('a database of another program, a folder and a path below a file are refused', () => {
  for (const [name, sql] of Object.entries({
    a: 'pragma user_version = 1',
    b: 'create table c (d)',
  })) {
    const db = new DatabaseSync(inFolder(name));
    db.exec(sql);
    db.close();
    expect(refusal(inFolder(name))).toContain(
      ' is a database of another program: set MONITOR_STATE',
    );
  }
  writeFileSync(fileOfTest(), '');
  expect(refusal(inFolder(''))).toMatch(/ cannot be used \(EISDIR\): /);
  expect(() => new Store(openDatabase(`${fileOfTest()}/below/monitor.sqlite`))).toThrow(
    / cannot be used \(E\w+\): .*, or set MONITOR_STATE to another file$/,
  );
});
