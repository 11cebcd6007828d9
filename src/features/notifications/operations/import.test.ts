import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import { is } from "../../../kernel/kind.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { hasCode } from "../../../platform/errors.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { cancelNotification } from "./cancel.ts";
import { importNotifications } from "./import.ts";
import { remind } from "./remind.ts";
import { show } from "./show.ts";

type Output = Awaited<ReturnType<typeof importNotifications.run>>;

async function take(at: BookFixture, notifications: unknown, more: object = {}): Promise<Output> {
  const { output } = await callOperation(
    at.mina,
    importNotifications,
    { notifications, ...more },
    at.mina,
  );
  return importNotifications.output.parse(output);
}

async function written(at: BookFixture): Promise<readonly LedgerRecord<NotificationKind>[]> {
  const { records } = await at.ledger.of("mina", "x").list({ kind: notificationKind });
  return records.filter((record) => is(notificationKind, record));
}

const plain = { id: "n_1", message: "stand-up", scheduled_at: "2026-12-01T09:00:00" };
const nothing = { imported: 0, known: 0, ended: 0, refused: 0, problems: [] };

describe("an import", () => {
  test("accepts a row of the older ledgers", async () => {
    const at = bookFixture();
    const row = {
      ...plain,
      scheduled_at: "2026-12-01T09:00:00.123456",
      scheduled_at_text: "내일 아침 9시",
      type: "progress_check",
      priority: "medium",
      status: "pending",
      related_task_id: "task_9",
      related_question_id: null,
      context: "said in the meeting",
      created_by: "worker",
      created_at: "2026-11-30T12:00:00",
      delivered_at: null,
      gcal_event_id: null,
    };
    assert.deepEqual(await take(at, [row], { version: "1.0" }), { ...nothing, imported: 1 });
    const [record] = await written(at);
    assert.deepEqual(record?.body, {
      message: "stand-up",
      at: Date.parse("2026-12-01T09:00:00.124+09:00"),
      atText: "내일 아침 9시",
      target: "sessions:mina",
      targetReason: "import",
      origin: null,
      type: "progress_check",
      relatedTaskId: "task_9",
      context: "said in the meeting",
      createdBy: "worker",
      imported: { createdAt: Date.parse("2026-11-30T12:00:00+09:00"), endedAt: null },
    });
    assert.deepEqual([record?.priority, record?.queue], ["normal", "notification@session"]);
    const { changes } = await at.ledger.of("mina", "x").changes({});
    assert.equal(changes[0]?.note, "imported: n_1, by worker, created at 2026-11-30T12:00:00");
  });

  test("accepts a time with an offset, and needs three fields", async () => {
    const at = bookFixture();
    await take(at, [{ ...plain, scheduled_at: "2026-12-01T09:00:00Z" }]);
    const [record] = await written(at);
    assert.equal(record?.body.at, Date.parse("2026-12-01T09:00:00Z"));
    assert.equal(record?.body.atText, "2026-12-01T09:00:00Z");
  });

  test("changes nothing when repeated, and keeps ended rows as ended", async () => {
    const at = bookFixture();
    const rows = [
      plain,
      { ...plain, id: "n_2", status: "delivered" },
      { ...plain, id: "n_3", status: "cancelled" },
      { ...plain, id: "n_4" },
    ];
    assert.deepEqual(await take(at, rows), { ...nothing, imported: 4, ended: 2 });
    assert.deepEqual(await take(at, rows), { ...nothing, known: 4, ended: 2 });
    assert.deepEqual(
      (await written(at)).map(({ id, state, wakeAt }) => [id, state, wakeAt !== null]),
      [
        ["n_1", "pending", true],
        ["n_2", "delivered", false],
        ["n_3", "cancelled", false],
        ["n_4", "pending", true],
      ],
    );
  });

  test("takes a row without an id, with the old `cron_job_id`, and knows it again", async () => {
    const at = bookFixture();
    const { id: _, ...unnamed } = plain;
    const rows = [
      { ...unnamed, id: null, cron_job_id: "job_1", gcal_sync_hash: "x", related_task_id: null },
      { ...unnamed, message: "retro", cron_job_id: null },
    ];
    assert.deepEqual(await take(at, rows), { ...nothing, imported: 2 });
    assert.deepEqual(await take(at, rows), { ...nothing, known: 2 });
    const { changes } = await at.ledger.of("mina", "x").changes({});
    assert.deepEqual(
      changes.map(({ note }) => note),
      ["imported: a row without an id", "imported: a row without an id"],
    );
    assert.ok((await written(at)).every(({ body }) => !("relatedTaskId" in body)));
  });

  test("keeps a row as ended that says when it ended, though not that it did", async () => {
    const at = bookFixture();
    const rows = [
      { ...plain, delivered_at: "2026-11-10T09:00:03" },
      { ...plain, id: "n_2", status: null, cancelled_at: "2026-11-09T08:00:00" },
    ];
    assert.deepEqual(await take(at, rows), { ...nothing, imported: 2, ended: 2 });
    assert.deepEqual(
      (await written(at)).map(({ state }) => state),
      ["delivered", "cancelled"],
    );
  });

  test("as a dry run answers the same, and writes nothing", async () => {
    const at = bookFixture();
    const rows = [plain, { ...plain, id: "n_2", status: "delivered" }];
    const dry = { dry_run: true };
    const expected = { ...nothing, ...dry, imported: 2, ended: 1 };
    assert.deepEqual(await take(at, rows, dry), expected);
    assert.deepEqual(await written(at), []);
    await take(at, [plain]);
    const changed = [plain, { ...plain, id: "n_2" }, { ...plain, message: "retro" }];
    const { imported, known, refused } = await take(at, changed, dry);
    assert.deepEqual([imported, known, refused], [1, 1, 1]);
    assert.equal((await written(at)).length, 1);
  });

  test("refuses the other files of the assistant, over every interface", async () => {
    const at = bookFixture();
    const task = { id: "task_1", title: "Taxes", progress: { percentage: 0 } };
    for (const input of [{ tasks: [task] }, { notifications: [task] }, { questions: [] }]) {
      const call = callOperation(
        at.mina,
        importNotifications,
        { version: "1.0", ...input },
        at.mina,
      );
      await assert.rejects(call, (error) => hasCode(error, "unsupported"));
    }
    assert.deepEqual(await written(at), []);
  });

  test("reports a row that differs from its record, which is unchanged", async () => {
    const at = bookFixture();
    await take(at, [plain]);
    const answer = await take(at, [
      { ...plain, message: "retro" },
      { ...plain, id: "n_2" },
    ]);
    const problem = "It was imported before with different content: update that notification.";
    const problems = [{ id: "n_1", problem }];
    assert.deepEqual(answer, { ...nothing, imported: 1, refused: 1, problems });
    assert.deepEqual(
      (await written(at)).map(({ body }) => body.message),
      ["stand-up", "stand-up"],
    );
    assert.match(importNotifications.render(answer, at.reader()), /^Imported 1;.*\n"n_1": It was /);
  });

  test("keeps the record as it is: `status`: pending → delivered / cancelled, `delivered_at`, `cancelled_at`, `created_by`", async () => {
    const at = bookFixture();
    const row = {
      ...plain,
      scheduled_at: "2026-11-10T09:00:00",
      scheduled_at_text: "내일 3시",
      related_task_id: "task_xyz",
      related_question_id: null,
      created_at: "2026-11-01T12:00:00",
      created_by: "worker",
      delivered_at: null,
      cancelled_at: null,
      gcal_event_id: null,
    };
    const delivered = { ...row, status: "delivered", delivered_at: "2026-11-10T09:00:03" };
    const cancelled = { ...row, status: "cancelled", cancelled_at: "2026-11-09T08:00:00" };
    await take(at, [
      { ...delivered, id: "n_0a1b2c3d" },
      { ...cancelled, id: "n_4e5f6a7b" },
    ]);
    const first = await show.run({ id: "n_0a1b2c3d" }, at.mina);
    const second = await show.run({ id: "n_4e5f6a7b" }, at.mina);
    for (const view of [first, second]) {
      assert.equal(view.scheduled_at_text, "내일 3시");
      assert.equal(view.created_by, "worker");
      assert.equal(view.created_at, "2026-11-01T03:00:00Z");
      assert.deepEqual([view.related_task_id, view.related_question_id], ["task_xyz", null]);
      assert.equal(view.next_at, null, "it is never sent");
    }
    assert.deepEqual([first.state, first.delivered_at], ["delivered", "2026-11-10T00:00:03Z"]);
    assert.deepEqual([second.state, second.cancelled_at], ["cancelled", "2026-11-08T23:00:00Z"]);
    const claim = { kind: notificationKind, holder: "n", leaseMs: 60_000, limit: 9 } as const;
    for (const queue of ["notification", "notification@session"]) {
      assert.deepEqual((await at.ledger.work.claim({ ...claim, queue })).records, []);
    }
  });

  test("keeps old ids: show and cancel take them, and another owner's rows have ids of their own", async () => {
    const at = bookFixture();
    await take(at, [{ ...plain, id: "n_0a1b2c3d" }]);
    assert.equal((await show.run({ id: "n_0a1b2c3d" }, at.mina)).message, "stand-up");
    const theirs = { notifications: [{ ...plain, id: "n_0a1b2c3d" }] };
    const { output } = await callOperation(at.jun, importNotifications, theirs, at.jun);
    assert.deepEqual(output, { ...nothing, imported: 1 });
    const ids = (await at.ledger.of("jun", "x").list({ kind: notificationKind })).records;
    assert.equal(ids.length, 1);
    assert.notEqual(ids[0]?.id, "n_0a1b2c3d");
    const { state, result } = await cancelNotification("n_0a1b2c3d", "", at.mina);
    assert.deepEqual([state, result], ["cancelled", "cancelled"]);
    await take(at, [{ ...plain, id: "019a8d3e-7c00-7a52-9b1e-3f4c5d6e7f80" }]);
    const other = await show.run({ id: "019a8d3e-7c00-7a52-9b1e-3f4c5d6e7f80" }, at.mina).then(
      () => "taken",
      (error: unknown) => (hasCode(error, "not_found") ? "free" : "other"),
    );
    assert.equal(other, "free", "an id of another form could be that of another record");
  });

  test("default_chat_id / default_channel 사용: goes to the owner's home unless told otherwise", async () => {
    const at = bookFixture();
    const mina = { ...at.mina, profile: { ...at.mina.profile, home: "ntfy:mina" } };
    const installation = { ...mina, readProfile: () => Promise.resolve(mina.profile) };
    const run = (input: object) =>
      callOperation(installation, importNotifications, input, { ...mina, scopes: ["admin"] });
    await run({ notifications: [plain] });
    await run({ notifications: [{ ...plain, id: "n_2" }], target: "telegram:42" });
    assert.deepEqual(
      (await written(at)).map(({ body }) => [body.target, body.targetReason]),
      [
        ["ntfy:mina", "home"],
        ["telegram:42", "asked"],
      ],
    );
    const moved = { ...installation, profile: { ...mina.profile, home: "ntfy:new" } };
    const again = { ...moved, readProfile: () => Promise.resolve(moved.profile) };
    const { output } = await callOperation(
      again,
      importNotifications,
      { notifications: [plain] },
      mina,
    );
    assert.deepEqual(output, { ...nothing, known: 1 }, "a new home makes no other row");
  });

  const bad: [row: object, problem: RegExp][] = [
    [{ ...plain, message: "" }, /"notifications\.1" \("n_1"\): The message is empty/],
    [
      { ...plain, message: "x".repeat(20_001) },
      /\("n_1"\): The message has 20001 characters, and the maximum is 20000/,
    ],
    [
      { ...plain, scheduled_at: "tomorrow" },
      /"notifications\.1\.scheduled_at" is not valid: write/,
    ],
    [{ ...plain, scheduled_at: "2026-02-30T09:00:00" }, /\("n_1"\): .*2026-02-30/],
    [{ ...plain, status: "sent" }, /"notifications\.1\.status" must be one of pending, delivered/],
    [{ ...plain, type: "digest" }, /"notifications\.1\.type" must be one of/],
    [{ message: "x" }, /"notifications\.1\.scheduled_at" must be a string/],
    [{ ...plain, id: "" }, /"notifications\.1\.id" is empty/],
  ];
  for (const [row, problem] of bad) {
    test(`with ${JSON.stringify(row).slice(0, 60)} writes nothing`, async () => {
      const at = bookFixture();
      await assert.rejects(take(at, [{ ...plain, id: "n_0" }, row]), (error) => {
        assert.ok(hasCode(error, "invalid"));
        assert.match(error.message, problem);
        return true;
      });
      assert.deepEqual(await written(at), []);
    });
  }

  test("with many bad rows reports the first twenty", async () => {
    const at = bookFixture();
    const rows = Array.from({ length: 300 }, (_, index) => ({ ...plain, id: `n_${index}` }));
    const wrong = rows.map((row) => ({ ...row, type: "x" }));
    await assert.rejects(take(at, wrong), /and 280 more\.$/);
    const empty = rows.map((row) => ({ ...row, message: " " }));
    await assert.rejects(take(at, empty), (error) => {
      assert.ok(hasCode(error, "invalid"));
      assert.match(error.message, /^300 of 300 rows are invalid, so none was imported/);
      assert.equal(error.message.split("\n").length, 21);
      return true;
    });
  });
});

test("a request may name all sessions of its owner as its target, and nobody else's", async () => {
  const at = bookFixture();
  const ask = (target: string) => remind.run({ message: "hi", at: "+1h", target }, at.mina);
  assert.equal((await ask("sessions:mina")).target, "sessions:mina");
  await assert.rejects(ask("sessions:jun"), (error) => hasCode(error, "refused"));
});
