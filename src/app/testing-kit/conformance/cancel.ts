import assert from "node:assert/strict";
import {
  claimAll,
  due,
  fails,
  historyOf,
  leased,
  node,
  put,
  read,
  start,
  changeNames,
  writesNothing,
  type Test,
} from "./fixture.ts";

export function cancelCases(test: Test): void {
  test("cancel ends a record that is not leased", async ({ ann, work, setNow }) => {
    const { id } = await put(ann, due());
    setNow(start + 4);
    const answer = await ann.cancel({ id, reason: "no need" });
    assert.deepEqual(answer, { result: "cancelled", record: await read(ann, id) });
    assert.partialDeepStrictEqual(answer.record, {
      state: "cancelled",
      revision: 2,
      endedAt: start + 4,
      wakeAt: null,
      cancelling: false,
    });
    assert.deepEqual((await historyOf(ann, id))[1], {
      id,
      kind: "node",
      what: "cancelled",
      state: "cancelled",
      revision: 2,
      attempt: 0,
      at: start + 4,
      by: "ann@cli",
      claimedAt: null,
      note: "no need",
    });
    assert.deepEqual(await claimAll(work), []);
  });

  test("cancel marks a leased record as cancelling, once", async (fixture) => {
    const { ann } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    const answer = await ann.cancel({ id, reason: "stop" }, { append: [node({ id: "child" })] });
    assert.deepEqual(answer, {
      result: "cancelling",
      record: { ...record, cancelling: true, revision: 2 },
    });
    assert.partialDeepStrictEqual((await historyOf(ann, id))[1], {
      what: "cancelling",
      state: "running",
      revision: 2,
      note: "stop",
      claimedAt: null,
    });
    await read(ann, "child");
    await writesNothing(fixture, async () => {
      assert.deepEqual(await ann.cancel({ id, reason: "stop!" }, { append: [node()] }), answer);
    });
  });

  test("cancelling an ended record answers ended and writes nothing", async (fixture) => {
    const { ann } = fixture;
    const record = await put(ann, node({ ends: "stopped" }));
    await writesNothing(fixture, async () => {
      const answer = await ann.cancel({ id: record.id }, { append: [node()] });
      assert.deepEqual(answer, { result: "ended", record });
    });
  });

  test("cancel records a lapsed lease before it ends the record", async (fixture) => {
    const { ann, setNow } = fixture;
    const { id } = await leased(fixture);
    await ann.cancel({ id });
    setNow(start + 1000);
    const { result, record } = await ann.cancel({ id });
    assert.equal(result, "cancelled");
    assert.partialDeepStrictEqual(record, {
      lapses: 1,
      lease: null,
      revision: 3,
      cancelling: true,
    });
    assert.deepEqual(await changeNames(ann, id), ["appended", "cancelling", "lapsed", "cancelled"]);
  });

  test("cancelling a missing record or another owner's is not_found", async (fixture) => {
    const { ann, bob } = fixture;
    const { id } = await put(ann, due());
    await writesNothing(fixture, async () => {
      await fails(ann.cancel({ id: "missing" }), "not_found", { id: "missing" });
      await fails(bob.cancel({ id }), "not_found", { id });
    });
  });

  test("as a consequence, cancelling an ended record is not an error", async ({ ann }) => {
    const { id } = await put(ann, node({ ends: "stopped" }));
    await ann.append(node({ id: "x" }), { cancel: [{ id }] });
    await read(ann, "x");
    assert.deepEqual(await changeNames(ann, id), ["appended"]);
  });
}
