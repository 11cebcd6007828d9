-- The ledger: what should be true, what was seen, and who looks at it next.
-- Bodies and outcomes are as the kinds in src/features define them (since November 2026).
-- Times are UTC epoch milliseconds. Bodies and outcomes are JSON text: jsonb forgets the order of names
-- and refuses characters that JSON allows.
--
-- How migrations are written. Many nodes share these tables, and they are upgraded one by one: the old
-- program runs on the new tables for a while. So a change takes two releases. First *expand*: add tables,
-- and columns that are null or have a default; the new program writes both shapes and reads either. Then,
-- when no node of the old release is left, *contract*: drop what nobody reads. A file that has run is
-- never edited: its checksum is kept. Indexes on large tables are made by hand, concurrently, before.

-- The store's clock. A test gives its session a time of its own; in production the setting is never there.
create function daybook.now_ms() returns bigint language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('daybook.now_ms', true), '')::bigint,
    floor(extract(epoch from statement_timestamp()) * 1000)::bigint)
$$;

-- One row per thing that was asked. `id` is the order of appending; `uid` is the name the world knows.
-- Rule: no index on a column that claim, keep or settle writes, so that these stay within the page (HOT).
create table daybook.record (
  id         bigint   generated always as identity primary key,
  uid        text     collate "C" not null unique,
  kind       text     collate "C" not null,
  owner      text     collate "C" not null,
  by         text     collate "C" not null,
  key        text     collate "C",
  parent     text     collate "C",           -- a uid; the parent may be pruned before the child
  state      text     collate "C" not null,
  priority   smallint not null check (priority between 0 and 2),   -- 0 high, 1 normal, 2 low
  queue      text     collate "C" not null,
  lane       text     collate "C",
  revision   integer  not null default 1,
  attempt    integer  not null default 0,    -- attempt, lapses, fence: true while there is no due row
  lapses     integer  not null default 0,
  fence      bigint   not null default 0,
  cancelling boolean  not null default false,
  created_at bigint   not null,
  updated_at bigint   not null,
  ended_at   bigint,
  body       text     not null,
  outcome    text
) with (fillfactor = 70);

create index record_owner  on daybook.record (owner, kind, id);
create index record_parent on daybook.record (parent) where parent is not null;

-- A row only while somebody must look at the record. Narrow, because this is the row that moves.
-- A claim moves `wake_at` to the lease's end: due, retry and lapsed are one thing.
create table daybook.due (
  id         bigint   primary key,
  queue      text     collate "C" not null,
  priority   smallint not null,
  lane       text     collate "C",
  wake_at    bigint   not null,
  ready_at   bigint   not null,              -- the record's own time, which parking does not change
  woken_at   bigint,                         -- the earliest wake that came while it was leased
  holder     text     collate "C",
  claimed_at bigint,
  attempt    integer  not null,
  lapses     integer  not null,
  fence      bigint   not null
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

create index due_queue on daybook.due (queue, priority, wake_at, id);
create index due_lane  on daybook.due (queue, lane, priority, wake_at, id) where lane is not null;

-- When records ended, for prune: an index on record.ended_at would break the rule above.
create table daybook.ended (
  at bigint not null,
  id bigint not null,
  primary key (at, id)
);

-- A key outlives its record until `until`; `sweep_at` is set to it when the record is pruned.
create table daybook.key (
  kind     text collate "C" not null,
  owner    text collate "C" not null,
  name     text collate "C" not null,
  uid      text collate "C" not null,
  hash     text not null,
  until    bigint,
  sweep_at bigint,
  primary key (kind, owner, name)
);

create index key_sweep on daybook.key (sweep_at) where sweep_at is not null;

-- Names that only one live record may have.
create table daybook.hold (
  name text   collate "C" primary key,
  id   bigint not null
);

create index hold_id on daybook.hold (id);

-- A dump that is restored elsewhere meets smaller transaction numbers than its own rows have: then this is
-- replaced by one that lifts them over the old ones (restore.ts), so that the feed goes on.
create function daybook.xid_lift() returns bigint language sql immutable parallel safe as $$
  select 0::bigint
$$;

-- One row per visible change: the feed, the explanation and the audit. A `seq` is given out before its
-- commit, so the feed reads in the order of (xid, seq), and only what no open transaction can precede.
create table daybook.history (
  seq        bigint  generated always as identity primary key,
  xid        bigint  not null default (pg_current_xact_id()::text::bigint + daybook.xid_lift()),
  id         bigint  not null,
  owner      text    collate "C" not null,
  what       text    not null,
  state      text    not null,
  revision   integer not null,
  attempt    integer not null,
  at         bigint  not null,
  by         text    collate "C" not null,
  claimed_at bigint,
  note       text
);

create index history_owner on daybook.history (owner, xid, seq);
create index history_id    on daybook.history (id, seq);

-- Output of a record, outside of it.
create table daybook.chunk (
  id     bigint not null,
  stream text   collate "C" not null,
  start  bigint not null,
  bytes  bytea  not null,
  primary key (id, stream, start)
);
