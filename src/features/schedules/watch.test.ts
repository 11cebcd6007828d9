import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { is } from "../../kernel/kind.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Body, Outcome } from "../../kernel/shape.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { someSchedule } from "../../testing/run-records.ts";
import { notificationKind } from "../notifications/kind.ts";
import { taskKind } from "../tasks/kind.ts";
import { type ScheduleKind } from "./kind.ts";
import { nextFires } from "./next-fire.ts";
import { started, ended } from "./ping.ts";
import { nextPing, decideWatch, makeWatch } from "./watch.ts";

type Schedule = LedgerRecord<ScheduleKind>;
type Parts = Partial<Schedule>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const reader = { zone: "UTC", language: "en" } as const;
const run = { ping: "hash", graceMs: hourMs };
const daily = { type: "interval", everyMs: dayMs, anchor: 0 } as const;

function watch(
  parts: Parts = {},
  outcome: Partial<Outcome<ScheduleKind>> = {},
  body: Partial<Body<ScheduleKind>> = {},
): Schedule {
  const asked = { run, cadence: daily, notify: "never", notifyAfterFailures: 1 } as const;
  return someSchedule(parts, { ...asked, disableAfterFailures: 0, ...body }, outcome);
}

function at(now: number, record: Schedule): Claimed<ScheduleKind> {
  const lease = { holder: "n1", fence: 1, claimedAt: now };
  return { ...record, lease, wakeAt: now + 15_000 };
}

function decide(now: number, record: Schedule): Verdict<ScheduleKind> {
  return decideWatch(at(now, record), reader, { now, jitter: 0 });
}

/** The rows as "day state reason", and the notices. */
function written({ consequences }: Verdict<ScheduleKind>): {
  rows: string[];
  notices: string[];
} {
  const append = consequences?.append ?? [];
  const rows = append.flatMap((draft) =>
    is(taskKind, draft) && "ends" in draft
      ? [`${(draft.body.slot?.at ?? 0) / dayMs} ${draft.ends}`]
      : [],
  );
  const notices = append.flatMap((draft) =>
    is(notificationKind, draft) ? [draft.body.message] : [],
  );
  return { rows, notices };
}

function after(record: Schedule, verdict: Verdict<ScheduleKind>): Schedule {
  assert.ok("state" in verdict && verdict.outcome !== undefined);
  return { ...record, state: verdict.state, outcome: verdict.outcome };
}

describe("a watch", () => {
  test("is due when its grace ends, and shows when the ping is expected", () => {
    const body = watch().body;
    const draft = makeWatch(
      { ...body, cadence: { ...daily, anchor: 5 * hourMs } },
      { owner: "mina", now: 5 * hourMs, limit: 50 },
    );
    assert.ok("state" in draft);
    assert.equal(draft.outcome?.nextRunAt, dayMs + 5 * hourMs);
    assert.equal(draft.wakeAt, dayMs + 6 * hourMs);
  });
  test("that is claimed early waits for the end of its grace", () => {
    const verdict = decide(dayMs + hourMs - 1, watch());
    assert.deepEqual(written(verdict), { rows: [], notices: [] });
    assert.ok("state" in verdict);
    assert.equal(verdict.wakeAt, dayMs + hourMs);
  });
  test("without pings has a row for each missed one, and notifies once", () => {
    let record = watch();
    const seen: ReturnType<typeof written>[] = [];
    for (const day of [1, 2, 3]) {
      const verdict = decide(day * dayMs + hourMs, record);
      seen.push(written(verdict));
      record = after(record, verdict);
      assert.equal(record.outcome?.nextRunAt, (day + 1) * dayMs);
    }
    const message =
      "⏰ 'backup' has not reported. Its report was expected Fri 2 Jan 1970 00:00:00.";
    assert.deepEqual(seen, [
      { rows: ["1 missed"], notices: [message] },
      { rows: ["2 missed"], notices: [] },
      { rows: ["3 missed"], notices: [] },
    ]);
    assert.equal(record.outcome?.lastRunState, "missed");
  });
  test("records that a run started and did not end", () => {
    const [row] =
      decide(dayMs + hourMs, watch({}, { startedAt: dayMs })).consequences?.append ?? [];
    assert.match(
      row?.note ?? "",
      /started at 1970-01-02T00:00:00Z, and no ping of its end came by .*01:00:00Z/,
    );
  });
  test("by cron expects its next own time after any ping", () => {
    const cadence = { type: "cron", expression: "0 3 * * *", zone: "Asia/Seoul" } as const;
    const body = { ...watch().body, cadence };
    const threeInSeoul = 18 * hourMs;
    const aim = nextPing("active", body, { cursor: threeInSeoul + 5 });
    assert.deepEqual(aim, {
      nextRunAt: threeInSeoul + dayMs,
      wakeAt: threeInSeoul + dayMs + hourMs,
    });
  });
  test("that is paused skips expected pings, and resumes by itself", () => {
    const paused = watch({ state: "paused" }, { pausedUntil: 2.5 * dayMs, reason: "holiday" });
    const during = decide(dayMs + hourMs, paused);
    assert.deepEqual(written(during), { rows: ["1 skipped"], notices: [] });
    assert.ok("state" in during);
    assert.deepEqual([during.state, during.wakeAt], ["paused", 2 * dayMs + hourMs]);
    const over = decide(3 * dayMs + hourMs, paused);
    assert.deepEqual(written(over).rows, ["1 skipped", "2 skipped", "3 missed"]);
    assert.ok("state" in over);
    assert.deepEqual([over.state, over.outcome?.pausedUntil], ["active", undefined]);
    assert.equal(written(over).notices.length, 1);
  });
  test("that is disabled or being deleted misses nothing", () => {
    assert.deepEqual(decide(9 * dayMs, watch({ state: "disabled" })), {
      state: "disabled",
      freshStart: true,
    });
    assert.deepEqual(decide(9 * dayMs, watch({ cancelling: true })), { ends: "cancelled" });
  });
  test("after years has a row for each of the newest thousand pings", () => {
    const now = 1_500 * dayMs + hourMs;
    let record = watch();
    const rows: string[] = [];
    let told = 0;
    for (;;) {
      const verdict = decide(now, record);
      const one = written(verdict);
      rows.push(...one.rows);
      told += one.notices.length;
      record = after(record, verdict);
      assert.ok("state" in verdict);
      if (verdict.wakeAt !== now) break;
    }
    assert.equal(rows.length, 1_001);
    assert.deepEqual([rows[0], rows[1], rows.at(-1)], ["500 missed", "501 missed", "1500 missed"]);
    assert.equal(told, 1);
  });
});

describe("a ping", () => {
  const good = { exit: 0, text: "" };
  const bad = { exit: 3, text: "one\ndisk full\n" };
  const ping = (record: Schedule, said: typeof good, now: number) => {
    const { runId, edit, append } = ended(record, said, reader, now);
    assert.ok(edit.outcome !== undefined && "wakeAt" in edit);
    const before = append.filter(({ id }) => id !== runId);
    const { rows } = written({ state: "active", consequences: { append: before } });
    const draft = append.find((each) => each.id === runId);
    const messages = append.flatMap((each) =>
      is(notificationKind, each) ? [each.body.message] : [],
    );
    assert.ok(is(taskKind, draft) && "ends" in draft);
    const next: Schedule = { ...record, outcome: edit.outcome, state: edit.state ?? record.state };
    return { draft, edit, rows, messages, next };
  };
  test("is a row that has ended, and the watch waits for the next", () => {
    const { draft, edit, messages } = ping(watch({}, { startedAt: 40 }), good, 100);
    assert.deepEqual([draft.ends, draft.parent, draft.outcome?.exit], ["completed", "s1", 0]);
    assert.deepEqual([draft.outcome?.startedAt, draft.outcome?.finishedAt], [40, 100]);
    assert.deepEqual([edit.wakeAt, edit.ifRevision], [100 + dayMs + hourMs, 1]);
    assert.equal(edit.outcome?.nextRunAt, 100 + dayMs);
    assert.equal(edit.outcome.startedAt, undefined);
    assert.deepEqual(messages, []);
  });
  test("keeps its output without control characters", () => {
    const text = `하나\u001b[31m둘 🎉\n`.repeat(2_000);
    const { draft } = ping(watch(), { exit: 0, text }, 100);
    const said = text.replaceAll("\u001b", "\ufffd");
    assert.equal(draft.outcome?.result, said);
    assert.equal(draft.outcome.outputBytes, Buffer.byteLength(said));
    assert.equal(Array.from(draft.outcome.summary ?? "").length, 500);
  });
  test("that failed has a reason, and notifies by the threshold", () => {
    const first = ping(watch(), bad, 100);
    assert.equal(first.draft.ends, "failed");
    assert.equal(first.draft.outcome?.reason, "it ended with exit 3: disk full");
    assert.deepEqual(first.messages, [
      "❌ Scheduled task 'backup' has failed 1 times in a row. Latest error: it ended with exit 3: disk full",
    ]);
    const second = ping(first.next, bad, 200);
    assert.deepEqual(second.messages, []);
    const third = ping(second.next, good, 300);
    assert.deepEqual(third.messages, ["✅ Scheduled task 'backup' works again, after 2 failures."]);
    assert.deepEqual(ping(third.next, good, 400).messages, []);
  });
  test("after a miss notifies once that the job reports again", () => {
    const missed = after(watch(), decide(dayMs + hourMs, watch()));
    const back = ping(missed, good, dayMs + 2 * hourMs);
    assert.deepEqual(back.messages, ["✅ 'backup' reports again."]);
    assert.deepEqual(ping(back.next, good, dayMs + 3 * hourMs).messages, []);
    const silent = { ...missed, body: { ...missed.body, notifyAfterFailures: 0 } };
    const failed = ping(silent, bad, dayMs + 2 * hourMs);
    assert.deepEqual(failed.messages, []);
    const works = ping(failed.next, good, dayMs + 3 * hourMs);
    assert.deepEqual(works.messages, ["✅ Scheduled task 'backup' works again, after 1 failure."]);
  });
  const late: [what: string, record: Schedule, now: number, rows: readonly string[]][] = [
    ["at the end of its grace", watch(), dayMs + hourMs, []],
    ["when its grace is over", watch(), dayMs + hourMs + 1, ["1 missed"]],
    ["days late", watch(), 3.5 * dayMs, ["1 missed", "2 missed", "3 missed"]],
    [
      "after a pause",
      watch({ state: "paused" }, { pausedUntil: 1.5 * dayMs }),
      2.5 * dayMs,
      ["1 skipped", "2 missed"],
    ],
    ["while disabled", watch({ state: "disabled" }), 3.5 * dayMs, []],
  ];
  for (const [what, record, now, rows] of late) {
    test(`that comes ${what} leaves ${rows.length} rows before its own`, () => {
      for (const said of [good, { ...bad, text: "" }]) {
        const silent = { ...record, body: { ...record.body, notifyAfterFailures: 0 } };
        const one = ping(silent, said, now);
        assert.deepEqual(one.rows, rows);
        assert.deepEqual(one.messages, []);
        assert.deepEqual([one.edit.outcome?.cursor, one.edit.outcome?.lastRunAt], [now, now]);
        assert.equal(one.edit.outcome?.consecutiveFailures, said === good ? 0 : 1);
        const [next] = ping(one.next, good, now + 1).rows;
        assert.equal(next, undefined);
      }
    });
  }
  test("that is late leaves the rows of the missed pings, without notices", () => {
    const record = watch();
    const now = 3.5 * dayMs;
    const decided = (decide(now, record).consequences?.append ?? []).filter(
      ({ kind }) => kind === "task",
    );
    const { append, runId } = ended(record, good, reader, now);
    assert.deepEqual(append.slice(0, -1), decided);
    assert.equal(append.at(-1)?.id, runId, "its own is the newest");
    // Whoever was told of the first is told that it is back.
    const missing = after(record, decide(dayMs + hourMs, record));
    const back = ping(missing, good, now);
    assert.deepEqual(back.rows, ["2 missed", "3 missed"]);
    assert.deepEqual(back.messages, ["✅ 'backup' reports again."]);
  });
  test("after years leaves as many rows as one unit carries", () => {
    const { rows } = ping(watch(), good, 1_500.5 * dayMs);
    assert.equal(rows.length, 201);
    assert.deepEqual(
      [rows[0], rows[1], rows.at(-1)],
      ["1300 missed", "1301 missed", "1500 missed"],
    );
  });
  test("of a start after the deadline is not a run that did not end in time", () => {
    const [row] =
      decide(2 * dayMs, watch({}, { startedAt: 1.5 * dayMs })).consequences?.append ?? [];
    assert.equal(row?.note, "no ping came by 1970-01-02T01:00:00Z");
  });
  test("of a start moves no deadline", () => {
    const edit = started(watch(), 77);
    assert.equal(edit.outcome?.startedAt, 77);
    assert.ok(!("wakeAt" in edit));
  });
  test("of a paused or disabled watch keeps its state", () => {
    assert.equal(ping(watch({ state: "paused" }), good, 100).edit.state, "paused");
    const disabled = ping(watch({ state: "disabled" }), good, 100).edit;
    assert.deepEqual([disabled.state, disabled.wakeAt], ["disabled", null]);
  });
  test("moves the next times", () => {
    const { next } = ping(watch(), good, 100);
    assert.deepEqual(nextFires(next, 200, 2), [100 + dayMs, 100 + 2 * dayMs]);
  });
  test("in time is never missed, and a late one always is", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3 * dayMs }), { maxLength: 12 }), (gaps) => {
        let record = watch();
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const verdict = decide(now, record);
          const late = Math.max(0, Math.floor((gap - hourMs) / dayMs));
          assert.equal(written(verdict).rows.length, late);
          record = ping(after(record, verdict), good, now).next;
          assert.equal(record.outcome?.cursor, now);
        }
      }),
    );
  });
});
