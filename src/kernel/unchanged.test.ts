import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  unobservedWorkspace,
  type WorkspaceKind,
  workspaceKind,
} from "../features/workspaces/kind.ts";
import { nodeFixture, type NodeFixture } from "../testing/node-fixture.ts";
import type { Controller } from "./controller.ts";
import type { Change } from "./reading.ts";
import type { AnyRecord, Claimed } from "./record.ts";
import { runController } from "./runtime.ts";
import type { Verdict } from "./verdict.ts";

type Looker = Controller<WorkspaceKind, string>;

const hourMs = 3_600_000;

/** A controller that looks, finds nothing to do, and rests for an hour. */
function looker(parts: Partial<Looker> = {}): Looker & { looked: Claimed<WorkspaceKind>[] } {
  const looked: Claimed<WorkspaceKind>[] = [];
  return {
    name: "looker",
    kind: workspaceKind,
    act(record) {
      looked.push(record);
      return Promise.resolve("as it was");
    },
    decide: (_record, _seen, { now }) => ({ unchanged: now + hourMs }),
    ...parts,
    looked,
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

async function keep(at: NodeFixture): Promise<string> {
  const draft = { kind: "workspace", body, state: "standby", wakeAt: 0 } as const;
  return (await at.ledger.of("mina", "mina").append(draft)).id;
}

async function look(at: NodeFixture, id: string): Promise<AnyRecord> {
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.ok(record);
  return record;
}

async function historyOf(at: NodeFixture, id: string): Promise<readonly Change[]> {
  return (await at.ledger.of("mina", "mina").changes({ id })).changes;
}

async function on(at: NodeFixture, controller: Looker): Promise<void> {
  await runController(controller, at.ports, at.options).start();
}

const settledIn = ({ heard }: NodeFixture): number[] =>
  heard.flatMap(({ name, facts }) => (name === "record settled" ? [facts.lateMs] : []));

describe("a record that rests", () => {
  test("is looked at again then, and nothing shows that it was looked at", async () => {
    const at = nodeFixture();
    let told = 0;
    const looks = looker({ publish: () => void (told += 1) });
    const id = await keep(at);
    const before = await look(at, id);
    await on(at, looks);
    await at.pass(hourMs - 1);
    assert.equal(looks.looked.length, 1);
    const until = before.createdAt + hourMs;
    assert.deepEqual(await look(at, id), { ...before, wakeAt: until, readyAt: until });
    await at.pass(2 * hourMs + 1);
    assert.deepEqual(
      looks.looked.map(({ attempt }) => attempt),
      [1, 1, 1, 1],
    );
    assert.deepEqual(
      (await historyOf(at, id)).map(({ what }) => what),
      ["appended"],
    );
    assert.deepEqual([told, settledIn(at)], [0, []]);
  });

  test("may be one that was not acted on", async () => {
    const at = nodeFixture();
    const looks = looker({ before: (_record, { now }) => ({ unchanged: now + hourMs }) });
    const id = await keep(at);
    await on(at, looks);
    await at.pass(1);
    assert.equal(looks.looked.length, 0);
    const { wakeAt, createdAt, attempt, lease } = await look(at, id);
    assert.deepEqual([wakeAt, attempt, lease], [createdAt + hourMs, 0, null]);
  });

  test("is late from the end of its rest, when something is written again", async () => {
    const at = nodeFixture();
    const looks = looker({
      decide: ({ createdAt }, _seen, { now }) =>
        now === createdAt ? { unchanged: createdAt + hourMs } : running,
    });
    await keep(at);
    await on(at, looks);
    await at.pass(hourMs);
    assert.deepEqual(settledIn(at), [0]);
  });

  test("has heard of a wake that came meanwhile", async () => {
    const at = nodeFixture();
    const acts: (() => void)[] = [];
    const looks = looker({
      act: () => new Promise((resolve) => acts.push(() => resolve("as it was"))),
    });
    const id = await keep(at);
    await on(at, looks);
    await at.pass(10);
    const wake = { kind: "node", body: { name: "n", version: "1", host: "h", pid: 1 } } as const;
    await at.ledger.of("mina", "mina").append({ ...wake, ends: "stopped" }, { wake: [{ id }] });
    acts[0]?.();
    await at.pass(1_000);
    assert.equal(acts.length, 2);
  });
});

describe("what happens to a record while it is looked at", () => {
  /** Does something while the first look is under way, and then lets it end. */
  async function meanwhile(
    parts: Partial<Looker>,
    run: (at: NodeFixture, id: string) => Promise<unknown>,
  ): Promise<{ at: NodeFixture; id: string }> {
    const at = nodeFixture();
    const { promise, resolve } = Promise.withResolvers<string>();
    const id = await keep(at);
    await on(at, looker({ act: () => promise, ...parts }));
    await at.pass(10);
    await run(at, id);
    resolve("as it was");
    await at.pass(10);
    return { at, id };
  }

  test("is not slept over when it is an edit: the rule is asked again", async () => {
    const { at, id } = await meanwhile(
      {
        decide: ({ body: { desired } }, _seen, { now }) =>
          desired === "RUNNING" ? running : { unchanged: now + hourMs },
      },
      (at, id) =>
        at.ledger
          .of("mina", "mina")
          .edit({ kind: "workspace", id, body: { ...body, desired: "RUNNING" } }),
    );
    assert.equal((await look(at, id)).state, "running");
  });

  test("ends it when it is a cancel", async () => {
    const { at, id } = await meanwhile({}, (at, id) => at.ledger.of("mina", "mina").cancel({ id }));
    assert.partialDeepStrictEqual(await look(at, id), { state: "cancelled", attempt: 0 });
    assert.equal((await historyOf(at, id)).at(-1)?.what, "cancelled");
  });
});

test("a rest that no store takes is tried again, and says why", async () => {
  const at = nodeFixture();
  const looks = looker({ decide: () => ({ unchanged: Number.NaN }) });
  const id = await keep(at);
  await on(at, looks);
  await at.pass(0);
  assert.match((await historyOf(at, id)).at(-1)?.note ?? "", /wakeAt/);
  await at.pass(2_000);
  assert.equal(looks.looked.length, 2);
});
