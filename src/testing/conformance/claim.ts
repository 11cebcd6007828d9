import assert from "node:assert/strict";
import { type NodeKind, nodeKind } from "../../features/nodes/node.ts";
import type { Claimed } from "../../kernel/record.ts";
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
  under,
  wake,
  whats,
  type Holds,
} from "./fixture.ts";

function namesOf(records: readonly Claimed<NodeKind>[]): string {
  return records.map(({ body }) => body.name).join(" ");
}

const ask = { kind: nodeKind, holder: "w1", leaseMs: 1000, limit: 100 } as const;

export function claimHolds(holds: Holds): void {
  choosing(holds);
  leasing(holds);
  lapsing(holds);
  nextWakes(holds);
}

function choosing(holds: Holds): void {
  holds("only what is due is handed out, at its time and not before", async (fixture) => {
    const { ann, work, setNow } = fixture;
    await put(ann, node({ wakeAt: start + 10 }));
    assert.deepEqual(await claimAll(work), []);
    setNow(start + 9);
    assert.deepEqual(await claimAll(work), []);
    setNow(start + 10);
    await claimOne(work);
  });

  holds("high goes before normal before low, each by wake time, then by age", async (fixture) => {
    const { ann, bob, work, setNow } = fixture;
    await put(ann, node({ name: "low", priority: "low", wakeAt: start }));
    await put(bob, node({ name: "late", wakeAt: start + 2 }));
    await put(ann, node({ name: "early", wakeAt: start + 1 }));
    await put(bob, node({ name: "early2", wakeAt: start + 1 }));
    await put(ann, node({ name: "high", priority: "high", wakeAt: start + 3 }));
    setNow(start + 5);
    assert.equal(namesOf(await claimAll(work)), "high early early2 late low");
  });

  holds("low first starts at the other end", async ({ ann, work }) => {
    await put(ann, due({ name: "high", priority: "high" }));
    await put(ann, due({ name: "normal" }));
    await put(ann, due({ name: "low", priority: "low" }));
    await put(ann, due({ name: "low2", priority: "low" }));
    assert.equal(namesOf(await claimAll(work, { lowFirst: true })), "low low2 normal high");
  });

  holds("no more than the limit is handed out, and the rest next time", async ({ ann, work }) => {
    for (const name of ["a", "b", "c"]) await put(ann, due({ name }));
    assert.equal(namesOf(await claimAll(work, { limit: 2 })), "a b");
    assert.equal(namesOf(await claimAll(work, { limit: 2 })), "c");
    assert.deepEqual(await claimAll(work, { limit: 0 }), []);
  });

  holds("a claim sees its own queue alone", async ({ ann, work }) => {
    await put(ann, due({ name: "here", queue: "node@here" }));
    await put(ann, due({ name: "any" }));
    assert.equal(namesOf(await claimAll(work)), "any");
    assert.equal(namesOf(await claimAll(work, { queue: "node@there" })), "");
    assert.equal(namesOf(await claimAll(work, { queue: "node@here" })), "here");
  });

  holds(
    "a claim of a lane sees that lane alone; a claim of the queue sees all",
    async (fixture) => {
      const { ann, work } = fixture;
      await put(ann, due({ name: "x", lane: "x", priority: "low" }));
      await put(ann, due({ name: "y", lane: "y" }));
      await put(ann, due({ name: "none" }));
      await put(ann, due({ name: "x2", lane: "x", priority: "high" }));
      assert.equal(namesOf(await claimAll(work, { lane: "x" })), "x2 x");
      assert.equal(namesOf(await claimAll(work)), "y none");
    },
  );

  holds("claims at the same time never share a record", async ({ ann, work }) => {
    for (let count = 0; count < 20; count += 1) await put(ann, due());
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claimAll(work, { holder: `w${index}`, limit: 4 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    assert.equal(ids.length, 20);
    assert.equal(new Set(ids).size, 20);
  });
}

function leasing(holds: Holds): void {
  holds(
    "a claim leases: holder, fence, attempt, and the lease's end as wake time",
    async (fixture) => {
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
      assert.deepEqual(await whats(ann, before.id), ["appended"]);
    },
  );

  holds("the fence never restarts, whatever happens to the due row", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    await work.settle([{ ...under(record), state: "running", freshStart: true }]);
    assert.partialDeepStrictEqual(await read(ann, record.id), { wakeAt: null, lease: null });
    await wake(ann, record.id);
    const again = await claimOne(work);
    assert.equal(again.lease.fence, 2);
    assert.equal(again.attempt, 1);
  });

  holds("a claim forgets a wake that came under the earlier lease", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const { id } = await leased(fixture);
    await wake(ann, id);
    setNow(start + 1000);
    const again = await claimOne(work);
    await work.settle([{ ...under(again), state: "running" }]);
    assert.equal((await read(ann, id)).wakeAt, null);
  });
}

function lapsing(holds: Holds): void {
  holds(
    "a lapsed lease is handed out again, and a row says whose fate is unknown",
    async (fixture) => {
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
    },
  );

  holds("a lapsed lease is shown until somebody takes over", async (fixture) => {
    const record = await leased(fixture);
    fixture.setNow(start + 5000);
    assert.deepEqual(await read(fixture.ann, record.id), record);
  });

  holds("a cancelling record is not handed out again: the claim ends it", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const { id } = await leased(fixture);
    await ann.cancel({ id, reason: "enough" });
    await put(ann, node({ name: "other", wakeAt: start + 2000 }));
    setNow(start + 2000);
    const records = await claimAll(work, { holder: "w2", limit: 1 });
    assert.equal(namesOf(records), "other");
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

function nextWakes(holds: Holds): void {
  holds("a claim tells the store's time and when to look again", async ({ ann, work, setNow }) => {
    setNow(start + 7);
    assert.deepEqual(await work.claim(ask), { records: [], now: start + 7, nextWakeAt: null });
    await put(ann, node({ wakeAt: start + 100 }));
    await put(ann, node({ wakeAt: start + 50, priority: "low" }));
    assert.equal((await work.claim(ask)).nextWakeAt, start + 50);
  });

  holds("the next look counts leases and what the limit left over", async ({ ann, work }) => {
    await put(ann, due());
    await put(ann, due());
    assert.equal((await work.claim({ ...ask, limit: 1 })).nextWakeAt, start);
    assert.equal((await work.claim({ ...ask, leaseMs: 300 })).nextWakeAt, start + 300);
  });

  holds(
    "a claim leaves out the lanes it is told to, and so does its next look",
    async ({ ann, work }) => {
      await put(ann, node({ wakeAt: start, lane: "x" }));
      await put(ann, node({ wakeAt: start + 10, lane: "x" }));
      await put(ann, node({ wakeAt: start + 20, lane: "y" }));
      await put(ann, node({ wakeAt: start + 30 }));
      const { records, nextWakeAt } = await work.claim({ ...ask, except: ["x", "z"] });
      assert.deepEqual([records.length, nextWakeAt], [0, start + 20]);
      assert.equal((await work.claim({ ...ask, except: ["x", "y"] })).nextWakeAt, start + 30);
      assert.equal((await work.claim({ ...ask, except: [] })).records.length, 1);
    },
  );
  holds("the next look at a lane is that lane's", async ({ ann, work }) => {
    await put(ann, node({ wakeAt: start + 10, lane: "x" }));
    await put(ann, node({ wakeAt: start + 20, lane: "y" }));
    assert.equal((await work.claim({ ...ask, lane: "y" })).nextWakeAt, start + 20);
    assert.equal((await work.claim({ ...ask, lane: "z" })).nextWakeAt, null);
    assert.equal((await work.claim(ask)).nextWakeAt, start + 10);
  });
}
