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
  under,
  whats,
  writesNothing,
  type Holds,
} from "./fixture.ts";

export function keepHolds(holds: Holds): void {
  holds("a keep moves the lease's end, and nothing else", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    setNow(start + 900);
    const answers = await work.keep([{ ...under(record), leaseMs: 1000 }]);
    assert.deepEqual(answers, [{ result: "kept", cancelling: false }]);
    assert.deepEqual(await read(ann, record.id), { ...record, wakeAt: start + 1900 });
    assert.deepEqual(await whats(ann, record.id), ["appended"]);
    setNow(start + 1899);
    assert.deepEqual(await claimAll(work), []);
  });

  holds("a keep with an outcome writes it and one row; the revision stays", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const outcome = { reason: "half" };
    fixture.setNow(start + 1);
    await work.keep([{ ...under(record), leaseMs: 1000, outcome, note: "part 1" }]);
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

  holds("a keep with a note alone writes a row and leaves the outcome", async (fixture) => {
    const record = await leased(fixture, { outcome: { reason: "old" } });
    await fixture.work.keep([{ ...under(record), leaseMs: 1000, note: "still here" }]);
    assert.deepEqual(await whats(fixture.ann, record.id), ["appended", "kept"]);
    assert.deepEqual((await read(fixture.ann, record.id)).outcome, { reason: "old" });
  });

  holds("an old fence, a settled lease and an unknown record are stale", async (fixture) => {
    const { work, setNow } = fixture;
    const first = await leased(fixture);
    setNow(start + 1000);
    const second = await claimOne(work, { holder: "w2" });
    await writesNothing(fixture, async () => {
      const units = [first, { ...second, lease: { ...second.lease, fence: 3 } }].map((record) => ({
        ...under(record),
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
    await work.settle([{ ...under(second), ends: "stopped" }]);
    assert.deepEqual(await work.keep([{ ...under(second), leaseMs: 1 }]), [{ result: "stale" }]);
  });

  holds("a lapsed lease that nobody took over can be kept", async (fixture) => {
    const record = await leased(fixture);
    fixture.setNow(start + 5000);
    const [answer] = await fixture.work.keep([{ ...under(record), leaseMs: 1000 }]);
    assert.equal(codeOf(answer), "kept");
    assert.deepEqual(await claimAll(fixture.work), []);
    assert.equal((await read(fixture.ann, record.id)).wakeAt, start + 6000);
  });

  holds("a keep hears that a cancel is waiting", async (fixture) => {
    const record = await leased(fixture);
    await fixture.ann.cancel({ id: record.id });
    assert.deepEqual(await fixture.work.keep([{ ...under(record), leaseMs: 1000 }]), [
      { result: "kept", cancelling: true },
    ]);
  });

  holds("an edit does not disturb a keep", async (fixture) => {
    const record = await leased(fixture);
    await fixture.ann.edit({ kind: "node", id: record.id, body: bodyOf("new") });
    const [answer] = await fixture.work.keep([{ ...under(record), leaseMs: 1000 }]);
    assert.equal(codeOf(answer), "kept");
  });
}
