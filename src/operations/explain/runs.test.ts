import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desk, type Desk } from "../../../test/desk.ts";
import { slotKey, slotTask } from "../../rules/again/slot.ts";
import type { LedgerRecord } from "../../rules/record.ts";
import { createSchedule } from "../schedules/create.ts";
import { numberOf } from "./runs.ts";

const hour = 3_600_000;

/** A schedule of which so many slots are decided, one each hour: all of them were missed. */
async function decided(at: Desk, count: number): Promise<readonly LedgerRecord<"task">[]> {
  const run = { command: ["./report.sh"] };
  const { id } = await createSchedule.run({ when: "every 1h", run, name: "report" }, at.mina);
  const book = at.ledger.of("mina", "mina");
  for (let slot = 0; slot < count; slot += 1) {
    at.clock.advance(hour);
    const now = at.clock.wall();
    const claim = { kind: "schedule", holder: "node-a", leaseMs: 15_000, limit: 1 } as const;
    const [schedule] = (await at.ledger.work.claim(claim)).records;
    assert.ok(schedule);
    const ends = { state: "missed", reason: "late", at: now } as const;
    const key = slotKey(id, now);
    const append = [slotTask(schedule, { at: now, because: "cadence", key, ends })];
    const { revision, lease } = schedule;
    const left = { state: "active", wakeAt: now + hour, freshStart: true } as const;
    await at.ledger.work.settle([
      { id, fence: lease.fence, revision, ...left, follows: { append } },
    ]);
  }
  const found: LedgerRecord<"task">[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const query = { kind: "task", parent: id, limit: 500 } as const;
    const page = await book.list(after === undefined ? query : { ...query, after });
    found.push(...page.records.filter((record) => record.kind === "task"));
    after = page.next;
  }
  assert.equal(found.length, count);
  return found;
}

describe("a run's number", () => {
  test("counts the runs of its schedule from the first on, over all pages", async () => {
    const at = desk();
    const runs = await decided(at, 502);
    const book = at.ledger.of("mina", "mina");
    for (const index of [0, 1, 499, 500, 501]) {
      const run = runs[index];
      assert.ok(run);
      assert.equal(await numberOf(book, run), index + 1);
    }
  });
  test("is not said once earlier runs are forgotten: it would be another one every day", async () => {
    const at = desk();
    const runs = await decided(at, 4);
    const endedBefore = (runs[1]?.endedAt ?? 0) + 1;
    assert.equal(await at.ledger.work.prune({ endedBefore, limit: 9 }), 2);
    const newest = runs.at(-1);
    assert.ok(newest);
    assert.equal(await numberOf(at.ledger.of("mina", "mina"), newest), null);
  });
});
