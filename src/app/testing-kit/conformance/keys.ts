import assert from "node:assert/strict";
import type { NodeKind } from "../../../features/nodes/index.ts";
import type { Body } from "../../../kernel/shape.ts";
import { bodyOf, fails, node, put, start, writesNothing, type Test } from "./fixture.ts";

export function keyCases(test: Test): void {
  keys(test);
  prunedKeys(test);
}

function keys(test: Test): void {
  test("a repeated key with the same body answers the first record", async (fixture) => {
    const { ann } = fixture;
    const first = await put(ann, node({ key: { name: "k" } }));
    assert.equal(first.key, "k");
    await writesNothing(fixture, async () => {
      const again = await ann.append(node({ key: { name: "k" }, wakeAt: 5 }), { append: [node()] });
      assert.deepEqual(again, { fresh: false, id: first.id, record: first });
    });
  });

  test("a key compares bodies regardless of property order", async ({ ann }) => {
    const { id } = await put(ann, node({ key: { name: "k" } }));
    const body = Object.fromEntries(Object.entries(bodyOf("n")).toReversed());
    const draft = { ...node({ key: { name: "k" } }), body: body as Body<NodeKind> };
    assert.equal((await ann.append(draft)).id, id);
  });

  test("a repeated key with another body is a conflict", async (fixture) => {
    const { ann } = fixture;
    const { id } = await put(ann, node({ key: { name: "k" } }));
    await writesNothing(fixture, () =>
      fails(ann.append(node({ name: "other", key: { name: "k" } })), "conflict", { id }),
    );
  });

  test("a key with asked compares it in place of the body", async ({ ann }) => {
    const key = { name: "k", asked: "in an hour" };
    const { id } = await put(ann, node({ name: "a", key }));
    assert.equal((await ann.append(node({ name: "b", key }))).id, id);
    const other = { name: "k", asked: "in two hours" };
    await fails(ann.append(node({ name: "a", key: other })), "conflict", { id });
  });

  test("keys of other owners and other kinds are independent", async ({ ann, bob }) => {
    await put(ann, node({ key: { name: "k" } }));
    await put(bob, node({ name: "other", key: { name: "k" } }));
    const body = { name: "sweep", everyMs: 1 };
    const chore = { kind: "chore", state: "waiting", body, key: { name: "k" } } as const;
    assert.equal((await ann.append(chore)).fresh, true);
  });

  test("an ended record keeps its key past the key's expiry", async ({ ann, setNow }) => {
    const key = { name: "k", until: start + 10 };
    const { id } = await put(ann, node({ key }));
    await ann.cancel({ id });
    setNow(start + 100);
    const again = await ann.append(node({ key }));
    assert.equal(again.record?.state, "cancelled");
  });
}

function prunedKeys(test: Test): void {
  test("a key outlives its pruned record until the key expires", async ({ ann, work, setNow }) => {
    const key = { name: "k", until: start + 100 };
    const { id } = await put(ann, node({ ends: "stopped", key }));
    setNow(start + 50);
    assert.equal(await work.prune({ endedBefore: start + 1, limit: 10 }), 1);
    const again = await ann.append(node({ key }), { append: [node()] });
    assert.deepEqual(again, { fresh: false, id, record: null });
    await fails(ann.append(node({ name: "other", key })), "conflict", { id });
    assert.deepEqual((await ann.list({})).records, []);
  });

  test("a pruned record's key is free once it expires", async ({ ann, work, setNow }) => {
    const key = { name: "k", until: start + 100 };
    await put(ann, node({ ends: "stopped", key }));
    await work.prune({ endedBefore: start + 1, limit: 10 });
    setNow(start + 100);
    const { fresh } = await ann.append(node({ name: "other", key }));
    assert.equal(fresh, true);
  });

  test("a reused key belongs to its new record", async ({ ann, work, setNow }) => {
    await put(ann, node({ ends: "stopped", key: { name: "k", until: start + 100 } }));
    await work.prune({ endedBefore: start + 1, limit: 10 });
    setNow(start + 100);
    const draft = node({ name: "other", key: { name: "k", until: start + 200 } });
    const { id } = await put(ann, draft);
    await work.prune({ endedBefore: start + 1, limit: 10 });
    const again = await ann.append(draft);
    assert.deepEqual([again.fresh, again.id], [false, id]);
  });

  test("prune deletes expired keys and does not count them", async ({ ann, work, setNow }) => {
    await put(ann, node({ ends: "stopped", key: { name: "k", until: start + 100 } }));
    await work.prune({ endedBefore: start + 1, limit: 10 });
    setNow(start + 100);
    assert.equal(await work.prune({ endedBefore: start + 1, limit: 10 }), 0);
    await put(ann, node({ name: "other", key: { name: "k" } }));
  });

  test("a key without an expiry is pruned with its record", async ({ ann, work, setNow }) => {
    await put(ann, node({ ends: "stopped", key: { name: "k" } }));
    setNow(start + 1);
    await work.prune({ endedBefore: start + 1, limit: 10 });
    await put(ann, node({ name: "other", key: { name: "k" } }));
  });
}
