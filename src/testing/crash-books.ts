import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import driver from "postgres";
import type { Ledger } from "../ledger/ledger.ts";
import { postgres } from "../ledger/postgres/postgres.ts";
import { sqlite } from "../ledger/sqlite/sqlite.ts";
import type { Row } from "./crash-check.ts";
import { fill, startedAt } from "./crash-node.ts";
import { assertWhole } from "./crash-tables.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { emptied } from "./postgres-tables.ts";

/** Books that all begin alike, for a node that is killed on each. */
export interface Books {
  /** Makes one, and says where it is. */
  make(nth: number): Promise<string>;
  /** An independent look: plain SQL. */
  read(place: string): Promise<readonly Row[]>;
}

/** A time that a thread can see too. */
export function timeAt(now: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8)).fill(now);
}

/** Opens one at such a time, wherever it is. */
export function openBook(place: string, time: Float64Array): Promise<Ledger> {
  if (!place.startsWith("postgres")) return sqlite({ path: place, sharedNow: time });
  return postgres({ url: place, connections: 2, now: () => time[0] ?? NaN });
}

async function makeFull(place: string): Promise<string> {
  const ledger = await openBook(place, timeAt(startedAt));
  await fill(ledger);
  await ledger.close();
  return place;
}

const columns = `uid, state, body ->> 'type' as type, body ->> 'target' as target,
  body ->> 'message' as message, outcome -> 'receipt' ->> 'digest' as digest`;

export function sqliteBooks(folder: string): Books {
  const full = makeFull(join(folder, "full.db"));
  return {
    async make(nth) {
      const path = join(folder, `${nth}.db`);
      copyFileSync(await full, path);
      return path;
    },
    async read(path) {
      const database = new DatabaseSync(path);
      assert.equal(database.prepare("pragma integrity_check").get()?.["integrity_check"], "ok");
      const rows = database.prepare(`
        select ${columns},
          (select count(*) from history h where h.id = r.id and what = 'lapsed') as lapsed
        from record r where kind = 'notification'`);
      const all = rows.all() as unknown as Row[];
      database.close();
      return all;
    },
  };
}

export function postgresBooks(server: PostgresServer): Books {
  const read: string[] = []; // used again: a database is dear
  return {
    async make() {
      const used = read.pop();
      if (used === undefined) return makeFull(await server.database());
      const { empty, close } = emptied(used);
      await empty();
      await close();
      return makeFull(used);
    },
    async read(url) {
      const sql = driver(url, { max: 1, onnotice: () => undefined });
      await assertWhole(sql);
      const rows = await sql.unsafe<Row[]>(`
        select ${columns},
          (select count(*)::integer from daybook.history h where h.id = r.id and what = 'lapsed') as lapsed
        from (select id, uid, state, body::json, outcome::json from daybook.record
          where kind = 'notification') r`);
      await sql.end();
      read.push(url);
      return rows;
    },
  };
}
