import assert from "node:assert/strict";
import { bodyOf, claimAll, historyOf, node, put, read, start, type Test } from "./fixture.ts";

export function appendCases(test: Test): void {
  test("append writes the draft and fills in the defaults", async ({ ann }) => {
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

  test("append keeps the draft's placement, parent and outcome", async ({ ann }) => {
    const placement = { priority: "high", queue: "node@x", lane: "l", parent: "p" } as const;
    const record = await put(ann, node({ ...placement, outcome: { reason: "seen" } }));
    assert.partialDeepStrictEqual(record, { ...placement, outcome: { reason: "seen" } });
  });

  test("append clamps a past wake time to now", async ({ ann }) => {
    assert.equal((await put(ann, node({ wakeAt: 5 }))).wakeAt, start);
  });

  test("a record without a wake time is never due", async ({ ann, work, setNow }) => {
    const { wakeAt } = await put(ann, node());
    assert.equal(wakeAt, null);
    setNow(start * 2);
    assert.deepEqual(await claimAll(work), []);
    assert.deepEqual((await work.stats()).queues, []);
  });

  test("a draft with ends is ended at once and takes no holds", async ({ ann, work }) => {
    await put(ann, node({ holds: ["a"] }));
    const record = await put(ann, node({ ends: "stopped", holds: ["a", "b"] }));
    assert.partialDeepStrictEqual(record, { state: "stopped", endedAt: start, wakeAt: null });
    await put(ann, node({ holds: ["b"] }));
    assert.deepEqual(await claimAll(work), []);
  });

  test("append writes one change row", async ({ ann }) => {
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

  test("changing a draft or an answer does not change the stored record", async ({ ann }) => {
    const draft = node({ name: "kept", outcome: { reason: "kept" } });
    const record = await put(ann, draft);
    draft.body.name = "changed";
    // A store may freeze its answers: then the write to the answer fails.
    assert.doesNotThrow(() => Reflect.set(record.body, "name", "changed"));
    Reflect.set(record, "state", "changed");
    assert.partialDeepStrictEqual(await read(ann, record.id), {
      state: "running",
      body: { name: "kept" },
      outcome: { reason: "kept" },
    });
  });

  test("an answer does not change with later writes", async ({ ann }) => {
    const record = await put(ann, node());
    const copy = structuredClone(record);
    await ann.edit({ kind: "node", id: record.id, body: bodyOf("later") });
    assert.deepEqual(record, copy);
  });
}
