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
  under,
  wake,
  whats,
  writesNothing,
  type Holds,
} from "./fixture.ts";

export function settleHolds(holds: Holds): void {
  ending(holds);
  goingOn(holds);
  fencing(holds);
  waking(holds);
  cancelling(holds);
  givingBack(holds);
}

function ending(holds: Holds): void {
  holds("a settle ends a record once and for all", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    setNow(start + 10);
    const outcome = { reason: "done" };
    const answers = await work.settle([{ ...under(record), ends: "stopped", outcome, note: "ok" }]);
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

  holds("a settle without an outcome leaves the one there is", async (fixture) => {
    const record = await leased(fixture, { outcome: { reason: "old" } });
    await fixture.work.settle([{ ...under(record), ends: "stopped" }]);
    assert.deepEqual((await read(fixture.ann, record.id)).outcome, { reason: "old" });
  });

  holds("many units settle in one call, each with its own answer in order", async (fixture) => {
    const { ann, work } = fixture;
    for (const name of ["a", "b", "c"]) await put(ann, due({ name }));
    const [a, b, c] = await claimAll(work);
    assert.ok(a && b && c);
    const answers = await work.settle([
      { ...under(a), ends: "stopped" },
      { ...under(b), fence: 7, ends: "stopped" },
      { ...under(b), ends: "stopped", consequences: { edit: [{ kind: "node", id: "nobody" }] } },
      { ...under(c), ends: "lost" },
      { ...under(a), ends: "lost" },
    ]);
    assert.deepEqual(answers.map(codeOf), ["settled", "stale", "not_found", "settled", "stale"]);
    assert.deepEqual(await read(ann, b.id), b);
    assert.equal((await read(ann, a.id)).state, "stopped");
    assert.deepEqual(await work.settle([]), []);
  });
}

function goingOn(holds: Holds): void {
  holds("a settle sets the next wake time; a past one becomes now", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    setNow(start + 5);
    await work.settle([{ ...under(record), state: "running", wakeAt: start + 50 }]);
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
    await work.settle([{ ...under(again), state: "running", wakeAt: 1 }]);
    assert.equal((await read(ann, record.id)).wakeAt, start + 50);
  });

  holds("a settle without a wake time leaves nobody to look", async (fixture) => {
    const record = await leased(fixture);
    await fixture.work.settle([{ ...under(record), state: "running" }]);
    assert.equal((await read(fixture.ann, record.id)).wakeAt, null);
    assert.deepEqual((await fixture.work.stats()).queues, []);
  });

  holds("a fresh start counts attempts and lapses from zero", async (fixture) => {
    const { ann, work, setNow } = fixture;
    await leased(fixture);
    setNow(start + 1000);
    const record = await claimOne(work);
    assert.partialDeepStrictEqual(record, { attempt: 2, lapses: 1 });
    await work.settle([{ ...under(record), state: "running", wakeAt: 0, freshStart: true }]);
    assert.partialDeepStrictEqual(await read(ann, record.id), { attempt: 0, lapses: 0 });
    assert.equal((await claimOne(work)).attempt, 1);
  });

  holds("a settle may put the record in another queue, at an end too", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { lane: "x" });
    const { queue, lane, priority } = { ...record, queue: "node@there" };
    await work.settle([{ ...under(record), state: "running", wakeAt: start, queue }]);
    assert.partialDeepStrictEqual(await read(ann, record.id), { queue, lane, priority });
    assert.deepEqual(await claimAll(work), []);
    const again = await claimOne(work, { queue, lane: "x" });
    await work.settle([{ ...under(again), ends: "stopped", queue: "node@here" }]);
    assert.equal((await read(ann, record.id)).queue, "node@here");
  });
}

function fencing(holds: Holds): void {
  holds("an old fence, a settled lease and an unknown record are stale", async (fixture) => {
    const { work, setNow } = fixture;
    const first = await leased(fixture);
    setNow(start + 1000);
    const second = await claimOne(work, { holder: "w2" });
    const consequences = { append: [node()] };
    await writesNothing(fixture, async () => {
      const answers = await work.settle([
        { ...under(first), ends: "stopped", consequences: consequences },
        { id: first.id, fence: 1, unstarted: true, wakeAt: 0 },
        { id: "unknown", fence: 1, revision: 1, ends: "stopped" },
      ]);
      assert.deepEqual(
        answers,
        Array.from(answers, () => ({ result: "stale" })),
      );
    });
    await work.settle([{ ...under(second), state: "running", wakeAt: start }]);
    const [answer] = await work.settle([{ ...under(second), revision: 2, ends: "stopped" }]);
    assert.equal(codeOf(answer), "stale");
  });

  holds("a lapsed lease that nobody took over can be settled", async (fixture) => {
    const record = await leased(fixture);
    fixture.setNow(start + 5000);
    const [answer] = await fixture.work.settle([{ ...under(record), ends: "stopped" }]);
    assert.equal(codeOf(answer), "settled");
    assert.deepEqual(await whats(fixture.ann, record.id), ["appended", "settled"]);
  });

  holds(
    "a record that was edited meanwhile answers moved, and the lease stays",
    async (fixture) => {
      const { ann, work } = fixture;
      const record = await leased(fixture);
      const edited = await ann.edit({ kind: "node", id: record.id, body: bodyOf("new") });
      const consequences = { append: [node()] };
      await writesNothing(fixture, async () => {
        const answers = await work.settle([
          { ...under(record), ends: "stopped", consequences: consequences },
        ]);
        assert.deepEqual(answers, [{ result: "moved", record: edited }]);
        const ahead = await work.settle([{ ...under(record), revision: 3, ends: "stopped" }]);
        assert.equal(codeOf(ahead[0]), "moved");
      });
      assert.deepEqual(edited.lease, record.lease);
      const decided = { ...under(record), revision: edited.revision };
      assert.deepEqual(await work.settle([{ ...decided, ends: "stopped" }]), [
        { result: "settled", revision: 3 },
      ]);
    },
  );
}

function waking(holds: Holds): void {
  for (const { sentence, next } of [
    {
      sentence: "a wake under a lease makes it due when it is settled",
      next: { wakeAt: start + 50 },
    },
    { sentence: "a wake under a lease counts when no wake time is asked", next: {} },
  ]) {
    holds(sentence, async (fixture) => {
      const { ann, work, setNow } = fixture;
      const record = await leased(fixture);
      await wake(ann, record.id);
      assert.deepEqual(await read(ann, record.id), record);
      setNow(start + 10);
      await work.settle([{ ...under(record), state: "running", ...next }]);
      assert.equal((await read(ann, record.id)).wakeAt, start + 10);
    });
  }

  holds("a wake under a lease does not delay an earlier wake time", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    setNow(start + 50);
    await wake(ann, record.id);
    setNow(start + 10);
    await work.settle([{ ...under(record), state: "running", wakeAt: start + 20 }]);
    assert.equal((await read(ann, record.id)).wakeAt, start + 20);
  });

  holds("a wake under a lease counts once", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    await wake(ann, record.id);
    await work.settle([{ ...under(record), state: "running" }]);
    const again = await claimOne(work);
    await work.settle([{ ...under(again), state: "running" }]);
    assert.equal((await read(ann, record.id)).wakeAt, null);
  });
}

function cancelling(holds: Holds): void {
  holds("a cancelling record that is settled without an end ends cancelled", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    await ann.cancel({ id });
    const late = await work.settle([{ ...under(record), state: "running", wakeAt: start + 5 }]);
    assert.equal(codeOf(late[0]), "moved");
    const outcome = { reason: "half" };
    const consequences = { append: [node({ id: "child" })] };
    const unit = { ...under(record), revision: 2, state: "running" as const, wakeAt: start + 5 };
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

  holds(
    "a cancelling record that is settled with an end ends so: the cancel came late",
    async (fixture) => {
      const { ann, work } = fixture;
      const record = await leased(fixture);
      await ann.cancel({ id: record.id });
      await work.settle([{ ...under(record), revision: 2, ends: "stopped" }]);
      const ended = { state: "stopped", cancelling: true };
      assert.partialDeepStrictEqual(await read(ann, record.id), ended);
    },
  );
}

function givingBack(holds: Holds): void {
  holds("a record given back unstarted is as if it had not been claimed", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    const { fence } = record.lease;
    await ann.edit({ kind: "node", id, note: "the revision is not looked at" });
    const before = await read(ann, id);
    const answers = await work.settle([{ id, fence, unstarted: true, wakeAt: start + 30 }]);
    assert.deepEqual(answers, [{ result: "settled", revision: 2 }]);
    assert.deepEqual(await read(ann, id), {
      ...before,
      attempt: 0,
      wakeAt: start + 30,
      lease: null,
    });
    assert.deepEqual(await whats(ann, id), ["appended", "edited"]);
  });

  holds("an unstarted record keeps its own time, so that a move can free it", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture, { lane: "x" });
    await work.settle([{ id, fence: lease.fence, unstarted: true, wakeAt: start + 500 }]);
    assert.equal(await work.move({ queue: "node", lane: "x", to: 0, limit: 9 }), 1);
    assert.equal((await read(ann, id)).wakeAt, start);
  });

  holds(
    "an unstarted record wakes for a wake that came meanwhile, never in the past",
    async (fixture) => {
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
    },
  );

  holds("an unstarted record that is cancelling ends cancelled", async (fixture) => {
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
