-- The ledger: what should be true, what was seen, and who looks at it next.
-- Bodies and outcomes are as the kinds in src/features define them (since November 2026).
-- Times are UTC epoch milliseconds. Bodies and outcomes are JSON text.

-- One row per thing that was asked. `id` is the order of appending and is never used twice, so that
-- a page can resume from it; `uid` is the name that the world knows.
-- Rule: no index on a column that claim or keep writes.
create table record (
  id         integer primary key autoincrement,
  uid        text    not null unique,
  kind       text    not null,
  owner      text    not null,
  by         text    not null,
  key        text,
  parent     text,                         -- a uid; the parent may be pruned before the child
  state      text    not null,
  priority   integer not null check (priority between 0 and 2),   -- 0 high, 1 normal, 2 low
  queue      text    not null,
  lane       text,
  revision   integer not null,
  attempt    integer not null,             -- attempt, lapses, fence: true while there is no due row
  lapses     integer not null,
  fence      integer not null,
  cancelling integer not null check (cancelling in (0, 1)),
  created_at integer not null,
  updated_at integer not null,
  ended_at   integer,
  body       text    not null,
  outcome    text
) strict;

create index record_owner  on record (owner, kind);
create index record_parent on record (parent) where parent is not null;
create index record_ended  on record (ended_at) where ended_at is not null;

-- A row only while somebody must look at the record. Narrow, because this is the row that moves.
-- A claim moves `wake_at` to the lease's end: due, retry and lapsed are one thing.
create table due (
  id         integer primary key references record (id),
  queue      text    not null,
  priority   integer not null,
  lane       text,
  wake_at    integer not null,
  ready_at   integer not null,             -- the record's own time, which parking does not change
  woken_at   integer,                      -- the earliest wake that came while it was leased
  holder     text,
  claimed_at integer,
  attempt    integer not null,
  lapses     integer not null,
  fence      integer not null
) strict;

create index due_queue on due (queue, priority, wake_at);
create index due_lane  on due (queue, lane, priority, wake_at) where lane is not null;
-- What is parked: a lane with a million later records must find these without walking those.
create index due_parked on due (queue, lane, wake_at) where wake_at > ready_at and holder is null;

-- A key outlives its record until `until`; `sweep_at` is set to it when the record is pruned.
create table key (
  kind     text not null,
  owner    text not null,
  name     text not null,
  uid      text not null,
  hash     text not null,
  until    integer,
  sweep_at integer,
  primary key (kind, owner, name)
) strict, without rowid;

create index key_sweep on key (sweep_at) where sweep_at is not null;

-- Names that only one live record may have.
create table hold (
  name text    primary key,
  id   integer not null references record (id)
) strict, without rowid;

create index hold_id on hold (id);

-- One row per visible change: the feed, the explanation and the audit. `seq` is never used twice,
-- so that a feed can resume from it after a prune.
create table history (
  seq        integer primary key autoincrement,
  id         integer not null references record (id),
  owner      text    not null,
  what       text    not null,
  state      text    not null,
  revision   integer not null,
  attempt    integer not null,
  at         integer not null,
  by         text    not null,
  claimed_at integer,
  note       text
) strict;

create index history_owner on history (owner);
create index history_id    on history (id);

-- Output of a record, outside of it.
create table chunk (
  id     integer not null references record (id),
  stream text    not null,
  start  integer not null,
  bytes  blob    not null,
  primary key (id, stream, start)
) strict;
