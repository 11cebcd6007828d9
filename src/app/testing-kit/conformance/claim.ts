import assert from "node:assert/strict";
import { type NodeKind, nodeKind } from "../../../features/nodes/index.ts";
import type { Claimed } from "../../../kernel/record.ts";
import { claimAll, claimOne, due, node, put, start, type Test } from "./fixture.ts";

function namesOf(records: readonly Claimed<NodeKind>[]): string {
  return records.map(({ body }) => body.name).join(" ");
}

const request = { kind: nodeKind, holder: "w1", leaseMs: 1000, limit: 100 } as const;

export function claimCases(test: Test): void {
  order(test);
  nextWakeTimes(test);
}

function order(test: Test): void {
  test("claim returns a record at its wake time and not before", async (fixture) => {
    const { ann, work, setNow } = fixture;
    await put(ann, node({ wakeAt: start + 10 }));
    assert.deepEqual(await claimAll(work), []);
    setNow(start + 9);
    assert.deepEqual(await claimAll(work), []);
    setNow(start + 10);
    await claimOne(work);
  });

  test("claim orders by priority, then wake time, then order of appending", async (fixture) => {
    const { ann, bob, work, setNow } = fixture;
    await put(ann, node({ name: "low", priority: "low", wakeAt: start }));
    await put(bob, node({ name: "late", wakeAt: start + 2 }));
    await put(ann, node({ name: "early", wakeAt: start + 1 }));
    await put(bob, node({ name: "early2", wakeAt: start + 1 }));
    await put(ann, node({ name: "high", priority: "high", wakeAt: start + 3 }));
    setNow(start + 5);
    assert.equal(namesOf(await claimAll(work)), "high early early2 late low");
  });

  test("lowFirst claims low priority first", async ({ ann, work }) => {
    await put(ann, due({ name: "high", priority: "high" }));
    await put(ann, due({ name: "normal" }));
    await put(ann, due({ name: "low", priority: "low" }));
    await put(ann, due({ name: "low2", priority: "low" }));
    assert.equal(namesOf(await claimAll(work, { lowFirst: true })), "low low2 normal high");
  });

  test("claim returns at most its limit, and the rest next time", async ({ ann, work }) => {
    for (const name of ["a", "b", "c"]) await put(ann, due({ name }));
    assert.equal(namesOf(await claimAll(work, { limit: 2 })), "a b");
    assert.equal(namesOf(await claimAll(work, { limit: 2 })), "c");
    assert.deepEqual(await claimAll(work, { limit: 0 }), []);
  });

  test("claim reads only its own queue", async ({ ann, work }) => {
    await put(ann, due({ name: "here", queue: "node@here" }));
    await put(ann, due({ name: "any" }));
    assert.equal(namesOf(await claimAll(work)), "any");
    assert.equal(namesOf(await claimAll(work, { queue: "node@there" })), "");
    assert.equal(namesOf(await claimAll(work, { queue: "node@here" })), "here");
  });

  test("a claim with a lane reads that lane; one without reads all lanes", async (fixture) => {
    const { ann, work } = fixture;
    await put(ann, due({ name: "x", lane: "x", priority: "low" }));
    await put(ann, due({ name: "y", lane: "y" }));
    await put(ann, due({ name: "none" }));
    await put(ann, due({ name: "x2", lane: "x", priority: "high" }));
    assert.equal(namesOf(await claimAll(work, { lane: "x" })), "x2 x");
    assert.equal(namesOf(await claimAll(work)), "y none");
  });

  test("concurrent claims never share a record", async ({ ann, work }) => {
    for (let count = 0; count < 20; count += 1) await put(ann, due());
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claimAll(work, { holder: `w${index}`, limit: 4 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    assert.equal(ids.length, 20);
    assert.equal(new Set(ids).size, 20);
  });
}

function nextWakeTimes(test: Test): void {
  test("claim answers the store's time and the next wake time", async ({ ann, work, setNow }) => {
    setNow(start + 7);
    assert.deepEqual(await work.claim(request), { records: [], now: start + 7, nextWakeAt: null });
    await put(ann, node({ wakeAt: start + 100 }));
    await put(ann, node({ wakeAt: start + 50, priority: "low" }));
    assert.equal((await work.claim(request)).nextWakeAt, start + 50);
  });

  test("the next wake time includes leases and records beyond the limit", async ({ ann, work }) => {
    await put(ann, due());
    await put(ann, due());
    assert.equal((await work.claim({ ...request, limit: 1 })).nextWakeAt, start);
    assert.equal((await work.claim({ ...request, leaseMs: 300 })).nextWakeAt, start + 300);
  });

  test("claim and its next wake time leave out the lanes in except", async ({ ann, work }) => {
    await put(ann, node({ wakeAt: start, lane: "x" }));
    await put(ann, node({ wakeAt: start + 10, lane: "x" }));
    await put(ann, node({ wakeAt: start + 20, lane: "y" }));
    await put(ann, node({ wakeAt: start + 30 }));
    const { records, nextWakeAt } = await work.claim({ ...request, except: ["x", "z"] });
    assert.deepEqual([records.length, nextWakeAt], [0, start + 20]);
    assert.equal((await work.claim({ ...request, except: ["x", "y"] })).nextWakeAt, start + 30);
    assert.equal((await work.claim({ ...request, except: [] })).records.length, 1);
  });
  test("a claim with a lane answers that lane's next wake time", async ({ ann, work }) => {
    await put(ann, node({ wakeAt: start + 10, lane: "x" }));
    await put(ann, node({ wakeAt: start + 20, lane: "y" }));
    assert.equal((await work.claim({ ...request, lane: "y" })).nextWakeAt, start + 20);
    assert.equal((await work.claim({ ...request, lane: "z" })).nextWakeAt, null);
    assert.equal((await work.claim(request)).nextWakeAt, start + 10);
  });
}
