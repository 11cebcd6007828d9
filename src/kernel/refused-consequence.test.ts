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
const holding = (name: string): ReturnType<typeof makeNotification> => ({
  ...makeNotification({ ...body, at: 8e12 }),
  holds: [name],
});

/** Takes the first free name, up to the last one it may try. */
function nameTaker(
  names: readonly string[],
  last = names.length,
): Controller<NotificationKind, number> {
  return {
    name: "name-taker",
    kind: notificationKind,
    act: () => Promise.resolve(0),
    decide: (_record, observed) => ({
      ends: "delivered",
      outcome: { receipt: observed, reason: null, maybeDelivered: false },
      consequences: { append: [holding(names[observed] ?? "none")] },
    }),
    observeAgain(_record, observed, refused) {
      assert.equal(refused.code, "held");
      return Promise.resolve(Math.min(observed + 1, last));
    },
  };
}

async function fixtureBook(at: NodeFixture, taken: number): Promise<string> {
  const book = at.ledger.of("mina", "mina");
  for (let n = 0; n < taken; n += 1) await book.append(holding(`n${n}`));
  return (await book.append(makeNotification({ ...body, at: at.kernel.now() }))).id;
}
const names = Array.from({ length: 40 }, (_, n) => `n${n}`);

test("a refused verdict is decided again on a new observation, without acting again", async () => {
  const at = nodeFixture();
  const id = await fixtureBook(at, 7);
  await runController(nameTaker(names), at.ports, at.options).start();
  await at.pass(0);
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.deepEqual(
    [record?.state, record?.attempt, record?.outcome],
    ["delivered", 1, { receipt: 7, reason: null, maybeDelivered: false }],
  );
  assert.equal(at.heard.filter(({ name }) => name === "act failed").length, 0);
});

test("after twenty refusals the end is written without its consequences", async () => {
  const at = nodeFixture();
  const id = await fixtureBook(at, 1);
  await runController(nameTaker(names, 0), at.ports, at.options).start();
  await at.pass(0);
  const book = at.ledger.of("mina", "mina");
  const record = await book.get(id);
  assert.deepEqual([record?.state, record?.attempt], ["delivered", 1]);
  assert.equal((await book.list({ parent: id })).records.length, 0);
  assert.equal(at.heard.filter(({ name }) => name === "consequence refused").length, 1);
  const settles = at.calls.filter(({ verb }) => verb === "settle").length;
  assert.equal(settles, 1 + 20 + 1);
});
