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
  changeNames,
  writesNothing,
  type Test,
} from "./fixture.ts";

export function keepCases(test: Test): void {
  test("keep moves only the end of the lease", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    setNow(start + 900);
    const answers = await work.keep([{ ...leaseOf(record), leaseMs: 1000 }]);
    assert.deepEqual(answers, [{ result: "kept", cancelling: false }]);
    assert.deepEqual(await read(ann, record.id), { ...record, wakeAt: start + 1900 });
    assert.deepEqual(await changeNames(ann, record.id), ["appended"]);
    setNow(start + 1899);
    assert.deepEqual(await claimAll(work), []);
  });

  test("keep with an outcome writes it and one row; the revision stays", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const outcome = { reason: "half" };
    fixture.setNow(start + 1);
    await work.keep([{ ...leaseOf(record), leaseMs: 1000, outcome, note: "part 1" }]);
    assert.partialDeepStrictEqual(await read(ann, record.id), {
      outcome,
      revision: 1,
      attempt: 1,
      updatedAt: start + 1,
    });
    assert.deepEqual((await historyOf(ann, record.id))[1], {
      id: record.id,
      kind: "node",
      what: "kept",
      state: "running",
      revision: 1,
      attempt: 1,
      at: start + 1,
      by: "w1",
      claimedAt: null,
      note: "part 1",
    });
  });

  test("keep with a note writes one row and leaves the outcome", async (fixture) => {
    const record = await leased(fixture, { outcome: { reason: "old" } });
    await fixture.work.keep([{ ...leaseOf(record), leaseMs: 1000, note: "still here" }]);
    assert.deepEqual(await changeNames(fixture.ann, record.id), ["appended", "kept"]);
    assert.deepEqual((await read(fixture.ann, record.id)).outcome, { reason: "old" });
  });

  test("a stale fence, a settled lease and an unknown record keep nothing", async (fixture) => {
    const { work, setNow } = fixture;
    const first = await leased(fixture);
    setNow(start + 1000);
    const second = await claimOne(work, { holder: "w2" });
    await writesNothing(fixture, async () => {
      const units = [first, { ...second, lease: { ...second.lease, fence: 3 } }].map((record) => ({
        ...leaseOf(record),
        leaseMs: 9000,
        outcome: { reason: "late" },
      }));
      const unknown = { id: "unknown", fence: 1, leaseMs: 1 };
      assert.deepEqual((await work.keep([...units, unknown])).map(codeOf), [
        "stale",
        "stale",
        "stale",
      ]);
    });
    await work.settle([{ ...leaseOf(second), ends: "stopped" }]);
    assert.deepEqual(await work.keep([{ ...leaseOf(second), leaseMs: 1 }]), [{ result: "stale" }]);
  });

  test("keep renews a lapsed lease that no claim took over", async (fixture) => {
    const record = await leased(fixture);
    fixture.setNow(start + 5000);
    const [answer] = await fixture.work.keep([{ ...leaseOf(record), leaseMs: 1000 }]);
    assert.equal(codeOf(answer), "kept");
    assert.deepEqual(await claimAll(fixture.work), []);
    assert.equal((await read(fixture.ann, record.id)).wakeAt, start + 6000);
  });

  test("keep reports a requested cancel", async (fixture) => {
    const record = await leased(fixture);
    await fixture.ann.cancel({ id: record.id });
    assert.deepEqual(await fixture.work.keep([{ ...leaseOf(record), leaseMs: 1000 }]), [
      { result: "kept", cancelling: true },
    ]);
  });

  test("keep succeeds after an edit", async (fixture) => {
    const record = await leased(fixture);
    await fixture.ann.edit({ kind: "node", id: record.id, body: bodyOf("new") });
    const [answer] = await fixture.work.keep([{ ...leaseOf(record), leaseMs: 1000 }]);
    assert.equal(codeOf(answer), "kept");
  });
}
