import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import driver from "postgres";
import { makeProfile } from "../../features/accounts/profile.ts";
import { builtInCurves } from "../../features/nags/curve.ts";
import { makeNag, type NagKind, nagKind } from "../../features/nags/kind.ts";
import { makePage } from "../../features/nags/page.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { postgres } from "../postgres/postgres.ts";
import { sqlite } from "../sqlite/sqlite.ts";

type Row = Readonly<Record<string, unknown>>;

const start = Date.parse("2026-11-16T00:00:00Z");
const later = Date.parse("2026-11-18T22:00:00Z");

function nagOf(about: NagKind["body"]["about"], owner = "mina"): ReturnType<typeof makeNag> {
  const body = {
    about,
    curveName: "otu",
    curve: builtInCurves.otu,
    target: `inbox:${owner}`,
    origin: null,
    at: start,
    atText: "now",
  };
  return makeNag(body, { owner, quiet: null });
}

/** One nag of each kind: new, sent, being sent, paused, done, about a text, and with characters that SQL rejects. */
async function fill(ledger: Ledger): Promise<Record<string, string>> {
  const book = ledger.of("mina", "mina");
  await book.append(makeProfile({ timezone: "Europe/Paris" }));
  const ids: Record<string, string> = {};
  for (const name of ["new", "sent", "work", "paused", "done", "moved"]) {
    await book.append(
      makePage("mina", { pageId: name, title: `T ${name}`, body: "x".repeat(3_000) }),
    );
    ids[name] = (await book.append({ ...nagOf({ page: name }), wakeAt: start + 9e9 })).id;
  }
  ids["words"] = (await book.append(nagOf({ text: "pay rent" }))).id;
  await book.append(makePage("mina", { pageId: "odd", title: "a\u0000b\\u0000\ud800c", body: "" }));
  ids["odd"] = (await book.append({ ...nagOf({ page: "odd" }), wakeAt: start + 9e9 })).id;
  await ledger.of("jun", "jun").append(nagOf({ text: "jun's" }, "jun"));
  const seen = (more: Partial<NagKind["outcome"]>): NagKind["outcome"] => ({
    asked: 1,
    count: 1,
    round: 0,
    nextAt: start,
    counted: null,
    saying: null,
    lastDelivered: null,
    lastReceiptId: null,
    failures: 0,
    reason: null,
    ...more,
  });
  const edit = (name: string) => ({ kind: "nag" as const, id: ids[name] ?? "" });
  const sent = { count: 4, nextAt: later, lastReceiptId: "msg-7" };
  await book.edit({ ...edit("sent"), outcome: seen(sent) });
  const body = { ...nagOf({ page: "moved" }).body, at: later, asked: 2 };
  await book.edit({ ...edit("moved"), body, outcome: seen({ nextAt: start }) });
  await book.edit({ ...edit("paused"), state: "paused", outcome: seen({ nextAt: null }) });
  await book.edit({ ...edit("done"), body: { ...nagOf({ page: "done" }).body, isDone: true } });
  const message = { message: "m", at: 1, atText: "", target: "inbox:mina", origin: null };
  const saying = await book.append({ kind: "notification", state: "pending", body: message });
  await book.edit({ ...edit("work"), outcome: seen({ nextAt: null, saying: saying.id }) });
  return ids;
}

const columns = [
  "id",
  "page_id",
  "user_id",
  "title",
  "body",
  "next_alarm_time",
  "sent_count",
  "last_notification_id",
  "processed_at",
  "created_at",
  "updated_at",
];

function time(value: unknown): string | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? new Date(value).toISOString() : null;
}

async function check(
  ledger: Ledger,
  ask: (sql: string) => Promise<readonly Row[]>,
  schema: string,
) {
  const ids = await fill(ledger);
  const rows = await ask(`select * from ${schema}alarm where user_id = 'mina'`);
  assert.deepEqual(Object.keys(rows[0] ?? {}), columns);
  const by = (name: string): Row => rows.find(({ id }) => id === ids[name]) ?? assert.fail(name);
  assert.equal(rows.length, 7, "done nags and another owner's are left out");
  assert.deepEqual(
    ["new", "sent", "moved", "paused", "work"].map((name) => [
      by(name)["page_id"],
      by(name)["title"],
      String(by(name)["body"]).length,
      time(by(name)["next_alarm_time"]),
      by(name)["sent_count"],
      by(name)["last_notification_id"],
      by(name)["processed_at"] === null,
    ]),
    [
      ["new", "T new", 2_000, time(new Date(start)), 1, null, true],
      ["sent", "T sent", 2_000, time(new Date(later)), 4, "msg-7", true],
      ["moved", "T moved", 2_000, time(new Date(later)), 1, null, true],
      ["paused", "T paused", 2_000, null, 1, null, true],
      ["work", "T work", 2_000, null, 1, null, false],
    ],
  );
  assert.deepEqual([by("words")["page_id"], by("words")["title"]], [null, "pay rent"]);
  // SQLite ends a text at its first NUL. The other rows must not be affected.
  assert.match(String(by("odd")["title"]), schema === "" ? /^a/ : /^ab\\u0000c$/);
  assert.deepEqual(
    await ask(`select user_id, timezone from ${schema}user_info order by user_id`).then((all) =>
      all.map((row) => ({ ...row })),
    ),
    [
      { user_id: "jun", timezone: "Asia/Seoul" },
      { user_id: "mina", timezone: "Europe/Paris" },
    ],
  );
  // A claim sets processed_at.
  const claim = await ledger.work.claim({ kind: nagKind, holder: "n", leaseMs: 60_000, limit: 1 });
  const [claimed] = claim.records;
  const [row] = await ask(`select * from ${schema}alarm where id = '${claimed?.id ?? ""}'`);
  assert.equal(time(row?.["processed_at"] ?? null), time(new Date(claimed?.lease.claimedAt ?? 0)));
}

test("the alarm view of SQLite shows nags under the names of the first reminders", async () => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  const path = join(folder, "book.db");
  const ledger = await sqlite({ path });
  const reader = new DatabaseSync(path, { readOnly: true });
  try {
    await check(ledger, (sql) => Promise.resolve(reader.prepare(sql).all()), "");
  } finally {
    reader.close();
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
});

const server = await postgresServer();
const skip = "missing" in server ? server.missing : false;
after(() => ("missing" in server ? undefined : server.stop()));

test("the alarm view of PostgreSQL shows the same rows", { skip }, async () => {
  if ("missing" in server) return;
  const url = await server.database();
  const ledger = await postgres({ url });
  const sql = driver(url, { max: 1 });
  try {
    await check(ledger, async (text) => sql.unsafe(text), "daybook.");
  } finally {
    await sql.end();
    await ledger.close();
  }
});
