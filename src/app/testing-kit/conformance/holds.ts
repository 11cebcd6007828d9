import assert from "node:assert/strict";
import type { Book } from "../../../kernel/ledger.ts";
import { hasCode } from "../../../platform/errors.ts";
import {
  claimAll,
  codeOf,
  due,
  fails,
  leased,
  node,
  put,
  start,
  leaseOf,
  writesNothing,
  type Test,
} from "./fixture.ts";

/** Asserts that a record can take the name, and ends that record. */
async function isFree(book: Book, name: string): Promise<void> {
  const { id } = await put(book, node({ holds: [name] }));
  await book.cancel({ id });
}

export function holdCases(test: Test): void {
  acquisition(test);
  oneOf(test);
  release(test);
}

function acquisition(test: Test): void {
  test("a live record's hold refuses the same name for every owner", async (fixture) => {
    const { ann, bob } = fixture;
    const { id: holder } = await put(ann, node({ holds: ["a"] }));
    await writesNothing(fixture, async () => {
      await fails(ann.append(node({ holds: ["b", "a"] })), "held", { name: "a", holder });
      await fails(bob.append(node({ holds: ["a"] })), "held", { name: "a" }); // not whose it is
    });
    await isFree(bob, "b");
  });

  test("an edit that wants a held name changes nothing", async (fixture) => {
    const { ann } = fixture;
    const { id: holder } = await put(ann, node({ holds: ["a"] }));
    const { id } = await put(ann, node({ holds: ["mine"] }));
    await writesNothing(fixture, () =>
      fails(ann.edit({ kind: "node", id, holds: ["b", "a"] }), "held", { name: "a", holder }),
    );
    await fails(ann.append(node({ holds: ["mine"] })), "held", { name: "mine", holder: id });
    await isFree(ann, "b");
  });

  test("edit and settle replace the holds, or leave them when absent", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { holds: ["a", "b"] });
    const { id } = record;
    await ann.edit({ kind: "node", id, note: "no names" });
    await fails(ann.append(node({ holds: ["a"] })), "held");
    const { revision } = await ann.edit({ kind: "node", id, holds: ["b", "c"] });
    await isFree(ann, "a");
    await fails(ann.append(node({ holds: ["c"] })), "held", { name: "c", holder: id });
    await work.settle([{ ...leaseOf(record), revision, state: "running", holds: ["d"] }]);
    await isFree(ann, "b");
    await isFree(ann, "c");
    await fails(ann.append(node({ holds: ["d"] })), "held", { name: "d", holder: id });
    await ann.edit({ kind: "node", id, holds: [] });
    await isFree(ann, "d");
  });

  test("a settle that wants a held name is refused and keeps the lease", async (fixture) => {
    const { ann, work } = fixture;
    const { id: holder } = await put(ann, node({ holds: ["a"] }));
    const record = await leased(fixture);
    await writesNothing(fixture, async () => {
      const [answer] = await work.settle([{ ...leaseOf(record), state: "running", holds: ["a"] }]);
      assert.equal(codeOf(answer), "held");
      assert.ok(answer?.result === "refused");
      assert.deepEqual(answer.error.details, { name: "a", holder });
    });
    assert.deepEqual((await work.settle([{ ...leaseOf(record), ends: "stopped" }]))[0], {
      result: "settled",
      revision: 2,
    });
  });

  test("a record can name the same hold twice, and again later", async ({ ann }) => {
    const { id } = await put(ann, node({ holds: ["a", "a"] }));
    await ann.edit({ kind: "node", id, holds: ["a"] });
    await ann.cancel({ id });
    await isFree(ann, "a");
  });

  test("of sixteen concurrent appends for three names, three succeed", async ({ ann }) => {
    const oneOf = ["s#1", "s#2", "s#3"];
    const appends = Array.from({ length: 16 }, () => ann.append(node({ holds: [{ oneOf }] })));
    const answers = await Promise.allSettled(appends);
    assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 3);
    assert.equal((await ann.list({})).records.length, 3);
    for (const answer of answers) {
      if (answer.status === "rejected") assert.ok(hasCode(answer.reason, "held"));
    }
  });
}

function oneOf(test: Test): void {
  test("oneOf takes the first free name", async ({ ann }) => {
    const { id: first } = await put(ann, node({ holds: ["a"] }));
    const { id: second } = await put(ann, node({ holds: [{ oneOf: ["a", "b", "c"] }] }));
    await fails(ann.append(node({ holds: ["b"] })), "held", { name: "b", holder: second });
    await isFree(ann, "c");
    await fails(ann.append(node({ holds: [{ oneOf: ["a", "b"] }] })), "held", {
      name: "a",
      holder: first,
    });
  });

  test("oneOf keeps the name that the record already has", async ({ ann }) => {
    const { id: first } = await put(ann, node({ holds: ["a"] }));
    const { id } = await put(ann, node({ holds: [{ oneOf: ["a", "b"] }] }));
    await ann.cancel({ id: first });
    await ann.edit({ kind: "node", id, holds: [{ oneOf: ["a", "b"] }] });
    await isFree(ann, "a");
    await fails(ann.append(node({ holds: ["b"] })), "held", { name: "b", holder: id });
  });

  test("oneOf counts a name taken earlier in the same list", async ({ ann }) => {
    await put(ann, node({ holds: ["b", { oneOf: ["a", "b"] }] }));
    await isFree(ann, "a");
  });
}

function release(test: Test): void {
  test("an end by edit or cancel frees the holds", async ({ ann }) => {
    const { id } = await put(ann, node({ holds: ["a"] }));
    await ann.edit({ kind: "node", id, ends: "stopped" });
    await isFree(ann, "a");
    const other = await put(ann, node({ holds: ["a"] }));
    await ann.cancel({ id: other.id });
    await isFree(ann, "a");
  });

  test("an end by settle frees the holds and takes no new ones", async (fixture) => {
    const record = await leased(fixture, { holds: ["a"] });
    await fixture.work.settle([{ ...leaseOf(record), ends: "stopped", holds: ["a", "b"] }]);
    await isFree(fixture.ann, "a");
    await isFree(fixture.ann, "b");
  });

  test("a cancelling record frees its holds when it is settled", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { holds: ["a"] });
    await ann.cancel({ id: record.id });
    await fails(ann.append(node({ holds: ["a"] })), "held");
    await work.settle([{ ...leaseOf(record), revision: 2, state: "running", holds: ["b"] }]);
    await isFree(ann, "a");
    await isFree(ann, "b");
  });

  test("a cancelling record frees its holds when a claim ends it", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture, { holds: ["a"] });
    await ann.cancel({ id: record.id });
    setNow(start + 1000);
    assert.deepEqual(await claimAll(work), []);
    await isFree(ann, "a");
  });

  test("a consequence can take the hold that its cause frees", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { holds: ["a"] });
    const append = [due({ name: "next", holds: ["a"] })];
    const [answer] = await work.settle([
      { ...leaseOf(record), ends: "stopped", consequences: { append } },
    ]);
    assert.equal(codeOf(answer), "settled");
    await fails(ann.append(node({ holds: ["a"] })), "held");
  });
}
