import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desk, eight, type Desk } from "../../test/desk.ts";
import { hasCode } from "../base/errors.ts";
import { makeNotification } from "../rules/notification.ts";
import type { Claimed } from "../rules/record.ts";
import { explain } from "./explain.ts";
import { remind } from "./remind.ts";

const half = 30 * 60_000;

async function claim(at: Desk, holder: string): Promise<Claimed<"notification">> {
  const request = { kind: "notification", holder, leaseMs: 15_000, limit: 1 } as const;
  const [record] = (await at.ledger.work.claim(request)).records;
  assert.ok(record);
  return record;
}

/** The text, with the record's id as ID. */
async function told(at: Desk, id: string): Promise<string> {
  const text = explain.say(await explain.run({ id }, at.mina), at.mina);
  return text.replaceAll(id, "ID");
}

describe("explain", () => {
  test("tells the whole story of a message that was said at the third attempt", async () => {
    const at = desk();
    const { id } = await remind.run({ message: "stand-up\nin room 3", at: "+30m" }, at.mina);
    at.clock.advance(half + 7);
    await claim(at, "node-a");
    at.clock.advance(15_000);
    const second = await claim(at, "node-b");
    at.clock.advance(250);
    await at.ledger.work.settle([
      {
        id,
        fence: second.lease.fence,
        revision: 1,
        state: "pending",
        wakeAt: at.clock.wall() + 2_000,
        note: "503 from the server",
      },
    ]);
    at.clock.advance(2_000);
    const third = await claim(at, "node-b");
    at.clock.advance(17);
    const outcome = { receipt: { line: 1 }, reason: null, maybeDelivered: true };
    await at.ledger.work.settle([
      { id, fence: third.lease.fence, revision: 2, ends: "delivered", outcome },
    ]);
    assert.equal(
      await told(at, id),
      `notification ID  delivered Mon 16 Nov 2026 08:30:17 Asia/Seoul to stdout:daemon, receipt {"line":1}; an earlier attempt may also have arrived
  message                   stand-up in room 3
  time                      Mon 16 Nov 2026 08:30:00 Asia/Seoul, asked as "+30m" in stdout:daemon, said 17 s after that
  Mon 16 Nov 2026 08:00:00  asked by mina-at-cli
  Mon 16 Nov 2026 08:30:15  attempt 1 on node-a was cut off: its fate is unknown
  Mon 16 Nov 2026 08:30:15  attempt 2 on node-b left it pending after 250 ms: 503 from the server
  Mon 16 Nov 2026 08:30:17  attempt 3 on node-b left it delivered after 17 ms`,
    );
  });
  test("of what waits says when it is due", async () => {
    const at = desk();
    const { id } = await remind.run({ message: "hi", at: "+30m" }, at.mina);
    assert.equal(
      await told(at, id),
      `notification ID  pending to stdout:daemon
  message                   hi
  time                      Mon 16 Nov 2026 08:30:00 Asia/Seoul, asked as "+30m" in stdout:daemon
  Mon 16 Nov 2026 08:00:00  asked by mina-at-cli
  next                      due Mon 16 Nov 2026 08:30:00 (in 30 min)`,
    );
  });

  const nexts: [name: string, happen: (at: Desk) => Promise<unknown>, next: string][] = [
    [
      "is due while nobody works",
      async ({ clock }) => clock.advance(half + 90_000),
      "due for 1 min 30 s; if that is long, see that `daybook start` runs",
    ],
    [
      "is being sent",
      async (at) => {
        at.clock.advance(half);
        await claim(at, "node-a");
      },
      "node-a is at work on it",
    ],
    [
      "was cut off",
      async (at) => {
        at.clock.advance(half);
        await claim(at, "node-a");
        at.clock.advance(16_000);
      },
      "node-a was cut off: due again for 1 s; if that is long, see that `daybook start` runs",
    ],
    [
      "is parked behind others",
      ({ ledger }) => {
        const to = eight + 2 * half;
        return ledger.work.move({ queue: "notification", lane: "stdout:daemon", to, limit: 9 });
      },
      "due Mon 16 Nov 2026 09:00:00 (in 1 h), behind others to the same place",
    ],
    [
      "waits for nothing in particular",
      async ({ ledger }) => {
        const book = ledger.of("mina", "x");
        const [record] = (await book.list({})).records;
        await book.edit({ kind: "notification", id: record?.id ?? "", wakeAt: null });
      },
      "it waits for an answer or an edit",
    ],
  ];
  for (const [name, happen, next] of nexts) {
    test(`of what ${name} says so`, async () => {
      const at = desk();
      const { id } = await remind.run({ message: "hi", at: "+30m" }, at.mina);
      await happen(at);
      assert.equal((await told(at, id)).split("\n").at(-1), `  next                      ${next}`);
    });
  }

  test("of what was taken back while it was being sent tells both", async () => {
    const at = desk();
    const { id } = await remind.run({ message: "hi", at: "+30m" }, at.mina);
    at.clock.advance(half);
    const { lease } = await claim(at, "node-a");
    const book = at.ledger.of("mina", "mina");
    await book.cancel({ id, reason: "not today" });
    assert.match(await told(at, id), /node-a is at work on it; then it ends cancelled$/);
    const outcome = { receipt: null, reason: "no answer", maybeDelivered: true };
    await at.ledger.work.settle([
      { id, fence: lease.fence, revision: 2, state: "pending", outcome },
    ]);
    const text = await told(at, id);
    assert.match(
      text,
      /^notification ID {2}cancelled .*an attempt may have arrived all the same$/m,
    );
    assert.match(text, /cancel asked by mina while an attempt was under way: not today$/m);
    assert.match(text, /attempt 1 on node-a left it cancelled after 0 ms$/m);
    assert.doesNotMatch(text, /^ {2}next/m);
  });
  test("walks up to what caused it, nearest first, and stops at what is not ours", async () => {
    const at = desk();
    const draft = (message: string) =>
      makeNotification({ message, at: eight, atText: "now", target: "x:y", origin: "x:y" });
    const theirs = await at.ledger.of("jun", "jun").append(draft("theirs"));
    const book = at.ledger.of("mina", "mina");
    const top = await book.append({ ...draft("top"), parent: theirs.id });
    const middle = await book.append({ ...draft("middle"), parent: top.id });
    const { id } = await book.append({ ...draft("leaf"), parent: middle.id });
    const { because } = await explain.run({ id }, at.mina);
    assert.deepEqual(
      because.map((cause) => cause.id),
      [middle.id, top.id],
    );
    const text = await told(at, id);
    assert.ok(text.includes(`  because                   notification ${middle.id}, pending\n`));
    assert.ok(!text.includes(theirs.id));
  });
  test("comes to an end when causes run in a circle", async () => {
    const at = desk();
    const book = at.ledger.of("mina", "mina");
    const body = { message: "hi", at: eight, atText: "now", target: "x:y", origin: "x:y" };
    await book.append({ ...makeNotification(body), id: "one", parent: "two" });
    await book.append({ ...makeNotification(body), id: "two", parent: "one" });
    assert.equal((await explain.run({ id: "one" }, at.mina)).because.length, 16);
  });
  test("lets no message or note draw on the terminal", async () => {
    const at = desk();
    const { id } = await remind.run({ message: "\u001B[2J", at: "+30m" }, at.mina);
    await at.ledger.of("mina", "mina").cancel({ id, reason: "\u001B]0;owned\u0007\nfake line" });
    assert.doesNotMatch((await told(at, id)).replaceAll("\n", ""), /\p{Cc}/u);
  });
  test("cannot tell another owner's record from one that never was", async () => {
    const at = desk();
    const { id } = await remind.run({ message: "secret", at: "+30m" }, at.mina);
    for (const asked of [id, "banana"]) {
      await assert.rejects(
        explain.run({ id: asked }, at.jun),
        (error) =>
          hasCode(error, "not_found") &&
          error.message === `There is no record "${asked}" in this book.`,
      );
    }
  });
});
