import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import {
  openBook,
  postgresBooks,
  sqliteBooks,
  timeAt,
  type Books,
} from "../testing/crash-books.ts";
import { check } from "../testing/crash-check.ts";
import { arrivalsIn, crashNode, startedAt, type AtMoment } from "../testing/crash-node.ts";
import { postgresServer } from "../testing/postgres-server.ts";

/** Works until nothing is left to do, on a store whose clock goes on only when nobody is at work. */
async function work(place: string, sends: string, since: number, at: AtMoment): Promise<void> {
  const time = timeAt(since);
  const ledger = await openBook(place, time);
  const node = crashNode(ledger, sends, at);
  await node.start();
  for (;;) {
    const { queues } = await ledger.work.stats();
    const waiting = queues.find(({ queue }) => queue === "notification");
    if (waiting === undefined) break;
    if (waiting.due + waiting.leased === 0) time[0] = (time[0] ?? since) + 1_000;
    else await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await node.stop();
  await ledger.close();
}

interface Death {
  readonly place: string;
  readonly sends: string;
  readonly nth: number;
  /** Where compiled code is kept for the next one. */
  readonly compiled: string;
}

/** In a process of its own, which is killed at its nth moment; answers which one that was. */
async function workAndDie({ place, sends, nth, compiled }: Death): Promise<string | undefined> {
  const args = [import.meta.filename, "work", place, sends, String(nth)];
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return said;
  assert.equal(code, 0);
  return undefined;
}

/** How many processes work and die beside each other. */
const atOnce = 4;

/** One death at each moment, and after each an independent look at what another node made of it. */
async function dieAtEachMoment(t: TestContext, folder: string, books: Books): Promise<void> {
  const moments: string[] = [];
  const compiled = join(folder, "compiled");
  /** Answers whether it died of it. */
  const killAt = async (nth: number): Promise<boolean> => {
    const [place, sends] = [await books.make(nth), join(folder, `${nth}.sends`)];
    writeFileSync(sends, "");
    const moment = await workAndDie({ place, sends, nth, compiled });
    if (moment !== undefined) moments[nth] = moment;
    await work(place, sends, startedAt + 86_400_000 / 2, () => undefined);
    check(await books.read(place), arrivalsIn(sends));
    return moment !== undefined;
  };
  let more = true;
  for (let nth = 0; more; nth += atOnce) {
    const dead = Array.from({ length: atOnce }, (_, next) => killAt(nth + next));
    await Promise.allSettled(dead); // a failure of one pulls nothing away under the others
    more = (await Promise.all(dead)).every(Boolean);
  }
  t.diagnostic(`${moments.length} deaths`);
  const kinds = Object.groupBy(moments, (moment) => moment);
  for (const kind of ["claimed", "before a keep", "kept", "before a send", "sent"]) {
    assert.ok((kinds[kind]?.length ?? 0) >= 2, kind);
  }
  assert.ok((kinds["before a settle"]?.length ?? 0) >= 8);
  assert.ok((kinds["settled"]?.length ?? 0) >= 8);
}

async function tests(): Promise<void> {
  const server = await postgresServer();
  after(() => ("missing" in server ? undefined : server.stop()));
  const skip = "missing" in server && server.missing;
  const sentence = "kill -9 before and after every step of a delivery loses nothing";
  const inFolder = async (run: (folder: string) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-"));
    await run(folder).finally(() => rmSync(folder, { recursive: true }));
  };
  test(`SQLite: ${sentence}`, (t) =>
    inFolder((folder) => dieAtEachMoment(t, folder, sqliteBooks(folder))));
  test(`PostgreSQL: ${sentence}`, { skip }, (t) =>
    inFolder(async (folder) => {
      assert.ok(!("missing" in server));
      await dieAtEachMoment(t, folder, postgresBooks(server));
    }),
  );
}

const [, , role, place = "", sends = "", nth = ""] = process.argv;
if (role === "work") {
  let left = Number(nth);
  await work(place, sends, startedAt, (moment) => {
    left -= 1;
    if (left >= 0) return;
    writeSync(1, moment);
    process.kill(process.pid, "SIGKILL");
  });
} else await tests();
