import assert from "node:assert/strict";
import { test } from "node:test";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
} from "../features/notifications/kind.ts";
import { nodeFixture, type NodeFixture } from "../testing/node-fixture.ts";
import type { Controller } from "./controller.ts";
import { runController } from "./runtime.ts";

const body = { message: "m", at: 0, atText: "", target: "fake:a", origin: null };
const made = (name: string): ReturnType<typeof makeNotification> => ({
  ...makeNotification({ ...body, at: 8e12 }),
  holds: [name],
});

/** Takes the first name that is free, as far as it may look. */
function taker(
  names: readonly string[],
  last = names.length,
): Controller<NotificationKind, number> {
  return {
    name: "taker",
    kind: notificationKind,
    act: () => Promise.resolve(0),
    decide: (_record, seen) => ({
      ends: "delivered",
      outcome: { receipt: seen, reason: null, maybeDelivered: false },
      consequences: { append: [made(names[seen] ?? "none")] },
    }),
    reread(_record, seen, refused) {
      assert.equal(refused.code, "held");
      return Promise.resolve(Math.min(seen + 1, last));
    },
  };
}

async function begin(at: NodeFixture, taken: number): Promise<string> {
  const book = at.ledger.of("mina", "mina");
  for (let n = 0; n < taken; n += 1) await book.append(made(`n${n}`));
  return (await book.append(makeNotification({ ...body, at: at.kernel.now() }))).id;
}
const names = Array.from({ length: 40 }, (_, n) => `n${n}`);

test("what is refused is decided again on what is seen then, without acting again", async () => {
  const at = nodeFixture();
  const id = await begin(at, 7);
  await runController(taker(names), at.ports, at.options).start();
  await at.pass(0);
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.deepEqual(
    [record?.state, record?.attempt, record?.outcome],
    ["delivered", 1, { receipt: 7, reason: null, maybeDelivered: false }],
  );
  assert.equal(at.heard.filter(({ name }) => name === "act failed").length, 0);
});

test("after twenty refusals the end stands without what was to follow from it", async () => {
  const at = nodeFixture();
  const id = await begin(at, 1);
  await runController(taker(names, 0), at.ports, at.options).start();
  await at.pass(0);
  const book = at.ledger.of("mina", "mina");
  const record = await book.get(id);
  assert.deepEqual([record?.state, record?.attempt], ["delivered", 1]);
  assert.equal((await book.list({ parent: id })).records.length, 0);
  assert.equal(at.heard.filter(({ name }) => name === "consequence refused").length, 1);
  const settles = at.calls.filter(({ verb }) => verb === "settle").length;
  assert.equal(settles, 1 + 20 + 1);
});
