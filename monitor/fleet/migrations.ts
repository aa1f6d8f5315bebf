/** Separates the tables of a fleet from all others in its database. */
export const schema = 'public_api_monitor';

/**
 * The history of the schema, step by step: its table `version` counts the steps. A released step is never changed,
 * only followed by another. Only `beat` changes the holder of a target, and a lock serialises its calls. Only
 * `write` changes the rows of a target, and only under the fencing number of its current holder.
 */
export const migrations: readonly string[] = [
  `create table members (
     id text primary key, authority text not null, version text not null,
     started timestamptz not null, expires timestamptz not null, beat bigint not null
   );
   create table leases (
     target text primary key, holder text, fence bigint not null default 0,
     written bigint not null default 0, changed timestamptz not null default now(), summary text
   ) with (fillfactor = 50);
   create index leases_of_holder on leases (holder);
   create table entries (
     target text not null, kind text not null, key text not null, value text not null,
     primary key (target, kind, key)
   );
   create table events (
     id bigint generated always as identity primary key,
     target text not null, at bigint not null, event text not null
   );
   create index events_of_target on events (target, at);
   create index events_by_age on events (at);
   create table tallies (
     target text not null, span text not null, at bigint not null,
     kept integer not null, broken integer not null,
     unreachable integer not null, defect integer not null,
     primary key (target, span, at)
   );
   create index tallies_by_age on tallies (span, at);

   create function beat(request json) returns json language plpgsql
   set search_path = ${schema}, pg_temp as $$
   declare
     me constant text := request->'member'->>'id';
     lease constant interval := make_interval(secs => (request->>'leaseMs')::float8 / 1000);
     present timestamptz;
     news boolean := false;
   begin
     perform pg_advisory_xact_lock(hashtext('${schema}'), 1);
     present := clock_timestamp();
     if (request->>'leaves')::boolean then
       update leases set holder = null, changed = present where holder = me;
       delete from members where id = me;
       news := true;
     else
       insert into members as m (id, authority, version, started, expires, beat)
         values (me, request->'member'->>'authority', request->'member'->>'version',
                 present, present + lease, 1)
         on conflict (id) do update set authority = excluded.authority,
           expires = excluded.expires, beat = m.beat + 1
         returning beat = 1 into news;
     end if;

     update leases l set holder = null, changed = present
       from json_to_recordset(request->'release') as r (target text, fence bigint)
       where l.target = r.target and l.fence = r.fence and l.holder = me;
     news := news or found;

     with gone as (
       delete from members where expires < present
         and id in (select json_array_elements_text(request->'dead')) returning id
     )
     update leases set holder = null, changed = present where holder in (select id from gone);
     news := news or found;

     if (request->>'take')::integer > 0 then
       insert into leases (target)
         select json_array_elements_text(request->'names') on conflict do nothing;
       update leases l set holder = me, fence = l.fence + 1, written = 0, changed = present
         from (
           select target from leases where holder is null
             and target in (select json_array_elements_text(request->'names'))
           order by target limit (request->>'take')::integer
         ) as free
         where l.target = free.target;
     end if;

     if news then
       perform pg_notify('${schema}', me);
     end if;
     return json_build_object(
       'held', (select coalesce(json_agg(json_build_object('target', target, 'fence', fence)), '[]')
                from leases where holder = me),
       'members', (select coalesce(json_agg(json_build_object(
           'id', id, 'authority', authority, 'version', version, 'beat', beat,
           'startedAt', floor(extract(epoch from started) * 1000)) order by id), '[]')
         from members)
     );
   end $$;

   create function write(batches json, puts json, removals json, occurrences json, counts json)
   returns text[] language plpgsql set search_path = ${schema}, pg_temp as $$
   declare
     own text[];
     stale text[];
   begin
     with batch as (
       select * from json_to_recordset(batches)
         as b (target text, fence bigint, number bigint, summary text)
     ), done as (
       update leases l set written = b.number, summary = coalesce(b.summary, l.summary)
         from batch b
         where l.target = b.target and l.fence = b.fence and l.written < b.number
         returning l.target
     )
     select coalesce(array_agg(target), '{}') into own from done;

     insert into entries (target, kind, key, value)
       select target, kind, key, value from json_to_recordset(puts)
         as p (target text, kind text, key text, value text)
       where target = any (own)
       on conflict (target, kind, key) do update set value = excluded.value;
     delete from entries e using json_to_recordset(removals)
         as r (target text, kind text, key text)
       where e.target = r.target and e.kind = r.kind and e.key = r.key and r.target = any (own);
     insert into events (target, at, event)
       select target, at, event from json_to_recordset(occurrences)
         as o (target text, at bigint, event text)
       where target = any (own);
     insert into tallies as t (target, span, at, kept, broken, unreachable, defect)
       select target, span, at, kept, broken, unreachable, defect from json_to_recordset(counts)
         as c (target text, span text, at bigint,
               kept integer, broken integer, unreachable integer, defect integer)
       where target = any (own)
       on conflict (target, span, at) do update set kept = t.kept + excluded.kept,
         broken = t.broken + excluded.broken,
         unreachable = t.unreachable + excluded.unreachable, defect = t.defect + excluded.defect;

     select coalesce(array_agg(b.target), '{}') into stale
       from json_to_recordset(batches) as b (target text, fence bigint)
       left join leases l on l.target = b.target
       where l.fence is distinct from b.fence;
     return stale;
   end $$;`,
];
