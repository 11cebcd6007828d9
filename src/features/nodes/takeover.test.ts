import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Controller } from "../../kernel/controller.ts";
import { is } from "../../kernel/kind.ts";
import { runController } from "../../kernel/runtime.ts";
import { group } from "../../platform/service.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { type ChoreKind, choreKind } from "./chore.ts";
import { nodeController } from "./controller.ts";
import { systemOwner, nodeKind } from "./node.ts";
import type { IsProcessGone } from "./takeover.ts";

const leaseMs = 6 * 3_600_000;
const body = { name: "x", everyMs: 1 };

interface Started {
  readonly name: string;
  readonly pid: number;
  readonly isGone?: IsProcessGone;
  /** It begins with this record. */
  begun?(attempt: number, lapses: number): void;
}

/** A node whose runs never end. */
function start(at: NodeFixture, node: Started): ReturnType<NodeFixture["kernel"]["spawn"]> {
  const { name, pid, isGone = () => false, begun = () => undefined } = node;
  const options = { ...at.options, holder: name, leaseMs };
  const stuck: Controller<ChoreKind, null> = {
    name: "stuck",
    kind: choreKind,
    act(record) {
      begun(record.attempt, record.lapses);
      return new Promise(() => undefined);
    },
    decide: () => ({ state: "waiting", wakeAt: 0 }),
  };
  const process = { space: "boot pid:[1]", startedAt: String(pid) };
  const self = { name, version: "1", host: "h", pid, process };
  const running = group([
    nodeController(at.ledger, at.ports, { ...options, self, silenceMs: 30_000, isGone }),
    runController(stuck, at.ports, options),
  ]);
  return at.kernel.spawn(name, () => void running.start());
}

async function chore(at: NodeFixture): Promise<string> {
  const draft = { kind: "chore", body, state: "waiting", wakeAt: 0 } as const;
  return (await at.ledger.of(systemOwner, "test").append(draft)).id;
}

async function fenceOf(
  at: NodeFixture,
  id: string,
): Promise<[string | undefined, number | undefined]> {
  const record = await at.ledger.of(systemOwner, "test").get(id);
  return [record?.lease?.holder, record?.lease?.fence];
}

describe("after a crash on a single node nobody should wait out a lease", () => {
  test("a node that starts and finds that the holder was a process of this machine that is gone takes over at once (fenced as ever)", async () => {
    const at = nodeFixture();
    const id = await chore(at);
    const life = start(at, { name: "a", pid: 1 });
    await at.pass(1_000);
    at.kernel.crash(life);
    const attempts: number[][] = [];
    start(at, {
      name: "b",
      pid: 2,
      isGone: (pid, { startedAt }) => pid === 1 && startedAt === "1",
      begun: (...each) => attempts.push(each),
    });
    await at.pass(1_000);
    assert.deepEqual(attempts, [[2, 1]], "an attempt whose result is unknown lies before it");
    assert.deepEqual(await fenceOf(at, id), ["b", 2]);
    const [late] = await at.ledger.work.keep([{ id, fence: 1, leaseMs: 1 }]);
    assert.equal(late?.result, "stale");
    const { changes } = await at.ledger.of(systemOwner, "test").changes({ id });
    assert.deepEqual(
      changes.map(({ what }) => what),
      ["appended", "lapsed"],
    );
    const { records } = await at.ledger.of(systemOwner, "test").list({ kind: nodeKind });
    assert.deepEqual(
      records.map((record) => is(nodeKind, record) && [record.state, record.outcome?.reason]),
      [
        ["lost", "its process is gone"],
        ["running", undefined],
      ],
    );
    assert.deepEqual(
      at.heard.filter(({ name }) => name === "node lost").map(({ facts }) => facts),
      [{ name: "a" }],
    );
  });

  test("a live process keeps its records", async () => {
    const at = nodeFixture();
    const id = await chore(at);
    start(at, { name: "a", pid: 1 });
    await at.pass(1_000);
    start(at, { name: "b", pid: 2, isGone: (pid) => pid === 7 });
    await at.pass(60_000);
    assert.deepEqual(await fenceOf(at, id), ["a", 1]);
    assert.deepEqual(
      at.heard.filter(({ name }) => name === "node lost"),
      [],
    );
  });
});
