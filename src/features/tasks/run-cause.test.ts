import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { bookFixture, type BookFixture, withRunners } from "../../../test/book-fixture.ts";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { operations } from "../index.ts";
import { scheduleKind } from "../schedules/kind.ts";
import { createSchedule } from "../schedules/operations/create.ts";
import { runScheduleNow } from "../schedules/operations/runs.ts";
import { slotKey, slotTask } from "../schedules/slot.ts";
import { task } from "./function.ts";
import { type TaskKind, taskKind } from "./kind.ts";
import { runTask } from "./operations/run.ts";
import { emptyOutcome } from "./outcome.ts";
import type { LocalRunners } from "./ports.ts";
import { numberOf } from "./run-cause.ts";

const { explain } = operations;

const hour = 3_600_000;

/** A schedule of which so many slots are decided, one each hour: all of them were missed. */
async function decided(at: BookFixture, count: number): Promise<readonly LedgerRecord<TaskKind>[]> {
  const run = { command: ["./report.sh"] };
  const { id } = await createSchedule.run({ when: "every 1h", run, name: "report" }, at.mina);
  const book = at.ledger.of("mina", "mina");
  for (let slot = 0; slot < count; slot += 1) {
    at.clock.advance(hour);
    const now = at.clock.wall();
    const claim = { kind: scheduleKind, holder: "node-a", leaseMs: 15_000, limit: 1 } as const;
    const [schedule] = (await at.ledger.work.claim(claim)).records;
    assert.ok(schedule);
    const ends = { state: "missed", reason: "late", at: now } as const;
    const key = slotKey(id, now);
    const append = [slotTask(schedule, { at: now, because: "cadence", key, ends })];
    const { revision, lease } = schedule;
    const left = { state: "active", wakeAt: now + hour, freshStart: true } as const;
    await at.ledger.work.settle([
      { id, fence: lease.fence, revision, ...left, consequences: { append } },
    ]);
  }
  const found: LedgerRecord<TaskKind>[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const query = { kind: taskKind, parent: id, limit: 500 } as const;
    const page = await book.list(after === undefined ? query : { ...query, after });
    found.push(...page.records.filter((record) => is(taskKind, record)));
    after = page.next;
  }
  assert.equal(found.length, count);
  return found;
}

describe("the number of a run", () => {
  test("counts the runs of its schedule from the first, over all pages", async () => {
    const at = bookFixture();
    const runs = await decided(at, 502);
    const book = at.ledger.of("mina", "mina");
    for (const index of [0, 1, 499, 500, 501]) {
      const run = runs[index];
      assert.ok(run);
      assert.equal(await numberOf(book, run), index + 1);
    }
  });
  test("is null once earlier runs are pruned: it would change every day", async () => {
    const at = bookFixture();
    const runs = await decided(at, 4);
    const endedBefore = (runs[1]?.endedAt ?? 0) + 1;
    assert.equal(await at.ledger.work.prune({ endedBefore, limit: 9 }), 2);
    const newest = runs.at(-1);
    assert.ok(newest);
    assert.equal(await numberOf(at.ledger.of("mina", "mina"), newest), null);
  });
});

describe("a run that is due", () => {
  const due = "due for 2 s; if that is long, check that `daybook start` is running";
  const mail = task({ name: "mail", input: z.object({}), run: () => "sent" });
  const cases: [
    title: string,
    run: { task: string } | { command: string[] },
    here: LocalRunners,
    says: string,
  ][] = [
    [
      "of a task without a runner here",
      { task: "mail" },
      {},
      "No program here runs the task 'mail': its runs wait until one does.",
    ],
    ["of a task with a runner here", { task: "mail" }, { tasks: [mail] }, due],
    ["of a command", { command: ["./report.sh"] }, { command: true }, due],
    [
      "of a command where commands are not allowed any more",
      { command: ["./report.sh"] },
      {},
      "No program here runs the task 'command': its runs wait until one does.",
    ],
  ];
  for (const [title, run, runners, says] of cases) {
    test(`${title} shows what it waits for`, async () => {
      const at = bookFixture();
      const id =
        "task" in run ? (await runTask.run({ ...run }, at.mina)).id : await ranNow(at, run);
      at.clock.advance(2_000);
      const story = await explain.run({ id }, withRunners(at.mina, runners));
      const lines = explain.render(story, at.reader()).split("\n");
      assert.equal(lines.at(-1), `  next      ${says}`);
    });
  }
});

async function ranNow(at: BookFixture, run: { command: string[] }): Promise<string> {
  const { id } = await createSchedule.run({ when: "every 1h", run, name: "report" }, at.mina);
  return (await runScheduleNow.run({ id }, at.mina)).id;
}
test("a run with nothing to do shows the reason, and not a missing marker", async () => {
  const at = bookFixture();
  const run = { command: ["./report.sh"] };
  const asked = { when: "every 1h", run, name: "report", notify: "conditional" } as const;
  const { id: parent } = await createSchedule.run(asked, at.mina);
  const book = at.ledger.of("mina", "mina");
  const schedule = await book.get(parent);
  assert.ok(is(scheduleKind, schedule));
  const reason = "the check found nothing to do";
  const finishedAt = at.clock.wall();
  const { kind, body } = slotTask(schedule, { at: finishedAt, because: "cadence" });
  const outcome = { ...emptyOutcome, finishedAt, reason };
  const { id } = await book.append({ kind, body, parent, ends: "completed", outcome });
  const text = explain.render(await explain.run({ id }, at.mina), {
    ...at.mina.profile,
    now: finishedAt,
  });
  assert.match(text, /^run .* completed .*: the check found nothing to do$/m);
  assert.doesNotMatch(text, /NOTIFY/);
});
