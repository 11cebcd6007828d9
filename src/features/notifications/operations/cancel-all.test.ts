import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import { notificationKind } from "../kind.ts";
import { cancelAll } from "./cancel-all.ts";
import { list } from "./list.ts";
import { remind } from "./remind.ts";

type Answer = ReturnType<typeof cancelAll.output.parse>;

async function asked(at: BookFixture, input: object): Promise<Answer> {
  const { output } = await callOperation(at.mina, cancelAll, input, at.mina);
  return cancelAll.output.parse(output);
}

async function filled(count = 3): Promise<BookFixture> {
  const at = bookFixture();
  for (let made = 1; made <= count; made += 1) {
    await remind.run({ message: `tea ${made}`, at: `+${made}h` }, at.mina);
  }
  await remind.run({ message: "coffee", at: "+30m" }, at.mina);
  return at;
}

async function waiting(at: BookFixture): Promise<string[]> {
  const { notifications } = await list.run({ all: false, limit: 500 }, at.mina);
  return notifications.map(({ message }) => message);
}

const counts = ({ matched, cancelled, cancelling, dry_run: isDry }: Answer) => [
  matched,
  cancelled,
  cancelling,
  isDry,
];

describe("a cancel of many", () => {
  test("needs a filter", async () => {
    const at = await filled();
    for (const input of [{}, { reason: "moved" }, { dry_run: true }]) {
      await assert.rejects(asked(at, input), {
        code: "invalid",
        message: /give at least one of search, /,
      });
    }
    assert.equal((await waiting(at)).length, 4);
  });
  test("shows what it would cancel, the next first, and changes nothing", async () => {
    const at = await filled();
    const answer = await asked(at, { search: "TEA", dry_run: true });
    assert.deepEqual(counts(answer), [3, 0, 0, true]);
    assert.deepEqual(
      answer.notifications.map(({ message }) => message),
      ["tea 1", "tea 2", "tea 3"],
    );
    assert.match(
      cancelAll.render(answer, at.reader()),
      /^3 notifications would be cancelled:\n.* tea 1\n/,
    );
    assert.equal((await waiting(at)).length, 4);
  });
  test("cancels each that matches, with the reason, and no other", async () => {
    const at = await filled();
    const answer = await asked(at, { search: "tea", until: "+150m", reason: "moved" });
    assert.deepEqual(counts(answer), [2, 2, 0, false]);
    assert.deepEqual(await waiting(at), ["coffee", "tea 3"]);
    const { notifications } = await list.run({ all: true, limit: 9, state: "cancelled" }, at.mina);
    for (const { context } of notifications) assert.equal(context, "Cancellation reason: moved");
    assert.equal(cancelAll.render(answer, at.reader()), "Cancelled: 2.");
    const again = await asked(at, { search: "tea", until: "+150m" });
    assert.equal(cancelAll.render(again, at.reader()), "No waiting notification matches.");
  });
  test("shows the first ten of many, and cancels a thousand at a time", async () => {
    const at = await filled(1_004);
    const dry = await asked(at, { search: "tea", dry_run: true });
    assert.equal(dry.notifications.length, 10);
    assert.match(cancelAll.render(dry, at.reader()), /\n… and 994 more$/);
    const answer = await asked(at, { search: "tea" });
    assert.deepEqual(counts(answer), [1_004, 1_000, 0, false]);
    assert.match(
      cancelAll.render(answer, at.reader()),
      /^Cancelled: 1000\. Not cancelled: 4\. Repeat/,
    );
    assert.deepEqual(counts(await asked(at, { search: "tea" })), [4, 4, 0, false]);
    assert.deepEqual(await waiting(at), ["coffee"]);
  });
  test("says which are being sent, and leaves those out that are being cancelled", async () => {
    const at = await filled(1);
    at.clock.advance(3_600_000);
    await at.ledger.work.claim({ kind: notificationKind, holder: "n", leaseMs: 60_000, limit: 1 });
    const answer = await asked(at, { type: "reminder" });
    assert.deepEqual(counts(answer), [2, 1, 1, false]);
    assert.deepEqual(counts(await asked(at, { type: "reminder" })), [0, 0, 0, false]);
  });
  test("reaches nothing in another book", async () => {
    const at = await filled();
    const { output } = await callOperation(at.jun, cancelAll, { search: "tea" }, at.jun);
    assert.equal(cancelAll.output.parse(output).matched, 0);
    assert.equal((await waiting(at)).length, 4);
  });
});
