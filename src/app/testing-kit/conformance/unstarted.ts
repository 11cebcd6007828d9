import assert from "node:assert/strict";
import {
  bodyOf,
  claimAll,
  claimOne,
  codeOf,
  historyOf,
  leased,
  read,
  start,
  leaseOf,
  wake,
  changeNames,
  writesNothing,
  type Test,
} from "./fixture.ts";

export function unstartedCases(test: Test): void {
  withoutRevision(test);
  withRevision(test);
}

/** The revision says that the record was observed and needs no change. */
function withRevision(test: Test): void {
  test("an unchanged settle writes only the next wake time", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture, { holds: ["name"], lane: "x" });
    setNow(start + 10);
    const rest = { ...leaseOf(record), unstarted: true as const, wakeAt: start + 500 };
    assert.deepEqual(await work.settle([rest]), [{ result: "settled", revision: 1 }]);
    assert.deepEqual(await read(ann, record.id), {
      ...record,
      attempt: 0,
      wakeAt: start + 500,
      readyAt: start + 500,
      lease: null,
    });
    assert.deepEqual(await changeNames(ann, record.id), ["appended"]);
    assert.equal(codeOf((await work.settle([rest]))[0]), "stale");
    setNow(start + 500);
    const again = await claimOne(work);
    assert.partialDeepStrictEqual(again, { attempt: 1, readyAt: start + 500, lapses: 0 });
  });

  test("a move makes no record due before its unchanged wake time", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { lane: "x" });
    await work.settle([{ ...leaseOf(record), unstarted: true, wakeAt: start + 500 }]);
    assert.equal(await work.move({ queue: "node", lane: "x", to: 0, limit: 9 }), 0);
    assert.equal((await read(ann, record.id)).wakeAt, start + 500);
  });

  test("an unchanged settle after an edit answers moved and keeps the lease", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const edit = { kind: "node", id: record.id, body: bodyOf("new"), wakeAt: start } as const;
    const edited = await ann.edit(edit);
    const rest = { ...leaseOf(record), unstarted: true as const, wakeAt: start + 500 };
    await writesNothing(fixture, async () => {
      assert.deepEqual(await work.settle([rest]), [{ result: "moved", record: edited }]);
      assert.equal(codeOf((await work.settle([{ ...rest, revision: 3 }]))[0]), "moved");
    });
    const answers = await work.settle([{ ...rest, revision: 2 }]);
    assert.deepEqual(answers, [{ result: "settled", revision: 2 }]);
    assert.equal((await read(ann, record.id)).wakeAt, start + 500);
  });

  test("an unchanged settle wakes at an earlier wake, and never in the past", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    setNow(start + 20);
    await wake(ann, id);
    setNow(start + 30);
    await work.settle([{ ...leaseOf(record), unstarted: true, wakeAt: start + 500 }]);
    const woken = { wakeAt: start + 30, readyAt: start + 30 };
    assert.partialDeepStrictEqual(await read(ann, id), woken);
    const again = await claimOne(work);
    setNow(start + 40);
    await work.settle([{ ...leaseOf(again), unstarted: true, wakeAt: 0 }]);
    const past = { wakeAt: start + 40, readyAt: start + 40, attempt: 0 };
    assert.partialDeepStrictEqual(await read(ann, id), past);
  });

  test("an unchanged settle ends a cancelling record as cancelled", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    await ann.cancel({ id });
    const rest = { ...leaseOf(record), unstarted: true as const, wakeAt: start + 500 };
    const [moved] = await work.settle([rest]);
    assert.ok(moved?.result === "moved" && moved.record.cancelling);
    const answers = await work.settle([{ ...rest, revision: 2 }]);
    assert.deepEqual(answers, [{ result: "settled", revision: 3 }]);
    const ended = { state: "cancelled", attempt: 0, endedAt: start, wakeAt: null, lease: null };
    assert.partialDeepStrictEqual(await read(ann, id), ended);
    const row = (await historyOf(ann, id)).at(-1);
    assert.partialDeepStrictEqual(row, { what: "cancelled", by: "w1", claimedAt: start });
  });

  test("a stale fence or an invalid revision leaves the record leased", async (fixture) => {
    const { ann, work } = fixture;
    const [first, second] = [await leased(fixture), await leased(fixture)];
    const rest = { unstarted: true as const, wakeAt: start + 500 };
    const answers = await work.settle([
      { ...leaseOf(first), ...rest, fence: 2 },
      { ...leaseOf(first), ...rest, revision: -1 },
      { ...leaseOf(first), ...rest, revision: 1.5 },
      { ...leaseOf(second), ...rest },
    ]);
    assert.deepEqual(answers.map(codeOf), ["stale", "invalid", "invalid", "settled"]);
    assert.deepEqual((await read(ann, first.id)).lease, first.lease);
    assert.deepEqual(await claimAll(work), []);
  });
}

function withoutRevision(test: Test): void {
  test("unstarted gives the record back as if it had not been claimed", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    const { fence } = record.lease;
    await ann.edit({ kind: "node", id, note: "the revision is ignored" });
    const before = await read(ann, id);
    const answers = await work.settle([{ id, fence, unstarted: true, wakeAt: start + 30 }]);
    assert.deepEqual(answers, [{ result: "settled", revision: 2 }]);
    assert.deepEqual(await read(ann, id), {
      ...before,
      attempt: 0,
      wakeAt: start + 30,
      lease: null,
    });
    assert.deepEqual(await changeNames(ann, id), ["appended", "edited"]);
  });

  test("an unstarted record keeps its ready time, so that a move can free it", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture, { lane: "x" });
    await work.settle([{ id, fence: lease.fence, unstarted: true, wakeAt: start + 500 }]);
    assert.equal(await work.move({ queue: "node", lane: "x", to: 0, limit: 9 }), 1);
    assert.equal((await read(ann, id)).wakeAt, start);
  });

  test("an unstarted record wakes at an earlier wake, and never in the past", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const { id, lease } = await leased(fixture);
    setNow(start + 20);
    await wake(ann, id);
    await work.settle([{ id, fence: lease.fence, unstarted: true, wakeAt: start + 500 }]);
    assert.equal((await read(ann, id)).wakeAt, start + 20);
    setNow(start + 30);
    const again = await claimOne(work);
    await work.settle([{ id, fence: again.lease.fence, unstarted: true, wakeAt: 0 }]);
    assert.partialDeepStrictEqual(await read(ann, id), { wakeAt: start + 30, attempt: 0 });
  });

  test("unstarted ends a cancelling record as cancelled", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture);
    await ann.cancel({ id });
    const answers = await work.settle([{ id, fence: lease.fence, unstarted: true, wakeAt: 0 }]);
    assert.deepEqual(answers, [{ result: "settled", revision: 3 }]);
    const ended = { state: "cancelled", attempt: 0, endedAt: start, wakeAt: null, lease: null };
    assert.partialDeepStrictEqual(await read(ann, id), ended);
    assert.deepEqual((await historyOf(ann, id)).at(-1), {
      id,
      kind: "node",
      what: "cancelled",
      state: "cancelled",
      revision: 3,
      attempt: 0,
      at: start,
      by: "w1",
      claimedAt: start,
      note: null,
    });
  });
}
