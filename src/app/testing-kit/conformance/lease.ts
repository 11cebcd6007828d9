import assert from "node:assert/strict";
import {
  claimAll,
  claimOne,
  due,
  fails,
  historyOf,
  leased,
  node,
  put,
  read,
  start,
  wake,
  changeNames,
  type Test,
  leaseOf,
} from "./fixture.ts";

export function leaseCases(test: Test): void {
  leasing(test);
  lapses(test);
}

function leasing(test: Test): void {
  test("claim moves the wake time to the end of the lease, raising fence and attempt", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const before = await put(ann, due());
    setNow(start + 3);
    const claimed = await claimOne(work, { holder: "w9", leaseMs: 500 });
    assert.deepEqual(claimed, {
      ...before,
      attempt: 1,
      wakeAt: start + 503,
      lease: { holder: "w9", fence: 1, claimedAt: start + 3 },
    });
    assert.deepEqual(await read(ann, before.id), claimed);
    assert.deepEqual(await changeNames(ann, before.id), ["appended"]);
  });

  test("the fence never restarts, even when the record stops being due", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    await work.settle([{ ...leaseOf(record), state: "running", freshStart: true }]);
    assert.partialDeepStrictEqual(await read(ann, record.id), { wakeAt: null, lease: null });
    await wake(ann, record.id);
    const again = await claimOne(work);
    assert.equal(again.lease.fence, 2);
    assert.equal(again.attempt, 1);
  });

  test("claim drops a wake received under the earlier lease", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const { id } = await leased(fixture);
    await wake(ann, id);
    setNow(start + 1000);
    const again = await claimOne(work);
    await work.settle([{ ...leaseOf(again), state: "running" }]);
    assert.equal((await read(ann, id)).wakeAt, null);
  });
}

function lapses(test: Test): void {
  test("claim takes over a lapsed lease and records the lapsed attempt", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const first = await leased(fixture);
    setNow(start + 999);
    assert.deepEqual(await claimAll(work), []);
    setNow(start + 1000);
    const again = await claimOne(work, { holder: "w2" });
    assert.partialDeepStrictEqual(again, {
      attempt: 2,
      lapses: 1,
      revision: 1,
      updatedAt: start + 1000,
      lease: { holder: "w2", fence: 2, claimedAt: start + 1000 },
    });
    const [, row, ...more] = await historyOf(ann, first.id);
    assert.deepEqual(more, []);
    assert.deepEqual(row, {
      id: first.id,
      kind: "node",
      what: "lapsed",
      state: "running",
      revision: 1,
      attempt: 1,
      at: start + 1000,
      by: "w1",
      claimedAt: start,
      note: null,
    });
  });

  test("a lapsed lease stays visible until a claim takes it over", async (fixture) => {
    const record = await leased(fixture);
    fixture.setNow(start + 5000);
    assert.deepEqual(await read(fixture.ann, record.id), record);
  });

  test("claim ends a cancelling record instead of returning it", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const { id } = await leased(fixture);
    await ann.cancel({ id, reason: "enough" });
    await put(ann, node({ name: "other", wakeAt: start + 2000 }));
    setNow(start + 2000);
    const records = await claimAll(work, { holder: "w2", limit: 1 });
    assert.equal(records.map(({ body }) => body.name).join(), "other");
    assert.partialDeepStrictEqual(await read(ann, id), {
      state: "cancelled",
      endedAt: start + 2000,
      revision: 3,
      attempt: 1,
      lapses: 1,
      cancelling: true,
      lease: null,
      wakeAt: null,
      updatedAt: start + 2000,
    });
    const [lapsed, cancelled] = (await historyOf(ann, id)).slice(2);
    const at = { at: start + 2000, attempt: 1, note: null };
    assert.partialDeepStrictEqual(lapsed, {
      what: "lapsed",
      by: "w1",
      claimedAt: start,
      revision: 2,
      state: "running",
      ...at,
    });
    assert.partialDeepStrictEqual(cancelled, {
      what: "cancelled",
      by: "w2",
      claimedAt: null,
      revision: 3,
      state: "cancelled",
      ...at,
    });
    await fails(ann.edit({ kind: "node", id }), "ended", { state: "cancelled" });
  });
}
