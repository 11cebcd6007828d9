import assert from "node:assert/strict";
import { test } from "node:test";
import { runController } from "../../kernel/runtime.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { makeNotification } from "../notifications/kind.ts";
import { chores, pruneOld, planChores, type Chore } from "./chore.ts";
import { systemOwner } from "./node.ts";

const run = (at: NodeFixture, known: readonly Chore[], holder = "n1") =>
  runController(chores(known), at.ports, { ...at.options, holder }).start();

test("a chore is recorded once, and one of two nodes runs each round", async () => {
  const at = nodeFixture();
  const rounds: number[] = [];
  const chore: Chore = {
    name: "count",
    everyMs: 60_000,
    run(now) {
      rounds.push(now - at.kernel.now());
      return Promise.resolve("counted");
    },
  };
  for (const holder of ["n1", "n2"]) {
    await planChores(at.ledger, [chore]);
    await run(at, [chore], holder);
  }
  await at.pass(5 * 60_000);
  assert.deepEqual(rounds, [0, 0, 0, 0, 0, 0]);
});

test("a chore that throws is retried, and its record has the reason", async () => {
  const at = nodeFixture();
  let tries = 0;
  const chore: Chore = {
    name: "breaks",
    everyMs: 60_000,
    run() {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error("disk full")) : Promise.resolve("done");
    },
  };
  await planChores(at.ledger, [chore]);
  await run(at, [chore]);
  await at.pass(5_000);
  const { changes } = await at.ledger.of(systemOwner, "test").changes({});
  assert.deepEqual(
    changes.map(({ note }) => note),
    [null, "disk full", null],
  );
});

test("old ended records are pruned, new and live ones are kept", async () => {
  const at = nodeFixture();
  const book = at.ledger.of("mina", "mina");
  const body = { message: "m", at: 0, atText: "", target: "stdout:x", origin: "stdout:x" };
  const old = await book.append({ ...makeNotification(body), key: { name: "old" } });
  await book.cancel({ id: old.id });
  const live = await book.append(makeNotification(body));
  await at.pass(0);
  const chore = pruneOld(at.ledger, () => 1_000);
  await planChores(at.ledger, [chore]);
  at.kernel.after(5_000, "wait", () => undefined);
  await at.pass(5_000);
  await run(at, [chore]);
  await at.pass(0);
  const left = (await book.list({})).records.map(({ id }) => id);
  assert.deepEqual(left, [live.id]);
});
