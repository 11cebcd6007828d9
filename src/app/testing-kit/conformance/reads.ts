import assert from "node:assert/strict";
import { nodeKind } from "../../../features/nodes/index.ts";
import { notificationKind } from "../../../features/notifications/index.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { ChangesQuery, ListQuery } from "../../../kernel/query.ts";
import { fails, leased, node, put, start, leaseOf, type Test } from "./fixture.ts";

async function idsOf(book: Book, query: ListQuery): Promise<string> {
  const { records } = await book.list(query);
  return records.map(({ id }) => id).join(" ");
}

/** The ids of every page. */
async function pages(book: Book, query: ListQuery): Promise<string[]> {
  const found: string[] = [];
  let page = await book.list(query);
  found.push(page.records.map(({ id }) => id).join(" "));
  while (page.next !== null && found.length < 10) {
    page = await book.list({ ...query, after: page.next });
    found.push(page.records.map(({ id }) => id).join(" "));
  }
  return found;
}

async function feed(book: Book, query: ChangesQuery): Promise<{ rows: string; cursor: string }> {
  const { changes, cursor } = await book.changes(query);
  return { rows: changes.map(({ id, what }) => `${id} ${what}`).join(", "), cursor };
}

export function readCases(test: Test): void {
  lists(test);
  feeds(test);
}

function lists(test: Test): void {
  test("a book does not show another owner's records", async ({ ann, bob }) => {
    const { id } = await put(ann, node({ id: "a" }));
    assert.equal(await bob.get(id), undefined);
    assert.equal(await ann.get("missing"), undefined);
    assert.deepEqual(await bob.list({}), { records: [], next: null });
    assert.deepEqual(await bob.list({ parent: "a" }), { records: [], next: null });
  });

  test("list is in the order of appending, or its reverse", async ({ ann, bob }) => {
    for (const id of ["c", "a", "b"]) await put(ann, node({ id }));
    await put(bob, node({ id: "z" }));
    await ann.edit({ kind: "node", id: "c", note: "an edit does not change the order" });
    assert.equal(await idsOf(ann, {}), "c a b");
    assert.equal(await idsOf(ann, { order: "oldest" }), "c a b");
    assert.equal(await idsOf(ann, { order: "newest" }), "b a c");
  });

  test("list filters by kind, state, parent and live", async ({ ann }) => {
    await put(ann, node({ id: "a" }));
    await put(ann, node({ id: "b", parent: "a", ends: "stopped" }));
    await put(ann, node({ id: "c", parent: "a" }));
    const body = { name: "sweep", everyMs: 1 };
    await ann.append({ kind: "chore", id: "d", state: "waiting", body, parent: "b" });
    assert.equal(await idsOf(ann, { kind: nodeKind }), "a b c");
    assert.equal(await idsOf(ann, { state: "running" }), "a c");
    assert.equal(await idsOf(ann, { parent: "a" }), "b c");
    assert.equal(await idsOf(ann, { live: true }), "a c d");
    assert.equal(await idsOf(ann, { live: false }), "b");
    assert.equal(await idsOf(ann, { kind: nodeKind, live: true, parent: "a" }), "c");
    assert.equal(await idsOf(ann, { kind: notificationKind }), "");
  });

  test("list finds the owner's ids that start with a text", async ({ ann, bob }) => {
    for (const id of ["ab-1", "ab", "ac", "aB-2", "ab-한", "b-ab"]) await put(ann, node({ id }));
    await put(ann, node({ id: "ab-3", parent: "ab", ends: "stopped" }));
    await put(bob, node({ id: "ab-4" }));
    assert.equal(await idsOf(ann, { idPrefix: "ab" }), "ab-1 ab ab-한 ab-3");
    assert.equal(await idsOf(ann, { idPrefix: "ab-", live: true }), "ab-1 ab-한");
    assert.equal(await idsOf(ann, { idPrefix: "ab-", parent: "ab", kind: nodeKind }), "ab-3");
    assert.equal(await idsOf(ann, { idPrefix: "ab-한" }), "ab-한");
    assert.equal(await idsOf(ann, { idPrefix: "ab", kind: notificationKind }), "");
    for (const idPrefix of ["ab-4", "%", "a_", "ab-11"]) {
      assert.equal(await idsOf(ann, { idPrefix }), "");
    }
    assert.deepEqual(await pages(ann, { idPrefix: "ab", limit: 3 }), ["ab-1 ab ab-한", "ab-3"]);
    assert.deepEqual(await pages(ann, { idPrefix: "ab", limit: 3, order: "newest" }), [
      "ab-3 ab-한 ab",
      "ab-1",
    ]);
    for (const idPrefix of ["", " ab", "\0", "\uD800"])
      await fails(ann.list({ idPrefix }), "invalid");
  });

  test("list pages follow without gaps, and the last has no next", async ({ ann }) => {
    for (const id of ["a", "b", "c", "d"]) await put(ann, node({ id }));
    assert.deepEqual(await pages(ann, { limit: 3 }), ["a b c", "d"]);
    assert.deepEqual(await pages(ann, { limit: 2 }), ["a b", "c d"]);
    assert.deepEqual(await pages(ann, { limit: 2, order: "newest" }), ["d c", "b a"]);
    assert.deepEqual(await pages(ann, { limit: 1, live: false }), [""]);
  });

  test("a record appended between two pages appears on a later page", async ({ ann }) => {
    for (const id of ["a", "b", "c"]) await put(ann, node({ id }));
    const { next } = await ann.list({ limit: 2 });
    assert.ok(next);
    await put(ann, node({ id: "d" }));
    assert.equal(await idsOf(ann, { after: next }), "c d");
    assert.equal(await idsOf(ann, { after: next, order: "newest" }), "a");
  });

  test("a page has 50 rows by default and at most 500", async ({ ann }) => {
    const append = Array.from({ length: 500 }, () => node());
    await ann.append(node(), { append });
    assert.equal((await ann.list({})).records.length, 50);
    assert.equal((await ann.list({ limit: 9999 })).records.length, 500);
    assert.equal((await ann.changes({})).changes.length, 50);
    assert.equal((await ann.changes({ limit: 9999 })).changes.length, 500);
  });

  test("a cursor that no answer returned is invalid", async ({ ann }) => {
    for (const after of ["", "x", "-1", "1.5", "1 or 1=1"]) {
      await fails(ann.list({ after }), "invalid");
      await fails(ann.changes({ after }), "invalid");
    }
  });
}

function feeds(test: Test): void {
  test("the feed has every visible change once, in order", async (fixture) => {
    const { ann, bob, work } = fixture;
    const record = await leased(fixture, { id: "a" });
    await put(bob, node({ id: "z" }));
    await work.keep([{ ...leaseOf(record), leaseMs: 1000 }]);
    await ann.edit({ kind: "node", id: "a" });
    await put(ann, node({ id: "b" }));
    await work.settle([{ ...leaseOf(record), revision: 2, ends: "stopped" }]);
    await ann.cancel({ id: "b" });
    const all = "a appended, a edited, b appended, a settled, b cancelled";
    assert.equal((await feed(ann, {})).rows, all);
    assert.equal((await feed(bob, {})).rows, "z appended");
    assert.equal((await feed(ann, { id: "b" })).rows, "b appended, b cancelled");
    assert.equal((await feed(bob, { id: "b" })).rows, "");
  });

  test("the feed resumes at its cursor without gaps or duplicates", async (fixture) => {
    const { ann, bob } = fixture;
    const empty = await feed(ann, {});
    assert.equal(empty.rows, "");
    await put(ann, node({ id: "a" }));
    await put(bob, node({ id: "z" }));
    await put(ann, node({ id: "b" }));
    const first = await feed(ann, { after: empty.cursor, limit: 1 });
    assert.equal(first.rows, "a appended");
    const second = await feed(ann, { after: first.cursor });
    assert.equal(second.rows, "b appended");
    const none = await feed(ann, { after: second.cursor });
    assert.deepEqual(none, { rows: "", cursor: second.cursor });
    await put(ann, node({ id: "c" }));
    assert.equal((await feed(ann, { after: none.cursor })).rows, "c appended");
  });

  test("the feed resumes after a pruned row", async ({ ann, work, setNow }) => {
    await put(ann, node({ id: "a", ends: "stopped" }));
    const { cursor } = await feed(ann, {});
    setNow(start + 1);
    await work.prune({ endedBefore: start + 1, limit: 9 });
    await put(ann, node({ id: "b" }));
    assert.equal((await feed(ann, { after: cursor })).rows, "b appended");
    assert.equal((await feed(ann, {})).rows, "b appended");
  });

  test("concurrent writes each appear once in the feed", async ({ ann }) => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => put(ann, node({ id: `n${index}` }))),
    );
    const seen: string[] = [];
    let query: ChangesQuery = { limit: 7 };
    // A feed that never ends must fail the case, not hang it.
    for (let page = 0; page < 4; page += 1) {
      const { changes, cursor } = await ann.changes(query);
      seen.push(...changes.map(({ id }) => id));
      query = { limit: 7, after: cursor };
    }
    assert.equal(seen.length, 20);
    assert.equal(new Set(seen).size, 20);
    assert.equal(await idsOf(ann, {}), seen.join(" "));
  });
}
