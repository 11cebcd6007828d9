import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, type BookFixture } from "../../../../test/book-fixture.ts";
import { is } from "../../../kernel/kind.ts";
import type { Body } from "../../../kernel/shape.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { taskKind } from "../../tasks/kind.ts";
import { makeSchedule } from "../draft.ts";
import { type ScheduleKind } from "../kind.ts";
import { backfillSchedule } from "./backfill.ts";
import { runScheduleNow } from "./runs.ts";

const hourMs = 3_600_000;

/** A handler's schedule that fired some times before now, where nobody was. */
async function scheduled(at: BookFixture, capacity: number | null = 3): Promise<string> {
  const body: Body<ScheduleKind> = {
    name: "gen-report:daily",
    cadence: { type: "interval", everyMs: hourMs, anchor: eight - 10 * hourMs },
    whenText: "every hour",
    run: { task: "report", input: null },
    notify: "never",
    target: "slack:C1",
    origin: null,
    misfire: "latest",
    overlap: "allow",
    rerun: true,
    timeoutMs: 60_000,
    notifyAfterFailures: 0,
    disableAfterFailures: 0,
    event: {
      handler: "gen-report",
      name: "daily",
      taskType: "report",
      payload: {},
      repo: null,
      channels: [],
      retries: 2,
      capacity,
    },
  };
  const draft = makeSchedule(body, { owner: "mina", now: eight, limit: 50 });
  return (await at.ledger.of("mina", "mina").append(draft)).id;
}

async function told({ ledger }: BookFixture): Promise<readonly unknown[]> {
  const { records } = await ledger.of("mina", "x").list({ kind: notificationKind });
  return records.map(({ id, parent, body }) => [id, parent, body.message]);
}

describe("a requested run of a handler's schedule", () => {
  test("has a numbered name, and a message starts its thread", async () => {
    const at = bookFixture();
    const id = await scheduled(at);
    const { id: run } = await runScheduleNow.run({ id, key: "now" }, at.mina);
    assert.equal(run, "task-20261116-001");
    assert.deepEqual(await told(at), [
      ["msg-20261116-001", "task-20261116-001", "📋 gen-report: report"],
    ]);
    const record = await at.ledger.of("mina", "x").get(run);
    assert.ok(is(taskKind, record));
    assert.deepEqual([record.body.event?.thread, record.lane], ["msg-20261116-001", null]);
    const again = await runScheduleNow.run({ id, key: "now" }, at.mina);
    assert.deepEqual([again.id, again.fresh], [run, false]);
    assert.equal((await told(at)).length, 1);
  });

  test("can be claimed by its name by outside workers", async () => {
    const at = bookFixture();
    const { id: run } = await runScheduleNow.run({ id: await scheduled(at, null) }, at.mina);
    assert.equal((await at.ledger.of("mina", "x").get(run))?.lane, run);
  });

  test("is created once per backfilled slot, with one thread", async () => {
    const at = bookFixture();
    const id = await scheduled(at);
    const asked = backfillSchedule.input.parse({ id, from: "2026-11-16T06:30:00+09:00" });
    const { slots } = await backfillSchedule.run(asked, at.mina);
    const runs = slots.map(({ run_id: run }) => run);
    assert.deepEqual(runs, ["task-20261116-001", "task-20261116-002"]);
    assert.equal((await told(at)).length, 2);
    const again = await backfillSchedule.run(asked, at.mina);
    assert.deepEqual([again.count, again.slots.map(({ run_id: run }) => run)], [0, runs]);
    assert.equal((await told(at)).length, 2);
  });
});
