import assert from "node:assert/strict";
import type { NodeKind } from "../../features/nodes/node.ts";
import type { Body } from "../../kernel/shape.ts";
import {
  bodyOf,
  claimAll,
  fails,
  historyOf,
  node,
  put,
  read,
  start,
  writesNothing,
  type Holds,
} from "./fixture.ts";

export function appendHolds(holds: Holds): void {
  records(holds);
  keys(holds);
  prunedKeys(holds);
}

function records(holds: Holds): void {
  holds("a fresh record shows what was asked, and the defaults", async ({ ann }) => {
    const record = await put(ann, node({ name: "a", wakeAt: start + 5 }));
    assert.deepEqual(record, {
      kind: "node",
      id: record.id,
      owner: "ann",
      by: "ann@cli",
      key: null,
      parent: null,
      state: "running",
      priority: "normal",
      queue: "node",
      lane: null,
      revision: 1,
      attempt: 0,
      lapses: 0,
      body: bodyOf("a"),
      outcome: null,
      cancelling: false,
      readyAt: start + 5,
      wakeAt: start + 5,
      lease: null,
      createdAt: start,
      updatedAt: start,
      endedAt: null,
    });
    assert.deepEqual(await read(ann, record.id), record);
  });

  holds("what was said of its place, parent and outcome is kept", async ({ ann }) => {
    const said = { priority: "high", queue: "node@x", lane: "l", parent: "p" } as const;
    const record = await put(ann, node({ ...said, outcome: { reason: "seen" } }));
    assert.partialDeepStrictEqual(record, { ...said, outcome: { reason: "seen" } });
  });

  holds("a wake time that has passed becomes now", async ({ ann }) => {
    assert.equal((await put(ann, node({ wakeAt: 5 }))).wakeAt, start);
  });

  holds("without a wake time nobody must look", async ({ ann, work, setNow }) => {
    const { wakeAt } = await put(ann, node());
    assert.equal(wakeAt, null);
    setNow(start * 2);
    assert.deepEqual(await claimAll(work), []);
    assert.deepEqual((await work.stats()).queues, []);
  });

  holds("a record may end as it is written, and then takes no names", async ({ ann, work }) => {
    await put(ann, node({ holds: ["a"] }));
    const record = await put(ann, node({ ends: "stopped", holds: ["a", "b"] }));
    assert.partialDeepStrictEqual(record, { state: "stopped", endedAt: start, wakeAt: null });
    await put(ann, node({ holds: ["b"] }));
    assert.deepEqual(await claimAll(work), []);
  });

  holds("one change row says that it was appended", async ({ ann }) => {
    const { id } = await put(ann, node({ note: "why" }));
    assert.deepEqual(await historyOf(ann, id), [
      {
        id,
        kind: "node",
        what: "appended",
        state: "running",
        revision: 1,
        attempt: 0,
        at: start,
        by: "ann@cli",
        claimedAt: null,
        note: "why",
      },
    ]);
  });

  holds("a change to the draft or to an answer changes nothing in the store", async ({ ann }) => {
    const draft = node({ name: "kept", outcome: { reason: "kept" } });
    const record = await put(ann, draft);
    draft.body.name = "changed";
    // A store may freeze what it gives; then the attempt itself fails, which is as good.
    assert.doesNotThrow(() => Reflect.set(record.body, "name", "changed"));
    Reflect.set(record, "state", "changed");
    assert.partialDeepStrictEqual(await read(ann, record.id), {
      state: "running",
      body: { name: "kept" },
      outcome: { reason: "kept" },
    });
  });

  holds("an answer does not change with later writes", async ({ ann }) => {
    const record = await put(ann, node());
    const copy = structuredClone(record);
    await ann.edit({ kind: "node", id: record.id, body: bodyOf("later") });
    assert.deepEqual(record, copy);
  });
}

function keys(holds: Holds): void {
  holds("a key that stands for the same body answers the first record", async (fixture) => {
    const { ann } = fixture;
    const first = await put(ann, node({ key: { name: "k" } }));
    assert.equal(first.key, "k");
    await writesNothing(fixture, async () => {
      const again = await ann.append(node({ key: { name: "k" }, wakeAt: 5 }), { append: [node()] });
      assert.deepEqual(again, { fresh: false, id: first.id, record: first });
    });
  });

  holds("the order of names in a body is no difference", async ({ ann }) => {
    const { id } = await put(ann, node({ key: { name: "k" } }));
    const body = Object.fromEntries(Object.entries(bodyOf("n")).toReversed());
    const draft = { ...node({ key: { name: "k" } }), body: body as Body<NodeKind> };
    assert.equal((await ann.append(draft)).id, id);
  });

  holds("a key that stands for another body is a conflict", async (fixture) => {
    const { ann } = fixture;
    const { id } = await put(ann, node({ key: { name: "k" } }));
    await writesNothing(fixture, () =>
      fails(ann.append(node({ name: "other", key: { name: "k" } })), "conflict", { id }),
    );
  });

  holds("a key may stand for what was asked in place of the body", async ({ ann }) => {
    const asked = { name: "k", asked: "in an hour" };
    const { id } = await put(ann, node({ name: "a", key: asked }));
    assert.equal((await ann.append(node({ name: "b", key: asked }))).id, id);
    const other = { name: "k", asked: "in two hours" };
    await fails(ann.append(node({ name: "a", key: other })), "conflict", { id });
  });

  holds("another owner's key and another kind's key are other keys", async ({ ann, bob }) => {
    await put(ann, node({ key: { name: "k" } }));
    await put(bob, node({ name: "other", key: { name: "k" } }));
    const body = { name: "sweep", everyMs: 1 };
    const chore = { kind: "chore", state: "waiting", body, key: { name: "k" } } as const;
    assert.equal((await ann.append(chore)).fresh, true);
  });

  holds("a key stays with an ended record, whatever its expiry", async ({ ann, setNow }) => {
    const key = { name: "k", until: start + 10 };
    const { id } = await put(ann, node({ key }));
    await ann.cancel({ id });
    setNow(start + 100);
    const again = await ann.append(node({ key }));
    assert.equal(again.record?.state, "cancelled");
  });
}

function prunedKeys(holds: Holds): void {
  holds("a key outlives its pruned record until its expiry", async ({ ann, work, setNow }) => {
    const key = { name: "k", until: start + 100 };
    const { id } = await put(ann, node({ ends: "stopped", key }));
    setNow(start + 50);
    assert.equal(await work.prune({ endedBefore: start + 1, limit: 10 }), 1);
    const again = await ann.append(node({ key }), { append: [node()] });
    assert.deepEqual(again, { fresh: false, id, record: null });
    await fails(ann.append(node({ name: "other", key })), "conflict", { id });
    assert.deepEqual((await ann.list({})).records, []);
  });

  holds("a key whose record is pruned is free at its expiry", async ({ ann, work, setNow }) => {
    const key = { name: "k", until: start + 100 };
    await put(ann, node({ ends: "stopped", key }));
    await work.prune({ endedBefore: start + 1, limit: 10 });
    setNow(start + 100);
    const { fresh } = await ann.append(node({ name: "other", key }));
    assert.equal(fresh, true);
  });

  holds("a key that was free again stands for its new record", async ({ ann, work, setNow }) => {
    await put(ann, node({ ends: "stopped", key: { name: "k", until: start + 100 } }));
    await work.prune({ endedBefore: start + 1, limit: 10 });
    setNow(start + 100);
    const asked = node({ name: "other", key: { name: "k", until: start + 200 } });
    const { id } = await put(ann, asked);
    await work.prune({ endedBefore: start + 1, limit: 10 });
    const again = await ann.append(asked);
    assert.deepEqual([again.fresh, again.id], [false, id]);
  });

  holds("a swept key is free, and the sweep is not counted", async ({ ann, work, setNow }) => {
    await put(ann, node({ ends: "stopped", key: { name: "k", until: start + 100 } }));
    await work.prune({ endedBefore: start + 1, limit: 10 });
    setNow(start + 100);
    assert.equal(await work.prune({ endedBefore: start + 1, limit: 10 }), 0);
    await put(ann, node({ name: "other", key: { name: "k" } }));
  });

  holds("a key without an expiry goes with its record", async ({ ann, work, setNow }) => {
    await put(ann, node({ ends: "stopped", key: { name: "k" } }));
    setNow(start + 1);
    await work.prune({ endedBefore: start + 1, limit: 10 });
    await put(ann, node({ name: "other", key: { name: "k" } }));
  });
}
