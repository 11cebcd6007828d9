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
  wake,
  whats,
  writesNothing,
  type Holds,
} from "./fixture.ts";

/** Given back unstarted in the revision that was looked at. */
export function restingHolds(holds: Holds): void {
  holds("a record that rests shows nothing of it but its next time", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture, { holds: ["name"], lane: "x" });
    setNow(start + 10);
    const rest = { ...under(record), unstarted: true as const, wakeAt: start + 500 };
    assert.deepEqual(await work.settle([rest]), [{ result: "settled", revision: 1 }]);
    assert.deepEqual(await read(ann, record.id), {
      ...record,
      attempt: 0,
      wakeAt: start + 500,
      readyAt: start + 500,
      lease: null,
    });
    assert.deepEqual(await whats(ann, record.id), ["appended"]);
    assert.equal(codeOf((await work.settle([rest]))[0]), "stale");
    setNow(start + 500);
    const again = await claimOne(work);
    assert.partialDeepStrictEqual(again, { attempt: 1, readyAt: start + 500, lapses: 0 });
  });

  holds(
    "the time a record rests until is its own: a move does not free it before",
    async (fixture) => {
      const { ann, work } = fixture;
      const record = await leased(fixture, { lane: "x" });
      await work.settle([{ ...under(record), unstarted: true, wakeAt: start + 500 }]);
      assert.equal(await work.move({ queue: "node", lane: "x", to: 0, limit: 9 }), 0);
      assert.equal((await read(ann, record.id)).wakeAt, start + 500);
    },
  );

  holds(
    "a record that was edited meanwhile does not rest over it, and the lease stays",
    async (fixture) => {
      const { ann, work } = fixture;
      const record = await leased(fixture);
      const edit = { kind: "node", id: record.id, body: bodyOf("new"), wakeAt: start } as const;
      const edited = await ann.edit(edit);
      const rest = { ...under(record), unstarted: true as const, wakeAt: start + 500 };
      await writesNothing(fixture, async () => {
        assert.deepEqual(await work.settle([rest]), [{ result: "moved", record: edited }]);
        assert.equal(codeOf((await work.settle([{ ...rest, revision: 3 }]))[0]), "moved");
      });
      const answers = await work.settle([{ ...rest, revision: 2 }]);
      assert.deepEqual(answers, [{ result: "settled", revision: 2 }]);
      assert.equal((await read(ann, record.id)).wakeAt, start + 500);
    },
  );

  holds(
    "a record rests until a wake that came meanwhile, and never in the past",
    async (fixture) => {
      const { ann, work, setNow } = fixture;
      const record = await leased(fixture);
      const { id } = record;
      setNow(start + 20);
      await wake(ann, id);
      setNow(start + 30);
      await work.settle([{ ...under(record), unstarted: true, wakeAt: start + 500 }]);
      const woken = { wakeAt: start + 30, readyAt: start + 30 };
      assert.partialDeepStrictEqual(await read(ann, id), woken);
      const again = await claimOne(work);
      setNow(start + 40);
      await work.settle([{ ...under(again), unstarted: true, wakeAt: 0 }]);
      const past = { wakeAt: start + 40, readyAt: start + 40, attempt: 0 };
      assert.partialDeepStrictEqual(await read(ann, id), past);
    },
  );

  holds("a cancelling record does not rest: it ends cancelled", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const { id } = record;
    await ann.cancel({ id });
    const rest = { ...under(record), unstarted: true as const, wakeAt: start + 500 };
    const [moved] = await work.settle([rest]);
    assert.ok(moved?.result === "moved" && moved.record.cancelling);
    const answers = await work.settle([{ ...rest, revision: 2 }]);
    assert.deepEqual(answers, [{ result: "settled", revision: 3 }]);
    const ended = { state: "cancelled", attempt: 0, endedAt: start, wakeAt: null, lease: null };
    assert.partialDeepStrictEqual(await read(ann, id), ended);
    const row = (await historyOf(ann, id)).at(-1);
    assert.partialDeepStrictEqual(row, { what: "cancelled", by: "w1", claimedAt: start });
  });

  holds("an old fence and a wrong revision rest nothing, and touch no other", async (fixture) => {
    const { ann, work } = fixture;
    const [first, second] = [await leased(fixture), await leased(fixture)];
    const rest = { unstarted: true as const, wakeAt: start + 500 };
    const answers = await work.settle([
      { ...under(first), ...rest, fence: 2 },
      { ...under(first), ...rest, revision: -1 },
      { ...under(first), ...rest, revision: 1.5 },
      { ...under(second), ...rest },
    ]);
    assert.deepEqual(answers.map(codeOf), ["stale", "invalid", "invalid", "settled"]);
    assert.deepEqual((await read(ann, first.id)).lease, first.lease);
    assert.deepEqual(await claimAll(work), []);
  });
}
