import { DatabaseSync } from 'node:sqlite';

/**
 * Creates a state file as the first released version did. Do not change this text when the schema changes: the file
 * that it creates must always open.
 */
export function makeVersion1(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(`
    pragma journal_mode = wal;
    create table entries (
      target text not null, kind text not null, key text not null, value text not null,
      primary key (target, kind, key)
    ) strict;
    create table events (
      id integer primary key, target text not null, at integer not null, event text not null
    ) strict;
    create index events_of_target on events (target, at);
    create index events_by_age on events (at);
    create table tallies (
      target text not null, span text not null, at integer not null,
      kept integer not null, broken integer not null,
      unreachable integer not null, defect integer not null,
      primary key (target, span, at)
    ) strict, without rowid;
    create index tallies_by_age on tallies (span, at);
    insert into entries values ('one', 'meta', 'key', '{"value":1}');
    insert into events (target, at, event) values ('one', 7200001, '{"clause":"EXPIRY-4"}');
    insert into tallies values ('one', 'hour', 7200000, 1, 2, 3, 4), ('one', 'day', 0, 1, 2, 3, 4);
    pragma application_id = ${0x6d6f6e31};
    pragma user_version = 1;
  `);
  db.close();
}
