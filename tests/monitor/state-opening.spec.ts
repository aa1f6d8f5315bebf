import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../monitor/state/migrations.ts';
import { openDatabase } from '../../monitor/state/opening.ts';
import { openStateStore, stateIn } from '../../monitor/state/state.ts';
import { contents, expect, refusal, test } from './state-file.ts';
import { makeVersion1 } from './state-version-1.ts';

const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);

/** A state file with a few hundred rows, and its bytes. */
function filled(file: string): Buffer {
  const state = openStateStore(file);
  for (let key = 0; key < 500; key++) state.put('one', 'slot', `${key}`, { text: 'x'.repeat(99) });
  state.close();
  return readFileSync(file);
}

/** Copies a file in use with its log, which is what a killed process leaves behind. */
function copied(file: string, to: string): string {
  for (const end of ['', '-wal']) copyFileSync(file + end, to + end);
  return to;
}

test('the file and its log are private to their owner, and so is a new folder for them', ({
  folder,
  open,
}) => {
  const file = path.join(folder, 'new', 'deep', 'monitor.sqlite');
  const state = open(file);
  state.put('one', 'slot', 'a', 1);
  state.flush();
  const modes = [file, `${file}-wal`, path.dirname(file), path.join(folder, 'new')].map(mode);
  expect(modes).toEqual(['600', '600', '700', '700']);
  expect(contents(`${file}-shm`)).toBeUndefined();
});

test('a file that others could read is made private, and so is its log', ({ file }) => {
  filled(file);
  chmodSync(file, 0o644);
  const state = openStateStore(file);
  state.put('one', 'slot', 'a', 1);
  state.flush();
  expect([file, `${file}-wal`].map(mode)).toEqual(['600', '600']);
  state.close();
  expect(mode(file)).toBe('600');
});

test('an empty file is a new one', ({ file, open }) => {
  writeFileSync(file, '');
  open().put('one', 'slot', 'a', 1);
  expect(open).toThrow('is in use');
});

test('a file of the first version opens, and is migrated', ({ file, folder, open }) => {
  makeVersion1(file);
  const state = open();
  expect([...state.entries('one', 'meta')]).toEqual([['key', { value: 1 }]]);
  expect(state.events('one', { limit: 9 })).toEqual([
    { at: 7_200_001, event: { clause: 'EXPIRY-4' } },
  ]);
  const counts = { kept: 1, broken: 2, unreachable: 3, defect: 4 };
  expect(state.hours('one', 0)).toEqual([{ from: 7_200_000, ...counts }]);
  state.close();
  const another = path.join(folder, 'new.sqlite');
  open(another).close();
  expect(schemaOf(file)).toEqual(schemaOf(another));
});

/** The schema version, tables and indices of a file, with normalized white space. */
function schemaOf(file: string): unknown[] {
  const db = new DatabaseSync(file);
  const rows = db.prepare('select name, sql from sqlite_schema order by name').all();
  const version = db.prepare('pragma user_version').get();
  db.close();
  return [version, ...rows.map(({ name, sql }) => [name, String(sql).replace(/\s+/g, ' ')])];
}

test('an older file opens without the rows and tables that are no longer read', ({
  file,
  open,
}) => {
  makeVersion1(file);
  const old = new DatabaseSync(file);
  for (const kind of ['fingerprints', 'alert', 'message', 'incident', 'canary', 'verdict'])
    old.exec(`insert into entries values ('one', '${kind}', '1', '{}')`);
  old.close();
  const state = open();
  for (const kind of ['canary', 'verdict'] as const)
    expect([...state.entries('one', kind)]).toEqual([['1', {}]]);
  state.close();
  const db = openDatabase(file);
  const kinds = db.prepare('select kind from entries order by kind').all();
  const tables = db.prepare(`select name from sqlite_schema where type = 'table' order by name`);
  expect(kinds.map(({ kind }) => kind)).toEqual(['canary', 'meta', 'verdict']);
  expect(tables.all().map(({ name }) => name)).toEqual(['entries', 'events', 'hours']);
  db.close();
});

test.describe('a further version', () => {
  const further = [
    ...migrations,
    `alter table entries add column note text; update entries set note = 'seen'`,
    `create table another (one text) strict`,
  ];

  test('is refused by this version, which leaves the file unchanged', ({ file }) => {
    makeVersion1(file);
    openDatabase(file, further).close();
    expect(refusal(file)).toBe(
      'the state file /monitor.sqlite was written by a newer monitor (version ' +
        `${further.length}, this one knows ${migrations.length}): ` +
        'run that one, or set MONITOR_STATE to another file',
    );
  });

  test('leaves the file unchanged when it cannot be reached', ({ file }) => {
    makeVersion1(file);
    expect(refusal(file, [...further, 'create table another (one text)'])).toBe(
      'the state file /monitor.sqlite cannot be opened (SQL logic error): ' +
        'set MONITOR_STATE to another file',
    );
  });

  test('loses nothing when it is killed', ({ file, folder, open }) => {
    makeVersion1(file);
    const db = openDatabase(file, further);
    const state = stateIn(db);
    state.put('one', 'slot', 'b', 2);
    state.flush();
    const killed = copied(file, path.join(folder, 'killed.sqlite'));
    db.close();
    expect(() => open(killed)).toThrow('newer monitor');
    const again = openDatabase(killed, further);
    expect([...stateIn(again).entries('one', 'slot')]).toEqual([['b', 2]]);
    again.close();
  });
});

const damaged =
  'the state file /monitor.sqlite is damaged: ' +
  'move it away together with its -wal file, then begin anew or bring back a copy';
const foreign =
  'the state file /monitor.sqlite is not an SQLite database: ' +
  'set MONITOR_STATE to another file, or move it away to begin anew';
const others =
  'the state file /monitor.sqlite is a database of another program: ' +
  'set MONITOR_STATE to another file';

for (const [what, damage, output] of [
  ['a file of other bytes', (whole: Buffer) => whole.map((byte) => byte ^ 0x5a), foreign],
  ['a text', () => Buffer.from('targets:\n  - name: one\n'), foreign],
  ['a header that is damaged', (whole: Buffer) => whole.fill(0xff, 0, 16), foreign],
  ['a schema that is damaged', (whole: Buffer) => whole.fill(0xff, 100, 1000), damaged],
  ['a page that is damaged', (whole: Buffer) => whole.fill(0xff, 40_000, 44_000), damaged],
  ['a file that ends in the middle', (whole: Buffer) => whole.subarray(0, 40_000), damaged],
  ['a file that ends after its header', (whole: Buffer) => whole.subarray(0, 100), damaged],
] as const)
  test(`${what} is refused in one line, and left unchanged`, ({ file }) => {
    const whole = filled(file);
    expect(whole.length).toBeGreaterThan(60_000);
    writeFileSync(file, damage(whole));
    expect(refusal(file)).toBe(output);
  });

test('a database of another program is refused, and left unchanged', ({ file }) => {
  const db = new DatabaseSync(file);
  for (const change of ['user_version = 1', 'user_version = 0', 'user_version = 1']) {
    db.exec(`pragma ${change}`);
    expect(refusal(file)).toBe(others);
    db.exec('create table if not exists entries (one text)');
  }
  db.close();
});

test('a log that ends in the middle loses only incomplete data', ({ file, folder, open }) => {
  const state = open();
  for (const number of [1, 2]) {
    state.put('one', 'slot', 'a', number);
    state.flush();
  }
  const killed = copied(file, path.join(folder, 'killed.sqlite'));
  truncateSync(`${killed}-wal`, statSync(`${killed}-wal`).size - 100);
  expect([...open(killed).entries('one', 'slot')]).toEqual([['a', 1]]);
});

test('a folder, a device and a path below a file are refused', ({ folder, file }) => {
  expect(refusal(folder)).toMatch(/ is a folder: set MONITOR_STATE to a file in it$/);
  symlinkSync('/dev/null', file);
  expect(refusal(file)).toMatch(/ is not a regular file: set MONITOR_STATE to another one$/);
  const below = path.join(file, 'below', 'monitor.sqlite');
  expect(refusal(below)).toMatch(
    / cannot be used, its folder .* cannot be made \(E\w+\): set MONITOR_STATE to another file$/,
  );
});

test.describe('a user without rights', () => {
  const program = fileURLToPath(new URL('state-process.ts', import.meta.url));
  const opened = (folder: string, file: string): string =>
    execFileSync(process.execPath, [program, 'open-as-nobody', file], { encoding: 'utf8' })
      .replaceAll(folder, '')
      .trim();
  const right = 'give this user the right to, or set MONITOR_STATE to another file';

  test('gets the name of a file that cannot be written', ({ folder, file }) => {
    const whole = filled(file);
    chmodSync(folder, 0o777);
    chmodSync(file, 0o444);
    expect(opened(folder, file)).toBe(
      `the state file /monitor.sqlite cannot be used, it cannot be written (EACCES): ${right}`,
    );
    expect(contents(file)).toEqual(whole);
  });

  test('gets the name of a folder that cannot be written, even if the file is writable', ({
    folder,
    file,
  }) => {
    const whole = filled(file);
    const inside = path.join(folder, 'in', 'monitor.sqlite');
    mkdirSync(path.dirname(inside));
    writeFileSync(inside, whole);
    for (const each of [folder, path.dirname(inside)]) chmodSync(each, 0o555);
    chmodSync(inside, 0o666);
    expect(opened(folder, inside)).toBe(
      'the state file /in/monitor.sqlite cannot be used, its folder /in cannot be written ' +
        `(EACCES): ${right}`,
    );
    expect(contents(inside)).toEqual(whole);
  });

  test('gets the name of a folder that cannot be created', ({ folder }) => {
    chmodSync(folder, 0o555);
    expect(opened(folder, path.join(folder, 'new', 'monitor.sqlite'))).toBe(
      'the state file /new/monitor.sqlite cannot be used, its folder /new cannot be made ' +
        `(EACCES): ${right}`,
    );
  });

  test('may use a file of another owner with the right to do so', ({ folder, file }) => {
    writeFileSync(file, filled(file));
    chmodSync(folder, 0o777);
    chmodSync(file, 0o666);
    expect(opened(folder, file)).toBe('opened');
  });
});
