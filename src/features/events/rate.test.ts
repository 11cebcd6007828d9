import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventFixture, plainHandler, type EventFixture } from "../../testing/event-fixture.ts";
import { taskKind } from "../tasks/kind.ts";
import { permitKind, permitOf, windowEnd } from "../tasks/rate.ts";
import type { Ran } from "../tasks/runner.ts";

const done: Ran = { result: "completed", returned: { status: "success", summary: "done" } };
const minuteMs = 60_000;

/** A handler with this rate, and when its tasks started. */
async function limited(
  max: number,
  capacity: number | null = 3,
  { ran = done, ...more }: Partial<typeof plainHandler> & { ran?: Ran } = {},
) {
  const starts: number[] = [];
  const at: EventFixture = eventFixture(() => {
    starts.push(at.kernel.now());
    return ran;
  });
  const rate = { max, windowMs: minuteMs };
  at.settings = { ...at.settings, capacity, handlers: [{ ...plainHandler, ...more, rate }] };
  await at.start();
  return { at, starts };
}

function perWindow(starts: readonly number[]): readonly number[] {
  const windows = Map.groupBy(starts, (start) => Math.floor(start / minuteMs));
  return [...windows.values()].map(({ length }) => length);
}

describe("rate limit per handler", () => {
  for (const capacity of [3, null]) {
    test(`no more of its tasks start in a minute, also when they end at once; capacity ${capacity}`, async () => {
      const { at, starts } = await limited(2, capacity);
      for (let n = 1; n <= 7; n += 1) await at.emit({ name: `evt-${n}` });
      await at.pass(6 * minuteMs);
      assert.equal(starts.length, 7);
      for (const count of perWindow(starts)) assert.ok(count <= 2, `${count} in one minute`);
      const permits = await at.all(permitKind);
      assert.deepEqual(
        permits.map(({ state }) => state),
        permits.map(() => "over"),
      );
    });
  }

  for (const capacity of [3, null]) {
    test(`a retry is a start too; capacity ${capacity}`, async () => {
      const pauses = { firstMs: 1_000, factor: 1, maxMs: 1_000 };
      const ran: Ran = { result: "failed", reason: "no network" };
      const { at, starts } = await limited(2, capacity, { ran, retries: 4, pauses });
      await at.emit({ name: "evt-1" });
      await at.pass(6 * minuteMs);
      assert.equal(starts.length, 5);
      for (const count of perWindow(starts)) assert.ok(count <= 2, `${count} in one minute`);
    });
  }

  test("a task that waits says until when", async () => {
    const { at } = await limited(1);
    await at.emit({ name: "evt-1" });
    await at.emit({ name: "evt-2" });
    await at.pass(5_000);
    const tasks = await at.all(taskKind);
    const waiting = tasks.find(({ state }) => state === "pending") ?? assert.fail();
    const until = (Math.floor(at.kernel.now() / minuteMs) + 1) * minuteMs;
    assert.equal(waiting.wakeAt, until);
    assert.equal(waiting.outcome?.rateUntil, until);
    const { changes } = await at.ledger.of(waiting.owner, "x").changes({ id: waiting.id });
    assert.match(changes.at(-1)?.note ?? "", /^rate limit of gen-pr until 20/);
  });

  test("the name of a window says when it ends", () => {
    const rate = { name: "gen-pr", max: 3, windowMs: minuteMs };
    const { holds = [], body } = permitOf(rate, 90_000);
    const [slots = ""] = holds;
    const names = typeof slots === "string" ? [] : slots.oneOf;
    assert.equal(names.length, 3);
    for (const name of names) assert.equal(windowEnd(name), 120_000);
    assert.equal(body.until, 120_000);
    assert.equal(windowEnd("soldier#1"), undefined);
  });
});
