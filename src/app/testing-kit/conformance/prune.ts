import assert from "node:assert/strict";
import {
  claimAll,
  due,
  fails,
  leased,
  node,
  put,
  read,
  start,
  leaseOf,
  type Test,
} from "./fixture.ts";

export function pruneCases(test: Test): void {
  prunes(test);
  stats(test);
}

function prunes(test: Test): void {
  test("prune deletes a record with its history and output", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture);
    const { id, lease } = record;
    await put(ann, node({ id: "child", parent: id }));
    const chunk = { id, fence: lease.fence, stream: "out", offset: 0 };
    await work.write({ ...chunk, bytes: new Uint8Array(3) });
    await work.settle([{ ...leaseOf(record), ends: "stopped" }]);
    setNow(start + 10);
    assert.equal(await work.prune({ endedBefore: start + 10, limit: 9 }), 1);
    assert.equal(await ann.get(id), undefined);
    assert.deepEqual((await ann.changes({ id })).changes, []);
    await fails(ann.read({ id, stream: "out", offset: 0, limit: 9 }), "not_found");
    assert.equal((await read(ann, "child")).parent, id);
    const { id: again } = await put(ann, node({ id }));
    const { size } = await ann.read({ id: again, stream: "out", offset: 0, limit: 9 });
    assert.equal(size, 0);
  });

  test("prune deletes records that ended before its time, oldest end first", async (fixture) => {
    const { ann, bob, work, setNow } = fixture;
    await put(ann, node({ id: "live" }));
    await put(ann, node({ id: "b" }));
    await put(bob, node({ id: "a", ends: "stopped" }));
    setNow(start + 1);
    await ann.cancel({ id: "b" });
    await put(ann, node({ id: "c", ends: "stopped" }));
    setNow(start + 2);
    await put(ann, node({ id: "d", ends: "stopped" }));
    setNow(start + 9);
    const left = async (): Promise<string> =>
      [...(await ann.list({})).records, ...(await bob.list({})).records]
        .map(({ id }) => id)
        .join(" ");
    assert.equal(await work.prune({ endedBefore: start + 2, limit: 1 }), 1);
    assert.equal(await left(), "live b c d");
    assert.equal(await work.prune({ endedBefore: start + 2, limit: 1 }), 1);
    assert.equal(await left(), "live c d");
    assert.equal(await work.prune({ endedBefore: start + 2, limit: 9 }), 1);
    assert.equal(await work.prune({ endedBefore: start + 2, limit: 9 }), 0);
    assert.equal(await left(), "live d");
  });

  test("prune with kinds or endedFrom leaves all other records", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const ended = { kind: "chore", ends: "cancelled" } as const;
    const body = { name: "\0\ud800 \\u0000", everyMs: 1 };
    await put(ann, node({ id: "node", ends: "stopped" }));
    await ann.append({ ...ended, id: "chore", body });
    await ann.append({ ...ended, id: "null", body: { name: null as never, everyMs: 1 } });
    setNow(start + 1);
    await ann.append({ ...ended, id: "later", body });
    await ann.append({ kind: "chore", id: "live", body, state: "waiting" });
    setNow(start + 9);
    const before = { endedBefore: start + 9, limit: 9 };
    const left = async (): Promise<string> =>
      (await ann.list({})).records.map(({ id }) => id).join(" ");
    assert.equal(await work.prune({ ...before, of: [] }), 0);
    assert.equal(await work.prune({ ...before, of: [{ kind: "node", has: "everyMs" }] }), 0);
    const named = [{ kind: "chore", has: "name" }] as const;
    assert.equal(await work.prune({ ...before, of: named, endedFrom: start + 1 }), 1);
    assert.equal(await left(), "node chore null live");
    assert.equal(await work.prune({ ...before, of: named }), 1);
    assert.equal(await left(), "node null live");
    const both = [{ kind: "chore" }, { kind: "node", has: "host" }] as const;
    assert.equal(await work.prune({ ...before, of: both, limit: 1 }), 1);
    assert.equal(await left(), "null live");
    assert.equal(await work.prune({ ...before, endedFrom: start + 1 }), 0);
    assert.equal(await work.prune({ ...before, endedFrom: start }), 1);
    assert.equal(await left(), "live");
  });
}

function stats(test: Test): void {
  test("stats counts due, later and leased records by queue", async ({
    ann,
    bob,
    work,
    setNow,
  }) => {
    await put(ann, node());
    await put(ann, node({ ends: "stopped" }));
    await put(ann, due({ name: "leased", priority: "high" }));
    await claimAll(work, { leaseMs: 500 });
    await put(bob, due());
    await put(bob, node({ wakeAt: start + 5, lane: "x" }));
    await put(bob, node({ wakeAt: start + 5, queue: "node@a" }));
    setNow(start + 1);
    const later = { queue: "node@a", due: 0, later: 1, leased: 0, oldestWakeAt: null };
    assert.deepEqual(await work.stats(), {
      now: start + 1,
      records: 6,
      queues: [{ queue: "node", due: 1, later: 1, leased: 1, oldestWakeAt: start }, later],
    });
    setNow(start + 500);
    assert.deepEqual((await work.stats()).queues, [
      { queue: "node", due: 3, later: 0, leased: 0, oldestWakeAt: start },
      { ...later, due: 1, later: 0, oldestWakeAt: start + 5 },
    ]);
  });
}
