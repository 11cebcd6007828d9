import assert from "node:assert/strict";
import type { Book } from "../../kernel/ledger.ts";
import { hasCode } from "../../platform/errors.ts";
import {
  claimAll,
  codeOf,
  due,
  fails,
  leased,
  node,
  put,
  start,
  under,
  writesNothing,
  type Holds,
} from "./fixture.ts";

/** The name is free: a record can take it. That record ends at once. */
async function isFree(book: Book, name: string): Promise<void> {
  const { id } = await put(book, node({ holds: [name] }));
  await book.cancel({ id });
}

export function namesHold(holds: Holds): void {
  taking(holds);
  oneOf(holds);
  freeing(holds);
}

function taking(holds: Holds): void {
  holds("a name that a live record has is held, for every owner", async (fixture) => {
    const { ann, bob } = fixture;
    const { id: holder } = await put(ann, node({ holds: ["a"] }));
    await writesNothing(fixture, async () => {
      await fails(ann.append(node({ holds: ["b", "a"] })), "held", { name: "a", holder });
      await fails(bob.append(node({ holds: ["a"] })), "held", { name: "a" }); // not whose it is
    });
    await isFree(bob, "b");
  });

  holds("an edit takes names, and is refused whole when one is held", async (fixture) => {
    const { ann } = fixture;
    const { id: holder } = await put(ann, node({ holds: ["a"] }));
    const { id } = await put(ann, node({ holds: ["mine"] }));
    await writesNothing(fixture, () =>
      fails(ann.edit({ kind: "node", id, holds: ["b", "a"] }), "held", { name: "a", holder }),
    );
    await fails(ann.append(node({ holds: ["mine"] })), "held", { name: "mine", holder: id });
    await isFree(ann, "b");
  });

  holds(
    "an edit and a settle replace the names; without names they leave them",
    async (fixture) => {
      const { ann, work } = fixture;
      const record = await leased(fixture, { holds: ["a", "b"] });
      const { id } = record;
      await ann.edit({ kind: "node", id, note: "no names" });
      await fails(ann.append(node({ holds: ["a"] })), "held");
      const { revision } = await ann.edit({ kind: "node", id, holds: ["b", "c"] });
      await isFree(ann, "a");
      await fails(ann.append(node({ holds: ["c"] })), "held", { name: "c", holder: id });
      await work.settle([{ ...under(record), revision, state: "running", holds: ["d"] }]);
      await isFree(ann, "b");
      await isFree(ann, "c");
      await fails(ann.append(node({ holds: ["d"] })), "held", { name: "d", holder: id });
      await ann.edit({ kind: "node", id, holds: [] });
      await isFree(ann, "d");
    },
  );

  holds("a settle that asks for a held name is refused, and the lease stays", async (fixture) => {
    const { ann, work } = fixture;
    const { id: holder } = await put(ann, node({ holds: ["a"] }));
    const record = await leased(fixture);
    await writesNothing(fixture, async () => {
      const [answer] = await work.settle([{ ...under(record), state: "running", holds: ["a"] }]);
      assert.equal(codeOf(answer), "held");
      assert.ok(answer?.result === "refused");
      assert.deepEqual(answer.error.details, { name: "a", holder });
    });
    assert.deepEqual((await work.settle([{ ...under(record), ends: "stopped" }]))[0], {
      result: "settled",
      revision: 2,
    });
  });

  holds("a record may ask for the same name twice, and again", async ({ ann }) => {
    const { id } = await put(ann, node({ holds: ["a", "a"] }));
    await ann.edit({ kind: "node", id, holds: ["a"] });
    await ann.cancel({ id });
    await isFree(ann, "a");
  });

  holds("of sixteen that ask at once for one of three names, three get one", async ({ ann }) => {
    const oneOf = ["s#1", "s#2", "s#3"];
    const asked = Array.from({ length: 16 }, () => ann.append(node({ holds: [{ oneOf }] })));
    const answers = await Promise.allSettled(asked);
    assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 3);
    assert.equal((await ann.list({})).records.length, 3);
    for (const answer of answers) {
      if (answer.status === "rejected") assert.ok(hasCode(answer.reason, "held"));
    }
  });
}

function oneOf(holds: Holds): void {
  holds("one of several names is the first that is free", async ({ ann }) => {
    const { id: first } = await put(ann, node({ holds: ["a"] }));
    const { id: second } = await put(ann, node({ holds: [{ oneOf: ["a", "b", "c"] }] }));
    await fails(ann.append(node({ holds: ["b"] })), "held", { name: "b", holder: second });
    await isFree(ann, "c");
    await fails(ann.append(node({ holds: [{ oneOf: ["a", "b"] }] })), "held", {
      name: "a",
      holder: first,
    });
  });

  holds("one of several names stays the one the record has", async ({ ann }) => {
    const { id: first } = await put(ann, node({ holds: ["a"] }));
    const { id } = await put(ann, node({ holds: [{ oneOf: ["a", "b"] }] }));
    await ann.cancel({ id: first });
    await ann.edit({ kind: "node", id, holds: [{ oneOf: ["a", "b"] }] });
    await isFree(ann, "a");
    await fails(ann.append(node({ holds: ["b"] })), "held", { name: "b", holder: id });
  });

  holds("a name from earlier in the list serves a later choice", async ({ ann }) => {
    await put(ann, node({ holds: ["b", { oneOf: ["a", "b"] }] }));
    await isFree(ann, "a");
  });
}

function freeing(holds: Holds): void {
  holds("an end by edit or cancel frees the names", async ({ ann }) => {
    const { id } = await put(ann, node({ holds: ["a"] }));
    await ann.edit({ kind: "node", id, ends: "stopped" });
    await isFree(ann, "a");
    const other = await put(ann, node({ holds: ["a"] }));
    await ann.cancel({ id: other.id });
    await isFree(ann, "a");
  });

  holds(
    "an end by settle frees the names, and holds asked for with it are not taken",
    async (fixture) => {
      const record = await leased(fixture, { holds: ["a"] });
      await fixture.work.settle([{ ...under(record), ends: "stopped", holds: ["a", "b"] }]);
      await isFree(fixture.ann, "a");
      await isFree(fixture.ann, "b");
    },
  );

  holds("a cancelling record frees its names when it is settled", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { holds: ["a"] });
    await ann.cancel({ id: record.id });
    await fails(ann.append(node({ holds: ["a"] })), "held");
    await work.settle([{ ...under(record), revision: 2, state: "running", holds: ["b"] }]);
    await isFree(ann, "a");
    await isFree(ann, "b");
  });

  holds("a cancelling record frees its names when a claim ends it", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const record = await leased(fixture, { holds: ["a"] });
    await ann.cancel({ id: record.id });
    setNow(start + 1000);
    assert.deepEqual(await claimAll(work), []);
    await isFree(ann, "a");
  });

  holds("a consequence may take the name that its cause frees", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { holds: ["a"] });
    const append = [due({ name: "next", holds: ["a"] })];
    const [answer] = await work.settle([
      { ...under(record), ends: "stopped", consequences: { append } },
    ]);
    assert.equal(codeOf(answer), "settled");
    await fails(ann.append(node({ holds: ["a"] })), "held");
  });
}
