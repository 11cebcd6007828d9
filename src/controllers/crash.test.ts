import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sqlite } from "../ledger/sqlite/sqlite.ts";
import { arrivalsIn, crashNode, fill, startedAt, type AtMoment } from "../testing/crash-node.ts";

/** Works until nothing is left to do, on a store whose clock goes on only when nobody is at work. */
async function work(path: string, sends: string, since: number, at: AtMoment): Promise<void> {
  const sharedNow = new Float64Array(new SharedArrayBuffer(8)).fill(since);
  const ledger = await sqlite({ path, sharedNow });
  const node = crashNode(ledger, sends, at);
  await node.start();
  for (;;) {
    const { queues } = await ledger.work.stats();
    const waiting = queues.find(({ queue }) => queue === "notification");
    if (waiting === undefined) break;
    if (waiting.due + waiting.leased === 0) sharedNow[0] = (sharedNow[0] ?? since) + 1_000;
    else await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await node.stop();
  await ledger.close();
}

/** In a process of its own, which is killed at its nth moment; answers which one that was. */
async function workAndDie(path: string, sends: string, nth: number): Promise<string | undefined> {
  const args = [import.meta.filename, "work", path, sends, String(nth)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return said;
  assert.equal(code, 0);
  return undefined;
}

interface Row {
  uid: string;
  owner: string;
  state: string;
  queue: string;
  type: string | null;
  target: string;
  message: string;
  digest: string | null;
  lapsed: number;
}

/** An independent look. */
function read(path: string): readonly Row[] {
  const database = new DatabaseSync(path);
  assert.equal(database.prepare("pragma integrity_check").get()?.["integrity_check"], "ok");
  const rows = database.prepare(`
    select uid, owner, state, queue, body ->> 'type' as type, body ->> 'target' as target,
      body ->> 'message' as message, outcome -> 'receipt' ->> 'digest' as digest,
      (select count(*) from history h where h.id = r.id and what = 'lapsed') as lapsed
    from record r where kind = 'notification'`);
  const all = rows.all() as unknown as Row[];
  database.close();
  return all;
}

/** Nothing is lost; whatever was said twice has an attempt that was cut off, and said so. */
function check(path: string, sends: string): void {
  const rows = read(path);
  const arrivals = arrivalsIn(sends);
  const ends = rows.map(({ state, target }) => `${target} ${state}`).toSorted();
  const atOnce = ends.includes("file:once unconfirmed") ? "unconfirmed" : "delivered";
  const digests = rows.filter(({ type }) => type === "digest").length;
  assert.deepEqual(ends, [
    `file:once ${atOnce}`,
    "file:parts delivered",
    ...Array.from({ length: 2 + digests }, () => "file:quiet delivered"),
    "file:short delivered",
    "inbox:bob pending",
    "nowhere:at-all failed",
  ]);
  assert.ok(rows.reduce((sum, { lapsed }) => sum + lapsed, 0) <= 1);
  for (const row of rows.filter(({ target }) => target.startsWith("file:"))) {
    checkRow(row, rows, arrivals);
  }
  assert.deepEqual(
    arrivals.filter(({ id }) => !rows.some(({ uid }) => uid === id)),
    [],
  );
}

function checkRow(row: Row, rows: readonly Row[], arrivals: ReturnType<typeof arrivalsIn>): void {
  const own = arrivals.filter(({ id }) => id === row.uid);
  const about = JSON.stringify([row, own]);
  const parts = Map.groupBy(own, ({ part }) => part);
  for (const [, [, second, third]] of parts) {
    if (second === undefined) continue;
    assert.equal(third, undefined, about);
    assert.ok(second.maybeRepeat && row.lapsed === 1, about);
    assert.notEqual(row.target, "file:once", about);
  }
  if (row.state === "unconfirmed") assert.equal(row.lapsed, 1, about);
  else if (row.digest === null) assert.ok(parts.size > 0, about);
  else {
    assert.equal(own.length, 0, about);
    const digest = rows.find(({ uid }) => uid === row.digest);
    assert.equal(digest?.state, "delivered");
    const words = arrivals.filter(({ id }) => id === row.digest).map(({ text }) => text);
    assert.ok(words.join(" ").includes(row.message), about);
  }
}

/** How many processes work and die beside each other. */
const atOnce = 4;

function tests(): void {
  test("kill -9 before and after every step of a delivery loses nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-"));
    const moments: string[] = [];
    const full = join(folder, "full.db");
    const ledger = await sqlite({ path: full, sharedNow: new Float64Array([startedAt]) });
    await fill(ledger);
    await ledger.close();
    /** Answers whether it died of it. */
    const killAt = async (nth: number): Promise<boolean> => {
      const [path, sends] = [join(folder, `${nth}.db`), join(folder, `${nth}.sends`)];
      copyFileSync(full, path);
      writeFileSync(sends, "");
      const moment = await workAndDie(path, sends, nth);
      if (moment !== undefined) moments[nth] = moment;
      await work(path, sends, startedAt + 86_400_000 / 2, () => undefined);
      check(path, sends);
      return moment !== undefined;
    };
    try {
      let more = true;
      for (let nth = 0; more; nth += atOnce) {
        const dead = Array.from({ length: atOnce }, (_, next) => killAt(nth + next));
        more = (await Promise.all(dead)).every(Boolean);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    const kinds = Object.groupBy(moments, (moment) => moment);
    for (const kind of ["claimed", "before a keep", "kept", "before a send", "sent"]) {
      assert.ok((kinds[kind]?.length ?? 0) >= 2, kind);
    }
    assert.ok((kinds["before a settle"]?.length ?? 0) >= 8);
    assert.ok((kinds["settled"]?.length ?? 0) >= 8);
  });
}

const [, , role, path = "", sends = "", nth = ""] = process.argv;
if (role === "work") {
  let left = Number(nth);
  await work(path, sends, startedAt, (moment) => {
    left -= 1;
    if (left >= 0) return;
    writeSync(1, moment);
    process.kill(process.pid, "SIGKILL");
  });
} else tests();
