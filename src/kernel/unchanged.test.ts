import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  unobservedWorkspace,
  type WorkspaceKind,
  workspaceKind,
} from "../features/workspaces/kind.ts";
import { nodeFixture, type NodeFixture } from "../testing/node-fixture.ts";
import type { Controller } from "./controller.ts";
import type { Change } from "./query.ts";
import type { AnyRecord, Claimed } from "./record.ts";
import { runController } from "./runtime.ts";
import type { Verdict } from "./verdict.ts";

type Observer = Controller<WorkspaceKind, string>;

const hourMs = 3_600_000;

/** A controller that observes no change, every hour. */
function observer(parts: Partial<Observer> = {}): Observer & { acted: Claimed<WorkspaceKind>[] } {
  const acted: Claimed<WorkspaceKind>[] = [];
  return {
    name: "observer",
    kind: workspaceKind,
    act(record) {
      acted.push(record);
      return Promise.resolve("as it was");
    },
    decide: (_record, _observed, { now }) => ({ unchanged: now + hourMs }),
    ...parts,
    acted,
  };
}

const body = {
  name: "den",
  description: null,
  memo: null,
  imageRef: "local",
  machine: { memoryMb: 64, cpus: 1, pids: 10 },
  desired: "STANDBY",
  asks: 1,
  standbyTtlSeconds: 1,
  archiveTtlSeconds: 1,
  wakeAheadSeconds: 1,
  lastAccessAt: 0,
  deletedAt: null,
  waiting: [],
  target: "inbox:mina",
  origin: null,
} as const;

const running: Verdict<WorkspaceKind> = { state: "running", outcome: unobservedWorkspace };

async function appendWorkspace(at: NodeFixture): Promise<string> {
  const draft = { kind: "workspace", body, state: "standby", wakeAt: 0 } as const;
  return (await at.ledger.of("mina", "mina").append(draft)).id;
}

async function read(at: NodeFixture, id: string): Promise<AnyRecord> {
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.ok(record);
  return record;
}

async function historyOf(at: NodeFixture, id: string): Promise<readonly Change[]> {
  return (await at.ledger.of("mina", "mina").changes({ id })).changes;
}

async function start(at: NodeFixture, controller: Observer): Promise<void> {
  await runController(controller, at.ports, at.options).start();
}

const settledIn = ({ heard }: NodeFixture): number[] =>
  heard.flatMap(({ name, facts }) => (name === "record settled" ? [facts.lateMs] : []));

describe("an unchanged record", () => {
  test("is observed again at its wake time, without history or events", async () => {
    const at = nodeFixture();
    let published = 0;
    const controller = observer({ publish: () => void (published += 1) });
    const id = await appendWorkspace(at);
    const before = await read(at, id);
    await start(at, controller);
    await at.pass(hourMs - 1);
    assert.equal(controller.acted.length, 1);
    const wakeAt = before.createdAt + hourMs;
    assert.deepEqual(await read(at, id), { ...before, wakeAt, readyAt: wakeAt });
    await at.pass(2 * hourMs + 1);
    assert.deepEqual(
      controller.acted.map(({ attempt }) => attempt),
      [1, 1, 1, 1],
    );
    assert.deepEqual(
      (await historyOf(at, id)).map(({ what }) => what),
      ["appended"],
    );
    assert.deepEqual([published, settledIn(at)], [0, []]);
  });

  test("may be unchanged before any act", async () => {
    const at = nodeFixture();
    const controller = observer({ before: (_record, { now }) => ({ unchanged: now + hourMs }) });
    const id = await appendWorkspace(at);
    await start(at, controller);
    await at.pass(1);
    assert.equal(controller.acted.length, 0);
    const { wakeAt, createdAt, attempt, lease } = await read(at, id);
    assert.deepEqual([wakeAt, attempt, lease], [createdAt + hourMs, 0, null]);
  });

  test("measures its lateness from the newest wake time", async () => {
    const at = nodeFixture();
    const controller = observer({
      decide: ({ createdAt }, _observed, { now }) =>
        now === createdAt ? { unchanged: createdAt + hourMs } : running,
    });
    await appendWorkspace(at);
    await start(at, controller);
    await at.pass(hourMs);
    assert.deepEqual(settledIn(at), [0]);
  });

  test("is observed again at once when a wake came during the act", async () => {
    const at = nodeFixture();
    const acts: (() => void)[] = [];
    const controller = observer({
      act: () => new Promise((resolve) => acts.push(() => resolve("as it was"))),
    });
    const id = await appendWorkspace(at);
    await start(at, controller);
    await at.pass(10);
    const wake = { kind: "node", body: { name: "n", version: "1", host: "h", pid: 1 } } as const;
    await at.ledger.of("mina", "mina").append({ ...wake, ends: "stopped" }, { wake: [{ id }] });
    acts[0]?.();
    await at.pass(1_000);
    assert.equal(acts.length, 2);
  });
});

describe("during an observation", () => {
  /** Runs a write during the first observation, and then ends the observation. */
  async function meanwhile(
    parts: Partial<Observer>,
    run: (at: NodeFixture, id: string) => Promise<unknown>,
  ): Promise<{ at: NodeFixture; id: string }> {
    const at = nodeFixture();
    const { promise, resolve } = Promise.withResolvers<string>();
    const id = await appendWorkspace(at);
    await start(at, observer({ act: () => promise, ...parts }));
    await at.pass(10);
    await run(at, id);
    resolve("as it was");
    await at.pass(10);
    return { at, id };
  }

  test("an edit makes the rule decide again", async () => {
    const { at, id } = await meanwhile(
      {
        decide: ({ body: { desired } }, _observed, { now }) =>
          desired === "RUNNING" ? running : { unchanged: now + hourMs },
      },
      (at, id) =>
        at.ledger
          .of("mina", "mina")
          .edit({ kind: "workspace", id, body: { ...body, desired: "RUNNING" } }),
    );
    assert.equal((await read(at, id)).state, "running");
  });

  test("a cancel ends the record", async () => {
    const { at, id } = await meanwhile({}, (at, id) => at.ledger.of("mina", "mina").cancel({ id }));
    assert.partialDeepStrictEqual(await read(at, id), { state: "cancelled", attempt: 0 });
    assert.equal((await historyOf(at, id)).at(-1)?.what, "cancelled");
  });
});

test("an unchanged verdict that the store refuses is retried, with the reason in its history", async () => {
  const at = nodeFixture();
  const controller = observer({ decide: () => ({ unchanged: Number.NaN }) });
  const id = await appendWorkspace(at);
  await start(at, controller);
  await at.pass(0);
  assert.match((await historyOf(at, id)).at(-1)?.note ?? "", /wakeAt/);
  await at.pass(2_000);
  assert.equal(controller.acted.length, 2);
});
