import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type ErrorCode, hasCode } from "../../platform/errors.ts";
import { openDatabase } from "./database.ts";
import { sqlite } from "./sqlite.ts";

async function inFolder(run: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function refuses(path: string, code: ErrorCode, words: RegExp): void {
  assert.throws(
    () => openDatabase(path),
    (error) => hasCode(error, code) && words.test(error.message),
  );
}

/** A ledger with some pages in its file, and closed. */
function filled(path: string): void {
  const database = openDatabase(path);
  const add = database.prepare(
    "insert into key (kind, owner, name, uid, hash) values (?, ?, ?, ?, ?)",
  );
  for (let n = 0; n < 2000; n += 1) add.run("chore", "ann", `key ${n}`, "uid", "hash");
  database.close();
}

test("only the owner can read a new ledger and its folder", () =>
  inFolder((folder) => {
    const path = join(folder, "deep", "er", "book.db");
    openDatabase(path).close();
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, "deep")).mode & 0o777, 0o700);
  }));

test("every commit waits for the disk", () =>
  inFolder((folder) => {
    const database = openDatabase(join(folder, "book.db"));
    assert.equal(database.prepare("pragma journal_mode").get()?.["journal_mode"], "wal");
    assert.equal(database.prepare("pragma synchronous").get()?.["synchronous"], 2);
    database.close();
  }));

test("a folder is not a ledger", () =>
  inFolder((folder) => refuses(folder, "unavailable", /folder/)));

test("a file that is not a database is refused and not changed", () =>
  inFolder((folder) => {
    const path = join(folder, "book.db");
    writeFileSync(path, "Dear diary, ".repeat(1000));
    refuses(path, "unavailable", /not a ledger, or it is damaged/);
    assert.equal(statSync(path).size, 12_000);
  }));

test("another program's database is refused and not changed", () =>
  inFolder((folder) => {
    const path = join(folder, "photos.db");
    const photos = new DatabaseSync(path);
    photos.exec("create table photo (id integer)");
    photos.close();
    refuses(path, "refused", /another program's/);
    const after = new DatabaseSync(path);
    assert.equal(after.prepare("pragma journal_mode").get()?.["journal_mode"], "delete");
    assert.equal(after.prepare("select count(*) as n from sqlite_schema").get()?.["n"], 1);
    after.close();
  }));

test("an empty file is refused, not opened as a new ledger", () =>
  inFolder((folder) => {
    const path = join(folder, "book.db");
    filled(path);
    truncateSync(path, 0);
    refuses(path, "unavailable", /is empty/);
  }));

test("a truncated file is refused", () =>
  inFolder((folder) => {
    const path = join(folder, "book.db");
    filled(path);
    truncateSync(path, Math.floor(statSync(path).size / 2));
    refuses(path, "unavailable", /damaged/);
  }));

test("a path that leads through a file cannot be read", () =>
  inFolder((folder) => {
    writeFileSync(join(folder, "file"), "");
    refuses(join(folder, "file", "book.db"), "unavailable", /cannot be/);
  }));

test("a file without read permission is refused", () =>
  inFolder((folder) => {
    const path = join(folder, "book.db");
    filled(path);
    chmodSync(folder, 0o755);
    chmodSync(path, 0o000);
    asNobody(() => refuses(path, "unavailable", /permissions/));
  }));

/** Root can read every file, so as root the test runs as another user. */
function asNobody(run: () => void): void {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(65_534);
  try {
    run();
  } finally {
    process.seteuid?.(0);
  }
}

test("the store reports the error of its thread when it cannot open", () =>
  inFolder(async (folder) => {
    const path = join(folder, "folder.db");
    mkdirSync(path);
    await assert.rejects(sqlite({ path }), (error) => hasCode(error, "unavailable"));
  }));
