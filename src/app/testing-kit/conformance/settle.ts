import assert from "node:assert/strict";
import {
  bodyOf,
  claimAll,
  claimOne,
  codeOf,
  due,
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

export function settleCases(test: Test): void {
  ends(test);
  continuation(test);
  fences(test);
  cancelling(test);
}

function ends(test: Test): void {
  test("settle with ends ends the record for good", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    setNow(start + 10);
    const outcome = { reason: "done" };
    const answers = await work.settle([
      { ...leaseOf(record), ends: "stopped", outcome, note: "ok" },
    ]);
    assert.deepEqual(answers, [{ result: "settled", revision: 2 }]);
    const { id } = record;
    assert.deepEqual(await read(ann, id), {
      ...record,
      state: "stopped",
      revision: 2,
      outcome,
      readyAt: null,
      wakeAt: null,
      lease: null,
      updatedAt: start + 10,
      endedAt: start + 10,
    });
    assert.deepEqual((await historyOf(ann, id))[1], {
      id,
      kind: "node",
      what: "settled",
      state: "stopped",
      revision: 2,
      attempt: 1,
      at: start + 10,
      by: "w1",
      claimedAt: start,
      note: "ok",
    });
    setNow(start * 2);
    assert.deepEqual(await claimAll(work), []);
  });

  test("settle without an outcome keeps the stored one", async (fixture) => {
    const record = await leased(fixture, { outcome: { reason: "old" } });
    await fixture.work.settle([{ ...leaseOf(record), ends: "stopped" }]);
    assert.deepEqual((await read(fixture.ann, record.id)).outcome, { reason: "old" });
  });

  test("each unit of a settle has its own answer, in order", async (fixture) => {
    const { ann, work } = fixture;
    for (const name of ["a", "b", "c"]) await put(ann, due({ name }));
    const [a, b, c] = await claimAll(work);
    assert.ok(a && b && c);
    const answers = await work.settle([
      { ...leaseOf(a), ends: "stopped" },
      { ...leaseOf(b), fence: 7, ends: "stopped" },
      { ...leaseOf(b), ends: "stopped", consequences: { edit: [{ kind: "node", id: "missing" }] } },
      { ...leaseOf(c), ends: "lost" },
      { ...leaseOf(a), ends: "lost" },
    ]);
    assert.deepEqual(answers.map(codeOf), ["settled", "stale", "not_found", "settled", "stale"]);
    assert.deepEqual(await read(ann, b.id), b);
    assert.equal((await read(ann, a.id)).state, "stopped");
    assert.deepEqual(await work.settle([]), []);
  });
}

function continuation(test: Test): void {
  test("settle sets the next wake time, clamped to now", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    setNow(start + 5);
    await work.settle([{ ...leaseOf(record), state: "running", wakeAt: start + 50 }]);
    assert.partialDeepStrictEqual(await read(ann, record.id), {
      wakeAt: start + 50,
      lease: null,
      attempt: 1,
      endedAt: null,
      revision: 2,
    });
    setNow(start + 50);
    const again = await claimOne(work);
    assert.equal(again.attempt, 2);
    await work.settle([{ ...leaseOf(again), state: "running", wakeAt: 1 }]);
    assert.equal((await read(ann, record.id)).wakeAt, start + 50);
  });

  test("after a settle without a wake time the record is not due", async (fixture) => {
    const record = await leased(fixture);
    await fixture.work.settle([{ ...leaseOf(record), state: "running" }]);
    assert.equal((await read(fixture.ann, record.id)).wakeAt, null);
    assert.deepEqual((await fixture.work.stats()).queues, []);
  });

  test("freshStart resets attempts and lapses", async (fixture) => {
    const { ann, work, setNow } = fixture;
    await leased(fixture);
    setNow(start + 1000);
    const record = await claimOne(work);
    assert.partialDeepStrictEqual(record, { attempt: 2, lapses: 1 });
    await work.settle([{ ...leaseOf(record), state: "running", wakeAt: 0, freshStart: true }]);
    assert.partialDeepStrictEqual(await read(ann, record.id), { attempt: 0, lapses: 0 });
    assert.equal((await claimOne(work)).attempt, 1);
  });

  test("settle can change the queue, also of an ended record", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { lane: "x" });
    const { queue, lane, priority } = { ...record, queue: "node@there" };
    await work.settle([{ ...leaseOf(record), state: "running", wakeAt: start, queue }]);
    assert.partialDeepStrictEqual(await read(ann, record.id), { queue, lane, priority });
    assert.deepEqual(await claimAll(work), []);
    const again = await claimOne(work, { queue, lane: "x" });
    await work.settle([{ ...leaseOf(again), ends: "stopped", queue: "node@here" }]);
    assert.equal((await read(ann, record.id)).queue, "node@here");
  });
}

function fences(test: Test): void {
  test("a stale fence, a settled lease and an unknown record change nothing", async (fixture) => {
    const { work, setNow } = fixture;
    const first = await leased(fixture);
    setNow(start + 1000);
    const second = await claimOne(work, { holder: "w2" });
    const consequences = { append: [node()] };
    await writesNothing(fixture, async () => {
      const answers = await work.settle([
        { ...leaseOf(first), ends: "stopped", consequences: consequences },
        { id: first.id, fence: 1, unstarted: true, wakeAt: 0 },
        { id: "unknown", fence: 1, revision: 1, ends: "stopped" },
      ]);
      assert.deepEqual(
        answers,
        Array.from(answers, () => ({ result: "stale" })),
      );
    });
    await work.settle([{ ...leaseOf(second), state: "running", wakeAt: start }]);
    const [answer] = await work.settle([{ ...leaseOf(second), revision: 2, ends: "stopped" }]);
    assert.equal(codeOf(answer), "stale");
  });

  test("settle accepts a lapsed lease that no claim took over", async (fixture) => {
    const record = await leased(fixture);
    fixture.setNow(start + 5000);
    const [answer] = await fixture.work.settle([{ ...leaseOf(record), ends: "stopped" }]);
    assert.equal(codeOf(answer), "settled");
    assert.deepEqual(await changeNames(fixture.ann, record.id), ["appended", "settled"]);
  });

  test("settle after an edit answers moved, and the lease stays", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const edited = await ann.edit({ kind: "node", id: record.id, body: bodyOf("new") });
    const consequences = { append: [node()] };
    await writesNothing(fixture, async () => {
      const answers = await work.settle([
        { ...leaseOf(record), ends: "stopped", consequences: consequences },
      ]);
      assert.deepEqual(answers, [{ result: "moved", record: edited }]);
      const ahead = await work.settle([{ ...leaseOf(record), revision: 3, ends: "stopped" }]);
      assert.equal(codeOf(ahead[0]), "moved");
    });
    assert.deepEqual(edited.lease, record.lease);
    const decided = { ...leaseOf(record), revision: edited.revision };
    assert.deepEqual(await work.settle([{ ...decided, ends: "stopped" }]), [
      { result: "settled", revision: 3 },
    ]);
  });
}

function cancelling(test: Test): void {
  test("settle without an end ends a cancelling record as cancelled", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    await ann.cancel({ id });
    const late = await work.settle([{ ...leaseOf(record), state: "running", wakeAt: start + 5 }]);
    assert.equal(codeOf(late[0]), "moved");
    const outcome = { reason: "half" };
    const consequences = { append: [node({ id: "child" })] };
    const unit = { ...leaseOf(record), revision: 2, state: "running" as const, wakeAt: start + 5 };
    const answers = await work.settle([
      { ...unit, outcome, consequences: consequences, freshStart: true },
    ]);
    assert.deepEqual(answers, [{ result: "settled", revision: 3 }]);
    assert.partialDeepStrictEqual(await read(ann, id), {
      state: "cancelled",
      endedAt: start,
      outcome,
      wakeAt: null,
      lease: null,
      attempt: 1,
    });
    await read(ann, "child");
    const row = (await historyOf(ann, id)).at(-1);
    assert.partialDeepStrictEqual(row, { what: "settled", state: "cancelled", by: "w1" });
  });

  test("settle with an end wins over a late cancel", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    await ann.cancel({ id: record.id });
    await work.settle([{ ...leaseOf(record), revision: 2, ends: "stopped" }]);
    const ended = { state: "stopped", cancelling: true };
    assert.partialDeepStrictEqual(await read(ann, record.id), ended);
  });
}
