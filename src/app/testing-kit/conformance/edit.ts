import assert from "node:assert/strict";
import {
  bodyOf,
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
  leaseOf,
  changeNames,
  writesNothing,
  type Test,
} from "./fixture.ts";

export function editCases(test: Test): void {
  changes(test);
  refusals(test);
  leases(test);
}

function changes(test: Test): void {
  test("edit changes the named fields, raises the revision and writes one row", async (fixture) => {
    const { ann, setNow } = fixture;
    const before = await put(ann, node({ wakeAt: start + 50, outcome: { reason: "old" } }));
    const { id } = before;
    setNow(start + 1);
    const answer = await ann.edit({ kind: "node", id, body: bodyOf("new"), note: "why" });
    assert.deepEqual(answer, {
      ...before,
      body: bodyOf("new"),
      revision: 2,
      updatedAt: start + 1,
    });
    assert.deepEqual(await read(ann, id), answer);
    assert.deepEqual((await historyOf(ann, id))[1], {
      id,
      kind: "node",
      what: "edited",
      state: "running",
      revision: 2,
      attempt: 0,
      at: start + 1,
      by: "ann@cli",
      claimedAt: null,
      note: "why",
    });
  });

  test("edit sets the wake time, clamped to now; null removes it", async (fixture) => {
    const { ann, work } = fixture;
    const { id } = await put(ann, node({ wakeAt: start + 50 }));
    assert.equal((await ann.edit({ kind: "node", id, wakeAt: start + 90 })).wakeAt, start + 90);
    const unwatched = await ann.edit({ kind: "node", id, wakeAt: null });
    assert.partialDeepStrictEqual(unwatched, { readyAt: null, wakeAt: null });
    assert.deepEqual(await claimAll(work), []);
    assert.equal((await ann.edit({ kind: "node", id, wakeAt: 3 })).wakeAt, start);
    await claimOne(work);
  });

  test("a move makes no record due before its edited wake time", async (fixture) => {
    const { ann, work } = fixture;
    const { id } = await put(ann, node({ wakeAt: start + 50, lane: "x" }));
    await ann.edit({ kind: "node", id, wakeAt: start + 90 });
    await work.move({ queue: "node", lane: "x", to: start + 200, limit: 9 });
    await work.move({ queue: "node", lane: "x", to: 0, limit: 9 });
    assert.equal((await read(ann, id)).wakeAt, start + 90);
  });

  test("edit changes queue, lane and priority at once", async ({ ann, work }) => {
    const { id } = await put(ann, due({ lane: "x" }));
    const place = { queue: "node@there", lane: "y", priority: "high" } as const;
    assert.partialDeepStrictEqual(await ann.edit({ kind: "node", id, ...place }), place);
    assert.deepEqual(await claimAll(work), []);
    assert.deepEqual(await claimAll(work, { queue: "node@there", lane: "x" }), []);
    await claimOne(work, { queue: "node@there", lane: "y" });
  });

  test("edit with a null lane takes the record out of its lane", async ({ ann, work }) => {
    const { id } = await put(ann, due({ lane: "x" }));
    assert.equal((await ann.edit({ kind: "node", id, lane: null })).lane, null);
    assert.deepEqual(await claimAll(work, { lane: "x" }), []);
    await claimOne(work);
  });

  test("edit can end a record", async ({ ann, work }) => {
    const { id } = await put(ann, due());
    const outcome = { reason: "seen" };
    const answer = await ann.edit({ kind: "node", id, ends: "lost", outcome });
    assert.partialDeepStrictEqual(answer, {
      state: "lost",
      endedAt: start,
      wakeAt: null,
      revision: 2,
      outcome,
    });
    assert.deepEqual(await claimAll(work), []);
    assert.deepEqual(await changeNames(ann, id), ["appended", "edited"]);
  });
}

function refusals(test: Test): void {
  test("editing a missing record, another owner's or another kind's is not_found", async (fixture) => {
    const { ann, bob } = fixture;
    const { id } = await put(ann, node());
    await writesNothing(fixture, async () => {
      await fails(ann.edit({ kind: "node", id: "missing" }), "not_found", { id: "missing" });
      await fails(bob.edit({ kind: "node", id }), "not_found", { id });
      await fails(ann.edit({ kind: "chore", id }), "not_found", { id });
    });
  });

  test("editing an ended record is refused", async (fixture) => {
    const { ann } = fixture;
    const { id } = await put(ann, node({ ends: "stopped" }));
    await writesNothing(fixture, async () => {
      const ended = { state: "stopped" };
      await fails(ann.edit({ kind: "node", id, body: bodyOf("new") }), "ended", ended);
      await fails(ann.edit({ kind: "node", id, ends: "lost", ifRevision: 9 }), "ended", ended);
      await fails(ann.edit({ kind: "chore", id }), "not_found");
    });
  });

  test("edit is stale when ifRevision is not the record's revision", async (fixture) => {
    const { ann } = fixture;
    const { id } = await put(ann, node());
    const is = { revision: 2, state: "running" };
    await ann.edit({ kind: "node", id, ifRevision: 1 });
    await writesNothing(fixture, async () => {
      await fails(ann.edit({ kind: "node", id, ifRevision: 1 }), "stale", is);
      await fails(ann.edit({ kind: "node", id, ifRevision: 3 }), "stale", is);
    });
  });

  test("of concurrent edits of one revision, exactly one succeeds", async ({ ann }) => {
    const { id } = await put(ann, node());
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, () => ann.edit({ kind: "node", id, ifRevision: 1 })),
    );
    assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal((await read(ann, id)).revision, 2);
  });
}

function leases(test: Test): void {
  test("edit ignores a wake time while the record is leased", async (fixture) => {
    const { ann } = fixture;
    const record = await leased(fixture);
    const { id, wakeAt, lease } = record;
    const edited = await ann.edit({ kind: "node", id, wakeAt: start, priority: "low" });
    assert.partialDeepStrictEqual(edited, { wakeAt, lease, priority: "low", attempt: 1 });
    assert.partialDeepStrictEqual(await ann.edit({ kind: "node", id, wakeAt: null }), { wakeAt });
  });

  test("edit ignores a wake time until a lapsed lease is taken over", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const { id, wakeAt } = await leased(fixture);
    setNow(start + 2000);
    assert.equal((await ann.edit({ kind: "node", id, wakeAt: start + 9000 })).wakeAt, wakeAt);
    await claimOne(work);
  });

  test("a leased record that is moved to another queue lapses there", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const { id } = await leased(fixture);
    await ann.edit({ kind: "node", id, queue: "node@there", lane: "y" });
    setNow(start + 1000);
    assert.deepEqual(await claimAll(work), []);
    await claimOne(work, { queue: "node@there", lane: "y" });
  });

  test("edit cannot end a leased record", async (fixture) => {
    const { ann } = fixture;
    const { id } = await leased(fixture);
    await writesNothing(fixture, async () => {
      await fails(ann.edit({ kind: "node", id, ends: "lost" }), "leased");
      await fails(ann.edit({ kind: "node", id, ends: "lost", ifRevision: 9 }), "stale");
    });
  });

  test("edit records a lapsed lease before it ends the record", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    setNow(start + 1000);
    const answer = await ann.edit({ kind: "node", id, ends: "lost" });
    assert.partialDeepStrictEqual(answer, { state: "lost", lease: null, lapses: 1, attempt: 1 });
    const rows = await historyOf(ann, id);
    assert.partialDeepStrictEqual(rows[1], {
      what: "lapsed",
      by: "w1",
      claimedAt: start,
      revision: 1,
      state: "running",
    });
    assert.partialDeepStrictEqual(rows[2], { what: "edited", by: "ann@cli", claimedAt: null });
    assert.deepEqual(await work.settle([{ ...leaseOf(record), ends: "stopped" }]), [
      { result: "stale" },
    ]);
  });
}
