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
import { ledgerTables } from "../postgres/tables.ts";
import { assertConsistent } from "./integrity.ts";
import { startedAt } from "./node.ts";

/** Ledgers with the same content, for nodes that are killed on them. */
export interface Ledgers<Row> {
  /** Creates a ledger, and answers its path or URL. */
  create(nth: number): Promise<string>;
  /** Reads rows without the store's own code. */
  read(location: string): Promise<readonly Row[]>;
}

/** The first records of a ledger, and the rows that a test checks at the end. */
export interface Content<Row> {
  fill(ledger: Ledger): Promise<void>;
  readonly kinds: readonly string[];
  /** SQL over a record whose body and outcome are JSON. */
  readonly columns: string;
  /** A row as the database gives it. */
  read(row: Readonly<Record<string, unknown>>): Row;
}

/** A clock that a worker thread shares. */
export function timeAt(now: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8)).fill(now);
}

/** Opens the ledger at a path or URL, with its clock. */
export function openLedger(location: string, time: Float64Array): Promise<Ledger> {
  if (location.endsWith(".folder"))
    return file({ folder: location, layouts: fileLayouts, now: () => time[0] ?? NaN });
  if (!location.startsWith("postgres")) return sqlite({ path: location, sharedNow: time });
  return postgres({ url: location, connections: 2, now: () => time[0] ?? NaN });
}

async function createFilled(location: string, { fill }: Content<unknown>): Promise<string> {
  const ledger = await openLedger(location, timeAt(startedAt));
  await fill(ledger);
  await ledger.close();
  return location;
}

function sqlList(kinds: readonly string[]): string {
  return kinds.map((kind) => `'${kind}'`).join(", ");
}

export function sqliteLedgers<Row>(folder: string, content: Content<Row>): Ledgers<Row> {
  const full = createFilled(join(folder, "full.db"), content);
  return {
    async create(nth) {
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
        from record r where kind in (${sqlList(content.kinds)}) order by id`);
      const all = rows.all().map(content.read);
      database.close();
      return all;
    },
  };
}

/** Reads the records of the journal. Rows have no output. */
export function fileLedgers<Row>(folder: string, content: Content<Row>): Ledgers<Row> {
  const full = createFilled(join(folder, "full.folder"), content);
  return {
    async create(nth) {
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

export function postgresLedgers<Row>(server: PostgresServer, content: Content<Row>): Ledgers<Row> {
  const free: string[] = []; // reused: creating a database is slow
  return {
    async create() {
      const used = free.pop();
      if (used === undefined) return createFilled(await server.database(), content);
      const { empty, close } = ledgerTables(used);
      await empty();
      await close();
      return createFilled(used, content);
    },
    async read(url) {
      const sql = driver(url, { max: 1, onnotice: () => undefined });
      await assertConsistent(sql);
      const rows = await sql.unsafe(`
        select ${content.columns},
          (select count(*)::integer from daybook.history h where h.id = r.id and what = 'lapsed') as lapsed,
          (select coalesce(sum(length(bytes)), 0)::integer from daybook.chunk c where c.id = r.id) as written
        from (select id, uid, kind, parent, state, body::json, outcome::json from daybook.record
          where kind in (${sqlList(content.kinds)})) r order by id`);
      await sql.end();
      free.push(url);
      return rows.map((row) => content.read(row));
    },
  };
}
