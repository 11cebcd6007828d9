import assert from "node:assert/strict";
import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import driver from "postgres";
import { fileLayouts } from "../../features/index.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { file } from "../../stores/file/file.ts";
import { postgres } from "../../stores/postgres/postgres.ts";
import { sqlite } from "../../stores/sqlite/sqlite.ts";
import { assertShown, readLedgerFolder } from "../ledger-folder.ts";
import type { PostgresServer } from "../postgres/server.ts";
import { emptied } from "../postgres/tables.ts";
import { startedAt } from "./node.ts";
import { assertWhole } from "./tables.ts";

/** Books that all begin alike, for a node that is killed on each. */
export interface Books<Row> {
  /** Makes one, and says where it is. */
  make(nth: number): Promise<string>;
  /** An independent look: plain SQL. */
  read(place: string): Promise<readonly Row[]>;
}

/** What is in a book at the beginning, and what is looked at in the end. */
export interface Content<Row> {
  fill(ledger: Ledger): Promise<void>;
  readonly kinds: readonly string[];
  /** SQL over a record whose body and outcome are JSON. */
  readonly columns: string;
  /** A row as the database gives it. */
  read(row: Readonly<Record<string, unknown>>): Row;
}

/** A time that a thread can see too. */
export function timeAt(now: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8)).fill(now);
}

/** Opens one at such a time, wherever it is. */
export function openBook(place: string, time: Float64Array): Promise<Ledger> {
  if (place.endsWith(".folder"))
    return file({ folder: place, layouts: fileLayouts, now: () => time[0] ?? NaN });
  if (!place.startsWith("postgres")) return sqlite({ path: place, sharedNow: time });
  return postgres({ url: place, connections: 2, now: () => time[0] ?? NaN });
}

async function makeFull(place: string, { fill }: Content<unknown>): Promise<string> {
  const ledger = await openBook(place, timeAt(startedAt));
  await fill(ledger);
  await ledger.close();
  return place;
}

function listed(kinds: readonly string[]): string {
  return kinds.map((kind) => `'${kind}'`).join(", ");
}

export function sqliteBooks<Row>(folder: string, content: Content<Row>): Books<Row> {
  const full = makeFull(join(folder, "full.db"), content);
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
        select ${content.columns},
          (select count(*) from history h where h.id = r.id and what = 'lapsed') as lapsed,
          (select coalesce(sum(length(bytes)), 0) from chunk c where c.id = r.id) as written
        from record r where kind in (${listed(content.kinds)}) order by id`);
      const all = rows.all().map(content.read);
      database.close();
      return all;
    },
  };
}

/** Rows have no output here, and the columns are what its journal says. */
export function fileBooks<Row>(folder: string, content: Content<Row>): Books<Row> {
  const full = makeFull(join(folder, "full.folder"), content);
  return {
    async make(nth) {
      const path = join(folder, `${nth}.folder`);
      cpSync(await full, path, { recursive: true });
      return path;
    },
    async read(path) {
      assertShown(path);
      const { rows, changes } = readLedgerFolder(path);
      const lapses = changes.filter(({ what }) => what === "lapsed");
      const found = [...rows.values()].filter(({ kind }) => content.kinds.includes(kind));
      return found.map((row) => {
        const lapsed = lapses.filter(({ id }) => id === row.id).length;
        return content.read({ ...row, uid: row.id, lapsed });
      });
    },
  };
}

export function postgresBooks<Row>(server: PostgresServer, content: Content<Row>): Books<Row> {
  const read: string[] = []; // used again: a database is dear
  return {
    async make() {
      const used = read.pop();
      if (used === undefined) return makeFull(await server.database(), content);
      const { empty, close } = emptied(used);
      await empty();
      await close();
      return makeFull(used, content);
    },
    async read(url) {
      const sql = driver(url, { max: 1, onnotice: () => undefined });
      await assertWhole(sql);
      const rows = await sql.unsafe(`
        select ${content.columns},
          (select count(*)::integer from daybook.history h where h.id = r.id and what = 'lapsed') as lapsed,
          (select coalesce(sum(length(bytes)), 0)::integer from daybook.chunk c where c.id = r.id) as written
        from (select id, uid, kind, parent, state, body::json, outcome::json from daybook.record
          where kind in (${listed(content.kinds)})) r order by id`);
      await sql.end();
      read.push(url);
      return rows.map((row) => content.read(row));
    },
  };
}
