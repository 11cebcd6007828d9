import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { readMigrations, type Migration } from "../sql/migrations.ts";
import { openDatabase } from "./database.ts";
import { engineOver } from "./engine.ts";
import { folder as sqlFiles } from "./migrations.ts";

const first = readMigrations(sqlFiles);
/** The number of the next migration. */
const more = first.length + 1;
const second: readonly Migration[] = [
  ...first,
  { number: more, name: "9999-more.sql", sql: "alter table record add column more text" },
];
const broken: readonly Migration[] = [
  ...first,
  {
    number: more,
    name: "9999-more.sql",
    sql: "create table more (id integer); select * from nowhere",
  },
];

/** Opens (and upgrades) the ledger, and writes one record: what each of two processes does at once. */
function openAndAppend(path: string, migrations: readonly Migration[]): void {
  const database = openDatabase(path, { migrations });
  const wall = (): number => Date.now();
  const engine = engineOver(database, { now: wall, ids: ids({ wall }, seededRandom(process.pid)) });
  const body = { name: "sweep", everyMs: 1000 };
  engine.append({
    who: { owner: "ann", by: "cli" },
    draft: { kind: "chore", state: "waiting", body },
  });
  engine.close();
}

function read(path: string, text: string): unknown {
  const database = new DatabaseSync(path);
  const row = database.prepare(text).get();
  database.close();
  return Object.values(row ?? {})[0];
}

async function inFolder(
  run: (path: string, folder: string) => Promise<void> | void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await run(join(folder, "book.db"), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function inProcesses(count: number, path: string, schema: string): Promise<void> {
  const start = (): Promise<unknown[]> =>
    once(
      spawn(process.execPath, [import.meta.filename, "open", path, schema], { stdio: "inherit" }),
      "exit",
    );
  const exits = await Promise.all(Array.from({ length: count }, start));
  assert.deepEqual(
    exits.map(([code]) => code),
    Array.from({ length: count }, () => 0),
  );
}

function tests(): void {
  test("a fresh ledger has the newest schema and no backup", () =>
    inFolder((path, folder) => {
      openAndAppend(path, first);
      openAndAppend(path, first);
      assert.equal(read(path, "select max(number) from migration"), first.length);
      assert.deepEqual(readdirSync(folder), ["book.db"]);
    }));

  test("an upgrade leaves a verified backup of the schema before it", () =>
    inFolder((path) => {
      openAndAppend(path, first);
      openAndAppend(path, second);
      assert.equal(read(path, "select max(number) from migration"), more);
      assert.equal(read(path, "select count(*) from record"), 2);
      const backup = `${path}.backup-${first.length}`;
      assert.equal(read(backup, "select max(number) from migration"), first.length);
      assert.equal(read(backup, "select count(*) from record"), 1);
      assert.equal(statSync(backup).mode & 0o777, 0o600);
    }));

  test("an upgrade that fails leaves the ledger as it was", () =>
    inFolder((path) => {
      openAndAppend(path, first);
      assert.throws(() => openDatabase(path, { migrations: broken }));
      assert.equal(read(path, "select max(number) from migration"), first.length);
      assert.equal(read(path, "select count(*) from sqlite_schema where name = 'more'"), 0);
      openAndAppend(path, first);
    }));

  test("an upgrade without a backup is refused", () =>
    inFolder((path) => {
      openAndAppend(path, first);
      mkdirSync(join(`${path}.backup-${first.length}`, "in-the-way"), { recursive: true });
      assert.throws(
        () => openDatabase(path, { migrations: second }),
        (error) => hasCode(error, "unavailable") && /No backup/.test(error.message),
      );
      assert.equal(read(path, "select max(number) from migration"), first.length);
    }));

  test("a migration that was changed after it ran is refused", () =>
    inFolder((path) => {
      openAndAppend(path, first);
      const changed = first.map((each) => ({ ...each, sql: `${each.sql}\n-- improved` }));
      assert.throws(
        () => openDatabase(path, { migrations: changed }),
        (error) =>
          hasCode(error, "refused") && /book\.db was created by another/.test(error.message),
      );
    }));

  test("a newer schema asks for an upgrade of Daybook", () =>
    inFolder((path) => {
      openAndAppend(path, second);
      assert.throws(
        () => openDatabase(path, { migrations: first }),
        (error) =>
          hasCode(error, "unsupported") &&
          /book\.db has schema \d+, .+ upgrade Daybook/.test(error.message),
      );
    }));

  test("processes that create the ledger at the same time share one", () =>
    inFolder(async (path, folder) => {
      await inProcesses(4, path, "first");
      assert.equal(read(path, "select count(*) from record"), 4);
      assert.deepEqual(readdirSync(folder), ["book.db"]);
    }));

  test("processes that upgrade at the same time do it once", () =>
    inFolder(async (path) => {
      openAndAppend(path, first);
      await inProcesses(4, path, "second");
      assert.equal(read(path, "select count(*) from record"), 5);
      const backup = `${path}.backup-${first.length}`;
      assert.equal(read(backup, "select max(number) from migration"), first.length);
    }));
}

const [, , role, path = "", schema] = process.argv;
if (role === "open") openAndAppend(path, schema === "second" ? second : first);
else tests();
