import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

/** The timeout of a test whose line never comes. */
const patience = { timeout: 60_000, concurrency: 3 };

function otherProgram(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("create table record (id integer primary key, name text); pragma user_version = 7");
  database.close();
}

describe("an unreadable book is an error with advice, never an empty book:", patience, () => {
  const bad: [name: string, make: (path: string) => void, exit: number, says: RegExp][] = [
    ["garbage", (path) => writeFileSync(path, "not a book\n".repeat(999)), 6, /is not a ledger/],
    ["a folder", (path) => mkdirSync(path), 6, /is a folder: give the path of a database file/],
    [
      "another program's",
      otherProgram,
      5,
      /is another program's database: give Daybook a path of its own/,
    ],
  ];
  for (const [name, make, exit, says] of bad) {
    test(`${name} instead of a book`, async (t) => {
      const home = folder(t);
      make(join(home, "book.db"));
      for (const args of [["start"], ["list"], ["remind", "hi", "--at", "+1s"]]) {
        const run = child(t, bin, args, { DAYBOOK_HOME: home });
        assert.equal(await run.ended, exit, run.lines.join("\n"));
        assert.equal(run.lines.length, 1, run.lines.join("\n"));
        assert.match(run.lines[0] ?? "", says);
      }
    });
  }
  test("a path that leads through a file", async (t) => {
    const home = folder(t);
    writeFileSync(join(home, "file"), "");
    const store = `sqlite:${join(home, "file", "book.db")}`;
    const run = child(t, bin, ["list"], { DAYBOOK_STORE: store });
    assert.equal(await run.ended, 6, run.lines.join("\n"));
    assert.match(
      run.lines.join("\n"),
      /^daybook: \S+book\.db cannot be created \(.+\): choose a folder/,
    );
  });
  test("a folder that a daemon uses, until it is killed", async (t) => {
    const env = { DAYBOOK_STORE: `file:${join(folder(t), "book")}` };
    const daemon = child(t, bin, ["start"], env);
    await daemon.line(/is ready/);
    for (const args of [["start"], ["list"], ["remind", "hi", "--at", "+1s"]]) {
      const run = child(t, bin, args, env);
      assert.equal(await run.ended, 6, run.lines.join("\n"));
      assert.equal(run.lines.length, 1, run.lines.join("\n"));
      assert.match(
        run.lines[0] ?? "",
        /^daybook: \S+book is open in another process: \{"pid":\d+,.+\}\. Stop it first\.$/,
      );
      assert.match(run.lines[0] ?? "", new RegExp(`"pid":${daemon.pid},`));
    }
    daemon.kill("SIGKILL");
    await daemon.ended;
    const run = child(t, bin, ["list"], env);
    assert.equal(await run.ended, 0, run.lines.join("\n"));
  });
  test("a missing server", async (t) => {
    const env = { DAYBOOK_STORE: "postgres://me:secret@127.0.0.1:1/book" };
    for (const args of [["start"], ["list"], ["remind", "hi", "--at", "+1s"]]) {
      const run = child(t, bin, args, env);
      assert.equal(await run.ended, 6, run.lines.join("\n"));
      assert.equal(run.lines.length, 1, run.lines.join("\n"));
      assert.match(
        run.lines[0] ?? "",
        /^daybook: postgres:\/\/me@127\.0\.0\.1:\d+\/book: PostgreSQL cannot be reached: check that it/,
      );
      assert.doesNotMatch(run.lines[0] ?? "", /secret/);
    }
  });
  test("a server that closes every connection", async (t) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end());
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const run = child(t, bin, ["list"], {
      DAYBOOK_STORE: `postgres://me:secret@127.0.0.1:${port}/book`,
    });
    assert.equal(await run.ended, 6, run.lines.join("\n"));
    assert.match(
      run.lines.join("\n"),
      /^daybook: postgres:\/\/me@127\.0\.0\.1:\d+\/book: PostgreSQL cannot be reached: check that it/,
    );
  });
});
