import assert from "node:assert/strict";
import type { Work } from "../../../kernel/ledger.ts";
import type { QueueQuery } from "../../../kernel/query.ts";
import { claimAll, due, fails, node, put, read, start, leaseOf, type Test } from "./fixture.ts";

async function idsIn(work: Work, query: Partial<QueueQuery> = {}): Promise<string> {
  const { records } = await work.inQueue({ queue: "node", ...query });
  return records.map(({ id }) => id).join(" ");
}

/** The ids of every page. */
async function pagesOf(work: Work, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null | undefined; after !== null && found.length < 10;) {
    const page = await work.inQueue({ queue: "node", limit, after });
    found.push(page.records.map(({ id }) => id).join(" "));
    after = page.next;
  }
  return found;
}

export function queueCases(test: Test): void {
  contents(test);
  pages(test);
}

function contents(test: Test): void {
  test("inQueue lists the due and later records of all owners", async (fixture) => {
    const { ann, bob, work } = fixture;
    await put(ann, due({ id: "c", lane: "x" }));
    await put(bob, node({ id: "a", wakeAt: start + 500, priority: "high" }));
    await put(ann, node({ id: "not due" }));
    await put(ann, due({ id: "ended", ends: "stopped" }));
    await put(ann, due({ id: "other queue", queue: "node@there" }));
    await put(bob, due({ id: "b", priority: "low" }));
    const page = await work.inQueue({ queue: "node" });
    const shown = [await read(ann, "c"), await read(bob, "a"), await read(bob, "b")];
    assert.deepEqual(page, { records: shown, next: null });
    assert.equal(await idsIn(work, { queue: "node@there" }), "other queue");
    assert.deepEqual(await work.inQueue({ queue: "chore" }), { records: [], next: null });
  });

  test("inQueue includes leased, lapsed and parked records", async (fixture) => {
    const { ann, work, setNow } = fixture;
    for (const id of ["a", "b", "c"]) await put(ann, due({ id, lane: id }));
    const leased = await claimAll(work, { lane: "b" });
    await work.move({ queue: "node", lane: "c", to: start + 9000, limit: 9 });
    assert.equal(await idsIn(work), "a b c");
    assert.deepEqual((await work.inQueue({ queue: "node" })).records[1], leased[0]);
    setNow(start + 5000);
    assert.equal(await idsIn(work), "a b c");
  });

  test("a record leaves its queue when it ends, moves or has no wake time", async (fixture) => {
    const { ann, work } = fixture;
    for (const id of ["a", "b", "c", "d"]) await put(ann, due({ id }));
    const [a, b] = await claimAll(work, { limit: 2 });
    assert.ok(a && b);
    await work.settle([
      { ...leaseOf(a), ends: "stopped" },
      { ...leaseOf(b), state: "running" },
    ]);
    assert.equal(await idsIn(work), "c d");
    await ann.edit({ kind: "node", id: "c", queue: "node@there" });
    await ann.cancel({ id: "d" });
    assert.equal(await idsIn(work), "");
    await ann.edit({ kind: "node", id: "b", wakeAt: start + 5 });
    assert.equal(await idsIn(work), "b");
  });
}

function pages(test: Test): void {
  test("inQueue pages follow in order of appending, without gaps", async (fixture) => {
    const { ann, bob, work } = fixture;
    for (const [index, id] of ["e", "d", "c", "b", "a"].entries()) {
      await put(index % 2 === 0 ? ann : bob, node({ id, wakeAt: start + 50 - index }));
      await put(bob, due({ queue: "node@there" }));
    }
    assert.deepEqual(await pagesOf(work, 2), ["e d", "c b", "a"]);
    assert.deepEqual(await pagesOf(work, 5), ["e d c b a"]);
    assert.deepEqual(await pagesOf(work, 4), ["e d c b", "a"]);
  });

  test("a page starts after the last one, whatever changed in between", async (fixture) => {
    const { ann, work } = fixture;
    for (const id of ["a", "b", "c"]) await put(ann, due({ id }));
    const { next } = await work.inQueue({ queue: "node", limit: 2 });
    assert.ok(next);
    await ann.cancel({ id: "b" });
    await put(ann, due({ id: "d", priority: "high" }));
    assert.equal(await idsIn(work, { after: next }), "c d");
    await ann.cancel({ id: "c" });
    await ann.cancel({ id: "d" });
    const last = await work.inQueue({ queue: "node", after: next });
    assert.deepEqual(last, { records: [], next: null });
  });

  test("a page of a queue has 50 records by default and at most 500", async (fixture) => {
    const { ann, work } = fixture;
    const append = Array.from({ length: 500 }, () => due());
    await ann.append(due(), { append });
    assert.equal((await work.inQueue({ queue: "node" })).records.length, 50);
    const page = await work.inQueue({ queue: "node", limit: 9999 });
    assert.equal(page.records.length, 500);
    assert.ok(page.next);
    assert.equal((await work.inQueue({ queue: "node", after: page.next })).records.length, 1);
  });

  test("an unknown cursor, an invalid queue and a limit below 1 are invalid", async ({ work }) => {
    for (const after of ["", "x", "-1", "1.5", "1 or 1=1"]) {
      await fails(work.inQueue({ queue: "node", after }), "invalid");
    }
    for (const queue of ["", " node", "no\0de"]) await fails(work.inQueue({ queue }), "invalid");
    for (const limit of [0, -1, 1.5]) {
      await fails(work.inQueue({ queue: "node", limit }), "invalid");
    }
  });
}
