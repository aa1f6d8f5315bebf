import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brokerGems } from '../../tools/setup/gems.ts';

/**
 * Prepares a SQLite file for a broker.
 * @param empty replaces an existing file
 * @returns whether the broker must still create its tables
 * @throws when another broker uses the file, or when it is damaged
 */
export function readyDatabase(file: string, empty: boolean): boolean {
  if (existsSync(file)) {
    const fault = faultOf(file);
    if (fault === 'used')
      throw new Error(`another Pact Broker is at work on ${file}: end it first`);
    if (fault === 'broken' && !empty)
      throw new Error(`${file} is no sound SQLite database: begin an empty one with --empty`);
    if (empty) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  }
  const template = templateFile();
  const blank = !existsSync(file) && !existsSync(template);
  if (blank) writeFileSync(file, '');
  else if (!existsSync(file)) copyFileSync(template, file);
  // The database holds the credentials of webhooks. SQLite gives its additional files the same mode.
  chmodSync(file, 0o600);
  return blank;
}

/** Stores a copy of a database with empty tables, so that the next broker does not need to create them. */
export function keepTemplate(file: string): void {
  const template = templateFile();
  const copy = `${template}.${process.pid}`;
  rmSync(copy, { force: true });
  using database = new DatabaseSync(file, { readOnly: true });
  database.prepare('VACUUM INTO ?').run(copy);
  renameSync(copy, template);
}

/** The template's name depends on the Gemfile, because another version of the broker has other tables. */
function templateFile(): string {
  const version = createHash('sha256').update(readFileSync(brokerGems.gemfile)).digest('hex');
  return path.join(brokerGems.folder, `template-${version.slice(0, 12)}.sqlite3`);
}

/** SQLite's code for a database that another connection has open. */
const busy = 5;

/** Whether the database is in use or damaged. Only the single user of a database can remove its journal. */
function faultOf(file: string): 'used' | 'broken' | undefined {
  try {
    using database = new DatabaseSync(file, { timeout: 0 });
    database.exec('PRAGMA journal_mode = DELETE');
    const check = database.prepare('PRAGMA quick_check(1)').get();
    return check?.quick_check === 'ok' ? undefined : 'broken';
  } catch (error) {
    return error instanceof Error && 'errcode' in error && error.errcode === busy
      ? 'used'
      : 'broken';
  }
}
