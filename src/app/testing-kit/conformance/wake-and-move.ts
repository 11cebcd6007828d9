import assert from "node:assert/strict";
import {
  claimAll,
  claimOne,
  due,
  leased,
  node,
  put,
  read,
  start,
  leaseOf,
  wake,
  writesNothing,
  type Test,
} from "./fixture.ts";

export function wakeAndMoveCases(test: Test): void {
  wakes(test);
  wakesUnderLease(test);
  moves(test);
}

function wakes(test: Test): void {
  test("wake makes a record without a wake time due", async ({ ann, work }) => {
    const before = await put(ann, node());
    await wake(ann, before.id);
    assert.deepEqual(await read(ann, before.id), { ...before, readyAt: start, wakeAt: start });
    await claimOne(work);
  });

  test("wake moves the wake time earlier, never later", async ({ ann, setNow }) => {
    const { id } = await put(ann, node({ wakeAt: start + 50 }));
    setNow(start + 30);
    await wake(ann, id);
    assert.equal((await read(ann, id)).wakeAt, start + 30);
    setNow(start + 70);
    await wake(ann, id);
    assert.equal((await read(ann, id)).wakeAt, start + 30);
  });

  test("wake frees a parked record and becomes its ready time", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const { id } = await put(ann, node({ wakeAt: start + 50, lane: "x" }));
    await work.move({ queue: "node", lane: "x", to: start + 500, limit: 9 });
    setNow(start + 20);
    await wake(ann, id);
    await work.move({ queue: "node", lane: "x", to: start + 500, limit: 9 });
    await work.move({ queue: "node", lane: "x", to: 0, limit: 9 });
    assert.equal((await read(ann, id)).wakeAt, start + 20);
  });

  test("waking an ended record changes nothing", async ({ ann, work }) => {
    const before = await put(ann, node({ ends: "stopped" }));
    await wake(ann, before.id);
    assert.deepEqual(await read(ann, before.id), before);
    assert.deepEqual(await claimAll(work), []);
  });

  test("a wake does not end a lease, lapsed or not", async (fixture) => {
    const { ann, setNow } = fixture;
    const record = await leased(fixture);
    await wake(ann, record.id);
    assert.deepEqual(await read(ann, record.id), record);
    setNow(start + 5000);
    await wake(ann, record.id);
    assert.deepEqual(await read(ann, record.id), record);
  });
}

function moves(test: Test): void {
  const lane = { queue: "node", lane: "x", limit: 9 } as const;

  test("move parks and frees a lane, and writes no history", async (fixture) => {
    const { ann, work } = fixture;
    const first = await put(ann, due({ lane: "x" }));
    const other = await put(ann, due({ lane: "y" }));
    assert.equal(await work.move({ ...lane, to: start + 500 }), 1);
    assert.deepEqual(await read(ann, first.id), { ...first, wakeAt: start + 500 });
    assert.deepEqual(
      (await claimAll(work)).map(({ id }) => id),
      [other.id],
    );
    assert.equal(await work.move({ ...lane, to: start + 1 }), 1);
    assert.equal((await read(ann, first.id)).wakeAt, start + 1);
    assert.equal((await ann.changes({})).changes.length, 2);
  });

  test("move makes no record due before its ready time", async ({ ann, work }) => {
    const { id } = await put(ann, node({ wakeAt: start + 50, lane: "x" }));
    assert.equal(await work.move({ ...lane, to: start + 10 }), 0);
    assert.equal(await work.move({ ...lane, to: start + 80 }), 1);
    assert.equal(await work.move({ ...lane, to: start + 10 }), 1);
    assert.equal((await read(ann, id)).wakeAt, start + 50);
  });

  test("move does not touch leased records, lapsed or not", async (fixture) => {
    const { work, setNow } = fixture;
    await leased(fixture, { lane: "x" });
    await writesNothing(fixture, async () => {
      assert.equal(await work.move({ ...lane, to: start + 50 }), 0);
    });
    setNow(start + 5000);
    await writesNothing(fixture, async () => {
      assert.equal(await work.move({ ...lane, to: start + 9000 }), 0);
    });
  });

  test("move takes the earliest wake times first, up to its limit", async ({ ann, work }) => {
    await put(ann, node({ id: "c", wakeAt: start + 3, lane: "x", priority: "high" }));
    await put(ann, node({ id: "a", wakeAt: start + 1, lane: "x", priority: "low" }));
    await put(ann, node({ id: "b", wakeAt: start + 1, lane: "x" }));
    await put(ann, node({ id: "there", wakeAt: start + 9, lane: "x" }));
    assert.equal(await work.move({ ...lane, to: start + 9, limit: 2 }), 2);
    const times = await Promise.all(
      ["a", "b", "c"].map(async (id) => (await read(ann, id)).wakeAt),
    );
    assert.deepEqual(times, [start + 9, start + 9, start + 3]);
    assert.equal(await work.move({ ...lane, to: start + 9, limit: 2 }), 1);
    assert.equal(await work.move({ ...lane, to: start + 9, limit: 2 }), 0);
  });

  test("move reads only its queue and lane, for all owners", async (fixture) => {
    const { ann, bob, work } = fixture;
    await put(ann, due({ lane: "x" }));
    await put(bob, due({ lane: "x" }));
    await put(ann, due({ lane: "x", queue: "node@there" }));
    await put(ann, due());
    assert.equal(await work.move({ ...lane, to: start + 5 }), 2);
  });

  test("move makes no record due before its settled wake time", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { lane: "x" });
    await work.settle([{ ...leaseOf(record), state: "running", wakeAt: start + 50 }]);
    await work.move({ ...lane, to: start + 90 });
    await work.move({ ...lane, to: 0 });
    assert.equal((await read(ann, record.id)).wakeAt, start + 50);
  });
}

function wakesUnderLease(test: Test): void {
  for (const { sentence, next } of [
    {
      sentence: "a wake under a lease makes the record due when it is settled",
      next: { wakeAt: start + 50 },
    },
    { sentence: "a wake under a lease counts when the settle has no wake time", next: {} },
  ]) {
    test(sentence, async (fixture) => {
      const { ann, work, setNow } = fixture;
      const record = await leased(fixture);
      await wake(ann, record.id);
      assert.deepEqual(await read(ann, record.id), record);
      setNow(start + 10);
      await work.settle([{ ...leaseOf(record), state: "running", ...next }]);
      assert.equal((await read(ann, record.id)).wakeAt, start + 10);
    });
  }

  test("a wake under a lease does not delay an earlier wake time", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    setNow(start + 50);
    await wake(ann, record.id);
    setNow(start + 10);
    await work.settle([{ ...leaseOf(record), state: "running", wakeAt: start + 20 }]);
    assert.equal((await read(ann, record.id)).wakeAt, start + 20);
  });

  test("a wake under a lease counts once", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    await wake(ann, record.id);
    await work.settle([{ ...leaseOf(record), state: "running" }]);
    const again = await claimOne(work);
    await work.settle([{ ...leaseOf(again), state: "running" }]);
    assert.equal((await read(ann, record.id)).wakeAt, null);
  });
}
