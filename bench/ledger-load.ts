import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../src/ledger/sqlite/database.ts";

/** Two files with the same content: one for the store, one for the bare loop. */
export interface Files {
  store: string;
  bare: string;
  remove(): void;
}

export function makeFiles(futureRows: number): Files {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  const store = join(folder, "store.db");
  const bare = join(folder, "bare.db");
  const database = openDatabase(store);
  database.exec("pragma synchronous = off; begin");
  fill(database, { rows: futureRows, wakeAt: Date.now() + 30 * 86_400_000, queue: "notification" });
  database.exec("commit; pragma wal_checkpoint(truncate)");
  database.close();
  copyFileSync(store, bare);
  return { store, bare, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Load {
  rows: number;
  wakeAt: number;
  queue: string;
  holder?: string;
}

/** Adds waiting records in plain SQL. Ids rise, as those of the store do. */
export function fill(database: DatabaseSync, { rows, wakeAt, queue, holder }: Load): void {
  const last = database.prepare("select coalesce(max(id), 0) as id from record").get();
  const first = Number(last?.["id"]) + 1;
  const until = first + rows - 1;
  database
    .prepare(
      `with recursive n (id) as (select cast(?1 as integer) union all select id + 1 from n where id < ?2)
       insert into record (id, uid, kind, owner, by, state, priority, queue, revision, attempt, lapses,
         fence, cancelling, created_at, updated_at, body)
       select id, printf('00000000-0000-7000-8000-%012d', id), 'notification', 'owner-' || (id % 1000), 'cli',
         'pending', id % 3, ?3, 1, 0, 0, 0, 0, ?4, ?4, ?5
       from n`,
    )
    .run(first, until, queue, Date.now(), JSON.stringify(body));
  database
    .prepare(
      `insert into due (id, queue, priority, wake_at, ready_at, holder, claimed_at, attempt, lapses, fence)
       select id, queue, priority, ?3 + id % 1000, ?3 + id % 1000, ?4, iif(?4 is null, null, ?3), 0, 0, 0
       from record where id between ?1 and ?2 order by priority, id`,
    )
    .run(first, until, wakeAt, holder ?? null);
}

/** About 220 bytes, as most reminders are. */
export const body = {
  message: "Water the plants on the balcony, and look whether the tomatoes need a longer stick.",
  at: 1_800_000_000_000,
  atText: "tomorrow at eight",
  target: "telegram:123456789",
  origin: "telegram:123456789",
};
