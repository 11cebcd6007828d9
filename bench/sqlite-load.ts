import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../src/stores/sqlite/database.ts";
import { sqlite } from "../src/stores/sqlite/sqlite.ts";
import { type Load, type Stand, targetOf } from "./stand.ts";
import { body, dayMs } from "./work.ts";

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
  if (futureRows > 0) fill(database, { rows: futureRows, wakeAt: Date.now() + 30 * dayMs });
  database.exec("commit; pragma wal_checkpoint(truncate)");
  database.close();
  copyFileSync(store, bare);
  return { store, bare, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function sqliteStand(path: string): Promise<Stand> {
  const ledger = await sqlite({ path });
  return {
    store: `sqlite:${path}`,
    ledger,
    add: (load) => fillFile(path, load),
    async oldSnapshot() {
      const reader = new DatabaseSync(path, { readOnly: true });
      reader.exec("begin; select count(*) from hold");
      return async () => reader.close();
    },
    close: () => ledger.close(),
  };
}

export async function fillFile(path: string, load: Load): Promise<void> {
  const database = openDatabase(path);
  fill(database, load);
  database.close();
}

/** Adds waiting records in plain SQL. Ids rise, as those of the store do. */
function fill(database: DatabaseSync, load: Load): void {
  const { rows, wakeAt, queue = "notification", lane = null, holder = null } = load;
  const last = database.prepare("select coalesce(max(id), 0) as id from record").get();
  const first = Number(last?.["id"]) + 1;
  const until = first + rows - 1;
  database
    .prepare(
      `with recursive n (id) as (select cast(?1 as integer) union all select id + 1 from n where id < ?2)
       insert into record (id, uid, kind, owner, by, state, priority, queue, lane, revision, attempt, lapses,
         fence, cancelling, created_at, updated_at, body)
       select id, printf('00000000-0000-7000-8000-%012d', id), 'notification', 'owner-' || (id % 1000), 'cli',
         'pending', id % 3, ?3, ?4, 1, 0, 0, 0, 0, ?5, ?5, ?6
       from n`,
    )
    .run(
      first,
      until,
      queue,
      lane,
      Date.now(),
      JSON.stringify({ ...body, target: targetOf(load) }),
    );
  database
    .prepare(
      `insert into due (id, queue, priority, lane, wake_at, ready_at, holder, claimed_at, attempt, lapses, fence)
       select id, queue, priority, lane, ?3 + id % 1000, ?3 + id % 1000, ?4, iif(?4 is null, null, ?3), 0, 0, 0
       from record where id between ?1 and ?2 order by priority, id`,
    )
    .run(first, until, wakeAt, holder);
}
