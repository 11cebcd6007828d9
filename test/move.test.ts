import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { after, describe, test, type TestContext } from "node:test";
import { open, type Daybook } from "../src/app/library/open.ts";
import { postgresServer } from "../src/testing/postgres/server.ts";
import { child, folder } from "./child.ts";
import { recordsOf } from "./moved-book.ts";
import { bin } from "./walk-book.ts";

const postgres = await postgresServer();
if ("stop" in postgres) after(() => postgres.stop());

async function exported(book: Pick<Daybook, "exportBook">): Promise<string[]> {
  const lines: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page = await book.exportBook({ after });
    lines.push(...page.lines);
    after = page.next;
  }
  return lines;
}

/** A file with so many notifications, every second of which waits for its time. */
async function fileWith(count: number): Promise<readonly string[]> {
  const daybook = await open({ store: "memory:" });
  const book = daybook.ledger.of("me", "me");
  for (let each = 0; each < count; each += 1) {
    const body = {
      message: `${each}`,
      at: 9e12,
      atText: "later",
      target: "inbox:me",
      origin: null,
    };
    const placed = { kind: "notification", lane: body.target, queue: "notification@session", body };
    await book.append(
      each % 2 === 0
        ? { ...placed, state: "pending", wakeAt: 9e12 }
        : { ...placed, ends: "delivered" },
    );
  }
  const lines = await exported(daybook);
  await daybook.close();
  return lines;
}

describe("a book moves from store to store", { timeout: 120_000 }, () => {
  test("and each has the same records, those that are live with their time", async (t) => {
    const home = folder(t);
    const stores = [
      "memory:",
      `sqlite:${join(home, "book.db")}`,
      `file:${join(home, "book")}`,
      ...("database" in postgres ? [await postgres.database()] : []),
      "memory:",
    ];
    if ("missing" in postgres) t.diagnostic(`without PostgreSQL: ${postgres.missing}`);
    const [first, ...others] = stores;
    let daybook = await open({ store: first ?? "", timezone: "Asia/Seoul" });
    await daybook.setProfile({ quiet: "22:00-07:00" });
    await daybook.remind({ message: "stand-up", at: "+1h", key: "k", related_task_id: "t" });
    const { id: gone } = await daybook.remind({ message: "old", at: "+1h", collapse_key: "c" });
    await daybook.cancel({ id: gone });
    await daybook.nag({ message: "pay rent" });
    await daybook.putPage({ id: "trip", title: 'Tr"ip \u0007 여행' });
    await daybook.nag({ page: "trip", at: "+2h" });
    await daybook.createSchedule({
      when: "every 2h",
      name: "sum",
      run: { task: "sum", input: [1] },
    });
    await daybook.runScheduleNow({ id: "sum" });
    await daybook.emitEvent({ type: "shop.order", payload: { order: 7 }, name: "evt-shop-7" });
    let lines = await exported(daybook);
    for (const store of others) {
      await daybook.close();
      daybook = await open({ store, timezone: "Asia/Seoul" });
      const dry = await daybook.importBook({ lines, dry_run: true });
      assert.deepEqual([dry.created, dry.problems], [lines.length - 2, []], store);
      assert.equal((await daybook.ledger.work.stats()).records, 0, store);
      assert.equal((await daybook.importBook({ lines })).created, lines.length - 2, store);
      assert.equal((await daybook.importBook({ lines })).existing, lines.length - 2, store);
      const again = await exported(daybook);
      assert.deepEqual(recordsOf(again).map(essence), recordsOf(lines).map(essence), store);
      lines = again;
    }
    await daybook.close();
  });
});

type Line = ReturnType<typeof recordsOf>[number];

/**
 * What a move keeps. The first one adds the times and the caller of the first book to a notification, and what was due
 * before is due when it arrives.
 */
function essence({ kind, id, state, wake_at: at, body, outcome }: Line): object {
  const { imported: _, createdBy: __, ...rest } = body;
  const isDue = at !== null && Date.parse(at) <= Date.now();
  return { kind, id, state, at: isDue ? "due" : at, body: rest, outcome };
}

async function daemon(t: TestContext, env: Readonly<Record<string, string>>) {
  const home = env["DAYBOOK_HOME"] ?? "";
  const running = child(t, bin, ["start"], env);
  await running.line(/is ready/);
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  const token = readFileSync(join(home, "token"), "utf8").trim();
  const get = (path: string, as = token) =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${as}` } });
  return { running, get, url };
}

async function cli(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  ...typed: readonly string[]
): Promise<readonly string[]> {
  const run = child(t, bin, typed, env);
  assert.equal(await run.ended, 0, run.lines.join("\n"));
  return run.lines;
}

/** A service that keeps the messages that it gets. */
async function receiver(
  t: TestContext,
): Promise<{ url: string; next(): Promise<string>; all: string[] }> {
  const all: string[] = [];
  const came = new EventTarget();
  let taken = 0;
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      all.push(body);
      response.end(JSON.stringify({ id: `${all.length}` }));
      came.dispatchEvent(new Event("message"));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const next = async (): Promise<string> => {
    while (all.length <= taken) await once(came, "message");
    taken += 1;
    return all[taken - 1] ?? "";
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, next, all };
}

describe("a book moves from one installation to another", { timeout: 120_000 }, () => {
  test("as a file, and what it sends then was not sent before", async (t) => {
    const service = await receiver(t);
    const installation = (): Record<string, string> => {
      const home = folder(t);
      const config = join(home, "daybook.yaml");
      const host = new URL(service.url).host;
      const ntfy = `channels: { ntfy: { server: "${service.url}" }, webhook: { allow: ["${host}"] } }\n`;
      writeFileSync(config, ntfy);
      return { DAYBOOK_HOME: home, DAYBOOK_CONFIG: config, DAYBOOK_LANGUAGE: "en" };
    };
    const [old, fresh] = [installation(), installation()];
    const first = await daemon(t, old);
    await cli(t, old, "remind", "said before", "--at", "+1s", "--target", "ntfy:desk");
    assert.match(await service.next(), /said before/);
    const [sent = ""] =
      (await cli(t, old, "list", "--all", "--json")).join("\n").match(/"id":"[^"]+"/) ?? [];
    await cli(t, old, "remind", "said after", "--at", "+2s", "--target", "ntfy:desk", "--key", "k");
    first.running.kill("SIGTERM"); // the second one is due while no daemon runs
    await first.running.ended;
    const lines = await cli(t, old, "export");
    assert.match(lines.join("\n"), new RegExp(sent));
    const file = join(old["DAYBOOK_HOME"] ?? "", "book.jsonl");
    writeFileSync(file, `${lines.join("\n")}\n`);
    assert.match(
      (await cli(t, fresh, "import", file, "--dry-run"))[0] ?? "",
      /^Would create \d+\. Nothing/,
    );
    assert.match((await cli(t, fresh, "import", file))[0] ?? "", /^Created \d+\.$/);
    const second = await daemon(t, fresh);
    assert.match(await service.next(), /said after/);
    assert.match((await cli(t, fresh, "import", file))[0] ?? "", /^Created 0, \d+ here already\.$/);
    const stream = await second.get("/v1/book/export.jsonl?kind=notification");
    assert.equal(stream.status, 200);
    assert.equal(stream.headers.get("content-type"), "application/x-ndjson");
    const now = (await stream.text()).trimEnd().split("\n");
    const kept = recordsOf(now).filter(({ body }) => String(body["message"]).startsWith("said"));
    assert.deepEqual(
      kept.map(({ body }) => body["message"]),
      ["said before", "said after"],
    );
    assert.equal(service.all.length, 2, "each was sent once");
    const api = (await (await second.get("/openapi.json")).json()) as { paths: object };
    assert.ok("/v1/book/export.jsonl" in api.paths);
  });

  test("as a stream, for a token that may read", async (t) => {
    const home = folder(t);
    const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en" };
    const lines = await fileWith(1_700);
    const file = join(home, "book.jsonl");
    writeFileSync(file, `${lines.join("\n")}\n`);
    const { get } = await daemon(t, env);
    await cli(t, env, "import", file);
    const stream = await get("/v1/book/export.jsonl");
    const streamed = (await stream.text()).trimEnd().split("\n");
    assert.deepEqual(recordsOf(streamed), recordsOf(await cli(t, env, "export")));
    assert.equal(recordsOf(streamed).length, 1_701, "with the daemon's own welcome");
    const tokenWith = async (scopes: string): Promise<string> => {
      const typed = ["token", "create", scopes, "--scopes", scopes, "--json"];
      return (JSON.parse((await cli(t, env, ...typed)).join("")) as { token: string }).token;
    };
    const statusOf = async (path: string, scopes: string) =>
      (await get(path, await tokenWith(scopes))).status;
    assert.equal(await statusOf("/v1/book/export.jsonl", "read"), 200);
    assert.equal(await statusOf("/v1/book/export.jsonl", "write"), 403);
    assert.equal(await statusOf("/v1/book/export.jsonl?owner=mina", "read"), 403);
    assert.equal((await get("/v1/book/export.jsonl?kind=token")).status, 422);
    assert.equal((await get("/v1/book/export.jsonl?colour=red")).status, 422);
  });
});

describe("an import that is killed", { timeout: 120_000 }, () => {
  test("leaves nothing due, and the same command completes it", async (t) => {
    const home = folder(t);
    const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en" };
    const count = 6_000;
    const lines = await fileWith(count);
    const file = join(home, "book.jsonl");
    writeFileSync(file, `${lines.join("\n")}\n`);
    await cli(t, env, "whoami"); // makes the book
    const database = new DatabaseSync(join(home, "book.db"));
    const countOf = (table: "record" | "due"): number =>
      Number(database.prepare(`select count(*) as count from ${table}`).get()?.["count"]);
    const killed = child(t, bin, ["import", file], env);
    // Each part is one commit: the first that is seen is the moment to kill it.
    const watched = (async () => {
      while (countOf("record") === 0) {
        t.signal.throwIfAborted();
        await new Promise(setImmediate);
      }
    })();
    await Promise.race([watched, killed.ended]);
    killed.kill("SIGKILL");
    assert.equal(await killed.ended, "SIGKILL");
    const written = countOf("record");
    t.diagnostic(`${written} of ${count} records were written`);
    assert.ok(written > 0 && written < count && written % 1_000 === 0, `${written}`);
    assert.equal(countOf("due"), 0, "nothing of a half of the book is due");
    const [said = ""] = await cli(t, env, "import", file);
    assert.equal(
      said,
      `Created ${count - written}, ${written} here already, ${written / 2} of an interrupted import started.`,
    );
    assert.deepEqual([countOf("record"), countOf("due")], [count, count / 2]);
    assert.match((await cli(t, env, "import", file))[0] ?? "", /^Created 0, 6000 here already\.$/);
    database.close();
  });
});
