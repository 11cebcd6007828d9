import assert from "node:assert/strict";
import { test } from "node:test";
import { is } from "../../kernel/kind.ts";
import { DaybookError } from "../../platform/errors.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { nodeController } from "./controller.ts";
import { systemOwner, nodeKind } from "./node.ts";

const self = (name: string) => ({ name, version: "1", host: "h", pid: 1 });
async function register(at: NodeFixture): Promise<unknown[][]> {
  const { records } = await at.ledger.of(systemOwner, "test").list({ kind: nodeKind });
  return records.map((record) => [is(nodeKind, record) && record.body.name, record.state]);
}
const join = (at: NodeFixture, name: string) =>
  nodeController(at.ledger, at.ports, {
    ...at.options,
    holder: name,
    self: self(name),
    silenceMs: 30_000,
    isGone: () => false,
  });

test("a live node stays registered, without a history of heartbeats", async () => {
  const at = nodeFixture();
  await join(at, "a").start();
  await at.pass(10 * 60_000);
  assert.deepEqual(await register(at), [["a", "running"]]);
  const { changes } = await at.ledger.of(systemOwner, "test").changes({});
  assert.equal(changes.length, 1);
});

test("a node records its stop", async () => {
  const at = nodeFixture();
  const node = join(at, "a");
  await node.start();
  await node.stop();
  assert.deepEqual(await register(at), [["a", "stopped"]]);
});

test("a silent node is marked as lost by another", async () => {
  const at = nodeFixture();
  let life = at.kernel.spawn("a", () => void join(at, "a").start());
  await at.pass(1_000);
  at.kernel.crash(life);
  life = at.kernel.spawn("b", () => void join(at, "b").start());
  await at.pass(60_000);
  assert.deepEqual(await register(at), [
    ["a", "lost"],
    ["b", "running"],
  ]);
  assert.ok(at.heard.some(({ name }) => name === "node lost"));
});

test("a node marked as lost during a sleep registers again", async () => {
  const at = nodeFixture();
  const life = at.kernel.spawn("a", () => void join(at, "a").start());
  await at.pass(1_000);
  at.kernel.spawn("b", () => void join(at, "b").start());
  at.kernel.pause(life, 120_000);
  await at.pass(180_000);
  assert.deepEqual(await register(at), [
    ["a", "lost"],
    ["b", "running"],
    ["a", "running"],
  ]);
});

test("a node whose clock is an hour off is not marked as lost", async () => {
  const at = nodeFixture();
  at.clock.step(-3_600_000);
  await join(at, "a").start();
  await at.pass(60_000);
  assert.deepEqual(await register(at), [["a", "running"]]);
});

test("a lost answer does not register a node twice", async () => {
  const at = nodeFixture();
  const { ledger } = at;
  let lost = false;
  const forgetful: typeof ledger = {
    ...ledger,
    of(owner, by) {
      const book = ledger.of(owner, by);
      return {
        ...book,
        async append(draft, consequences) {
          const made = await book.append(draft, consequences);
          if (lost) return made;
          lost = true;
          throw new DaybookError("unknown", "the answer was lost");
        },
      };
    },
  };
  const options = {
    ...at.options,
    holder: "a",
    self: self("a"),
    silenceMs: 30_000,
    isGone: () => false,
  };
  const node = nodeController(forgetful, at.ports, options);
  await assert.rejects(node.start(), { code: "unknown" });
  await node.start();
  await at.pass(60_000);
  assert.deepEqual(await register(at), [["a", "running"]]);
  await node.stop();
  assert.deepEqual(await register(at), [["a", "stopped"]]);
});
